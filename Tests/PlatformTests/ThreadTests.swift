import Platform
import Testing

@Suite("Threads")
struct ThreadTests {
    @Test("a deep recursion fits the program's stack")
    func largeStack() {
        func depth(_ level: Int) -> Int { level == 0 ? 0 : 1 + depth(level - 1) }
        #expect(LargeStack.run { depth(1_000_000) } == 1_000_000)
    }
}
