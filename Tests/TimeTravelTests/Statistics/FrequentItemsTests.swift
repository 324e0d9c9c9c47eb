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

    @Test(
        "two counts add up to that of both: exact where there is room, else never too low",
        arguments: seeds(0..<40))
    func sum(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let distinct = seed % 2 == 0 ? 15 : 60
        var (one, other, whole) = (
            FrequentItems<Int>(capacity: 16), FrequentItems<Int>(capacity: 16), FrequentItems<Int>(capacity: 1_000)
        )
        let cut = Int.random(in: 0...1_000, using: &random)
        for step in 0..<1_000 {
            let item = Int.random(in: 0...Int.random(in: 0...distinct, using: &random), using: &random)
            whole.add(item, last: step)
            if step < cut { one.add(item, last: step) } else { other.add(item, last: step) }
        }
        one.add(other)
        #expect(one.total == 1_000 && one.isExact == (whole.distinct <= 16), "seed \(seed)")
        let truth = Dictionary(uniqueKeysWithValues: whole.most(.max, by: <).map { ($0.item, $0) })
        for count in one.most(16, by: <) {
            guard let real = truth[count.item] else {
                Issue.record("seed \(seed): \(count.item) was never counted")
                continue
            }
            #expect(real.count <= count.count && count.count - count.error <= real.count, "seed \(seed)")
            if one.isExact { #expect(real.count == count.count && real.last == count.last, "seed \(seed)") }
        }
        // What is more frequent than the sum of both errors is there.
        for (item, real) in truth where real.count > 2 * 1_000 / 16 {
            #expect(one.most(16, by: <).contains { $0.item == item }, "seed \(seed)")
        }
    }
}
