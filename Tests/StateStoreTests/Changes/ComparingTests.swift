import StateStore
import Testing

struct ComparingTests {
    @Test("properties count as changed where any differs, and as not changed where all are equal")
    func combinations() {
        let changes = Self.changes { $0.count = 1 }
        #expect(changes.hasChanges(\.count))
        #expect(changes.hasChanges(\.items, \.count))
        #expect(!changes.hasChanges(\.items, \.user))
        #expect(changes.noChanges(\.items))
        #expect(changes.noChanges(\.items, \.user))
        #expect(!changes.noChanges(\.items, \.count))
        #expect(changes.hasChanges)
        #expect(!changes.noChanges)
    }

    @Test("in a first delivery everything counts as changed")
    func first() {
        let store = Store(Cart(), recorder: nil)
        let log = Log<Changes<Cart>>()
        store.subscribe { log.add($0) }.cancel()
        let changes = log.entries[0]
        #expect(changes.previous == nil)
        #expect(changes.hasChanges && changes.hasChanges(\.count, \.items) && !changes.noChanges(\.count))
        #expect(changes.hasChanges({ $0.count }, ==))
        #expect(changes.ifChanged(\.count) { $0 } == 0)
        #expect(changes.ifChanged({ ($0.count, $0.items) }, ==) { count, _ in count } == 0)
    }

    @Test("all properties are handed over where any changed, and what the closure returns or throws comes out")
    func ifChanged() throws {
        struct Wrong: Error, Equatable {}
        let changes = Self.changes { $0.count = 1 }
        #expect(changes.ifChanged(\.items, \.count, \.user.name) { "\($0.count) \($1) \($2)" } == "0 1 Ann")
        #expect(changes.ifChanged(\.items) { _ in 1 } == nil)
        #expect(throws: Wrong()) { try changes.ifChanged(\.count) { _ throws(Wrong) in throw Wrong() } }
    }

    @Test("a composed value is handed over where its parts make a difference")
    func composed() {
        let changes = Self.changes { cart in
            cart.count = 4
            cart.items = [Cart.Item(id: 1, name: "apple")]
        }
        #expect(changes.ifChanged({ ($0.count, $0.items.count) }, ==) { count, items in count + items } == 5)
        #expect(changes.ifChanged({ $0.count.isMultiple(of: 2) }, ==) { $0 } == nil)
        #expect(!changes.hasChanges({ $0.count % 4 }, ==))
    }

    @Test("a comparison of the caller's decides")
    func comparison() {
        let changes = Self.changes { $0.items = [Cart.Item(id: 1, name: "apple")] }
        #expect(changes.ifChanged(\.items, by: { $0.count == $1.count }) { $0.count } == 1)
        #expect(changes.ifChanged(\.items, by: { _, _ in true }) { $0.count } == nil)
        #expect(changes.hasChanges(\.items, by: { _, _ in false }))
        #expect(changes.noChanges(\.items, by: { _, _ in true }))
    }

    @Test("changes that are kept keep one state before them, and no more")
    func chain() {
        let store = Store(Cart(), recorder: nil)
        let log = Log<Changes<Cart>>()
        let link = store.subscribe { log.add($0) }
        for count in 1...3 { store.commit { $0.count = count } }
        let last = log.entries[3]
        #expect((last.current.count, last.previous?.count) == (3, 2))
        #expect(last.previous?.previous == nil)
        #expect(last.version == 3)
        link.cancel()
    }

    /// The changes that a commit to a new store is delivered as.
    private static func changes(_ edit: (inout Cart) -> Void) -> Changes<Cart> {
        let store = Store(Cart(), recorder: nil)
        let log = Log<Changes<Cart>>()
        let link = store.subscribe(initially: false) { log.add($0) }
        store.commit(edit)
        link.cancel()
        return log.entries[0]
    }
}
