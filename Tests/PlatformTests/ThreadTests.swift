import Testing

@testable import Platform

@Suite("Threads")
struct ThreadTests {
    @Test("a deep recursion fits the program's stack")
    func largeStack() {
        func depth(_ level: Int) -> Int { level == 0 ? 0 : 1 + depth(level - 1) }
        #expect(LargeStack.run { depth(1_000_000) } == 1_000_000)
    }

    @Test(
        "a container's share of processors is rounded up, and without a limit there is none",
        arguments: [
            ("max 100000\n", nil), ("200000 100000\n", 2), ("150000 100000\n", 2), ("50000 100000\n", 1),
            ("0 100000", nil), ("", nil), ("some 1", nil), ("1", nil), ("100000 0", nil),
        ] as [(String, Int?)])
    func share(text: String, processors: Int?) {
        #expect(ProcessorCount.share(text[...]) == processors)
    }

    @Test("a wait for a moment ends, also where nothing wakes it")
    func waits() {
        let signal = ThreadSignal()
        signal.locked { signal.wait(.milliseconds(5)) }
        #expect((1...64).contains(min(64, ProcessorCount.available)))
    }
}
