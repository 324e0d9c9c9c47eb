import JSONCore
import JournalFormat
import StateStore
import TestSupport
import Testing

struct DerivedTests {
    @Test("a derived value runs its transform only when its input differs, and tells only when its output does")
    func memoizedTwice() {
        let store = Store(Cart(), recorder: nil)
        let runs = Ticks()
        let seen = Log<Int>()
        let badge = store.derived("badge", \.items) { items in
            _ = runs.next()
            return items.count
        }
        store.commit { $0.count += 1 }
        #expect(runs.value == 0, "nobody asked")
        let subscription = badge.subscribe { seen.add($0.current) }
        store.commit { $0.count += 1 }
        store.commit { $0.items = [Cart.Item(id: 1, name: "apple")] }
        store.commit { $0.items[0].name = "pear" }
        #expect(seen.entries == [0, 1])
        #expect(runs.value == 3)
        let counters = badge.counters
        #expect((counters.untouched, counters.unchanged, counters.same, counters.fired) == (1, 0, 1, 1))
        #expect(badge.value == 1)
        subscription.cancel()
    }

    @Test(
        "a diamond of derived values runs and fires once a commit, is told once in the journal, and never sees a mixed pair"
    )
    func diamond() throws {
        let (journal, recorder) = try TemporaryJournal.recording(.reproducible)
        let store = Store(Cart(), recorder: recorder)
        let (seen, pairs) = (Log<Int>(), Log<[Int]>())
        let double = store.derived("double", \.count) { $0 * 2 }
        let triple = store.derived("triple", \.count) { $0 * 3 }
        let sum = Derived("sum", double, triple) { double, triple in
            pairs.add([double, triple])
            return double + triple
        }
        let subscription = sum.subscribe(initially: false) { seen.add($0.current) }
        for _ in 0..<3 { store.commit { $0.count += 1 } }
        #expect(seen.entries == [5, 10, 15])
        #expect(pairs.entries == [[0, 0], [2, 3], [4, 6], [6, 9]])
        #expect(sum.counters == DerivedCounters(fired: 3))
        subscription.cancel()
        store.commit { $0.count += 1 }
        #expect(double.counters.fired == 3, "nobody asks any more")
        #expect(sum.value == 20)
        recorder.close()
        let told = try journal.records("outcome").map {
            $0["derived"]?.elements?.map { $0.member("name")?.text() ?? "" }
        }
        #expect(told == Array(repeating: [#""double""#, #""triple""#, #""sum""#], count: 3))
    }

    @Test("derived values that go in any order leave the others up to date", arguments: seeds(1..<21))
    func goneInAnyOrder(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let store = Store(Cart(), recorder: nil)
        let total = store.derived("total", \.count) { $0 * 2 }
        var living: [Derived<Int>] = (0..<40).map { number in
            switch number % 4 {
            case 0: store.derived("shared", \.count) { $0 + number }
            case 1: store.derived("own", \.count, by: ==) { $0 + number }
            case 2: store.derived("twice", \.count, \.count) { ($0 + $1) / 2 + number }
            default: Derived("mixed", total, store.input(\.count), total) { ($0 + $2) / 2 - $1 + number }
            }
        }
        for value in living { #expect(value.value >= 0) }
        var numbers = Array(living.indices)
        for count in 1...40 {
            let place = Int.random(in: living.indices, using: &random)
            living.remove(at: place)
            numbers.remove(at: place)
            store.commit { $0.count = count }
            #expect(living.map(\.value) == numbers.map { $0 + count }, "seed \(seed)")
            #expect(living.allSatisfy { $0.counters.fired == count })
        }
        store.commit { $0.count = 0 }
        #expect(total.value == 0)
    }

    @Test("a sink finds derived values at the version that is delivered to it")
    func consistent() {
        let store = Store(Cart(), recorder: nil)
        let double = store.derived("double", \.count) { $0 * 2 }
        #expect(double.value == 0)
        let seen = Log<Bool>()
        let subscription = store.subscribe(initially: false) { changes in
            if changes.count < 5 { store.commit { $0.count += 1 } }
            seen.add(double.value == changes.count * 2)
        }
        store.commit { $0.count += 1 }
        #expect(seen.entries == Array(repeating: true, count: 5))
        subscription.cancel()
    }

    @Test("reading a derived value while other threads commit gives values that were")
    func concurrentReads() async {
        let store = Store(Cart(), recorder: nil)
        let double = store.derived("double", \.count) { $0 * 2 }
        let odd = Ticks()
        await concurrently(4) { thread in
            for _ in 0..<200 {
                if thread < 2 { store.commit { $0.count += 1 } }
                let plus = double.derived("plus") { $0 + 2 }
                if !double.value.isMultiple(of: 2) || !plus.value.isMultiple(of: 2) { _ = odd.next() }
            }
        }
        #expect(odd.value == 0)
    }
}
