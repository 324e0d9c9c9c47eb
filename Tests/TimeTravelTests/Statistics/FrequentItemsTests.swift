import TestSupport
import Testing
import TimeTravel

@Suite("Frequent items")
struct FrequentItemsTests {
    @Test(
        "no count is too low or over its error too high, and what is frequent is there",
        arguments: [1, 2, 3, 4, 5] as [UInt64])
    func bounds(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var items = FrequentItems<Int>(capacity: 16)
        var truth: [Int: Int] = [:]
        for step in 0..<4000 {
            let item = Int.random(in: 0...Int.random(in: 0...99, using: &generator), using: &generator)
            truth[item, default: 0] += 1
            items.add(item, last: step)
        }
        let counts = items.most(16, by: <)
        for count in counts {
            let real = truth[count.item] ?? 0
            #expect(real <= count.count && count.count - count.error <= real)
        }
        #expect(counts.reduce(0) { $0 + $1.count } == 4000)
        for (item, real) in truth where real > 4000 / 16 { #expect(counts.contains { $0.item == item }) }
    }
}
