import StateStore
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

    @Test("a diamond of derived values fires once, and never sees a mixed pair")
    func diamond() {
        let store = Store(Cart(), recorder: nil)
        let double = store.derived("double", \.count) { $0 * 2 }
        let seen = Log<Int>()
        let label = double.derived("label") { $0 + 1 }
        let subscription = label.subscribe(initially: false) { seen.add($0.current) }
        let both = store.derived("both", \.count, \.items) { $0 * 10 + $1.count }
        for _ in 0..<3 { store.commit { $0.count += 1 } }
        #expect(seen.entries == [3, 5, 7])
        #expect(both.value == 30)
        subscription.cancel()
        store.commit { $0.count += 1 }
        #expect(double.counters.fired == 3, "nobody asks any more")
        #expect(label.value == 9)
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
