import StateStore
import Testing

struct SelectionTests {
    @Test("a selection is delivered at once, and again only where it differs")
    func equalValues() {
        let store = Store(Cart(), recorder: nil)
        let seen = Log<Int>()
        let subscription = store.subscribe(select: \.items.count) { seen.add($0) }
        store.commit { $0.count += 1 }
        store.commit { $0.items = [Cart.Item(id: 1, name: "a")] }
        store.commit { $0.items[0].name = "b" }
        store.commit { $0.items = [] }
        subscription.cancel()
        store.commit { $0.items = [Cart.Item(id: 1, name: "a")] }
        #expect(seen.entries == [0, 1, 0])
    }

    @Test("a selection is compared by the caller's comparison, with what was delivered last")
    func comparison() {
        let store = Store(Cart(), recorder: nil)
        let seen = Log<Int>()
        let subscription = store.subscribe(select: { $0.count }, by: { abs($0 - $1) < 3 }) { seen.add($0) }
        for count in [1, 2, 3, 4, 5, 6, 9] { store.commit { $0.count = count } }
        #expect(seen.entries == [0, 3, 6, 9])
        subscription.cancel()
    }

    @Test("a selection that is not wanted at once is compared with what it was all the same")
    func notInitially() {
        let store = Store(Cart(), recorder: nil)
        let seen = Log<Int>()
        let subscription = store.subscribe(select: \.count, initially: false) { seen.add($0) }
        store.commit { $0.items = [Cart.Item(id: 1, name: "a")] }
        #expect(seen.entries.isEmpty)
        store.commit { $0.count = 4 }
        #expect(seen.entries == [4])
        subscription.cancel()
    }
}
