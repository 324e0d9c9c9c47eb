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

struct ComputedPropertyTests {
    @Test("it is carried over versions that nobody asked, and asked of the one before it is that one's")
    func unasked() throws {
        enum Count: ComputedProperty {
            static let runs = Ticks()
            static func input(of state: Cart) -> [Cart.Item] { state.items }
            static func value(of items: [Cart.Item]) -> Int {
                _ = runs.next()
                return items.count
            }
        }
        let store = Store(Cart(), recorder: nil)
        let log = Log<Changes<Cart>>()
        let link = store.subscribe { log.add($0) }
        for count in 1...4 { store.commit { $0.count = count } }
        store.commit { $0.items = [Cart.Item(id: 1, name: "apple")] }
        #expect(log.entries[0].computed(Count.self) == 0)
        #expect(log.entries[4].computed(Count.self) == 0)
        #expect(Count.runs.value == 1)
        #expect(log.entries[5].computed(Count.self) == 1)
        #expect(log.entries[5].previous?.computed(Count.self) == 0)
        #expect(Count.runs.value == 2, "the one before had it already")
        link.cancel()
    }

    @Test("several threads that ask for it get one computation")
    func threads() async {
        enum Slow: ComputedProperty {
            static let runs = Ticks()
            static func input(of state: Cart) -> Int { state.count }
            static func value(of count: Int) -> Int {
                let run = runs.next()
                return (0..<10_000).reduce(run, ^)
            }
        }
        let store = Store(Cart(), recorder: nil)
        let log = Log<Changes<Cart>>()
        store.subscribe { log.add($0) }.cancel()
        let (changes, values) = (log.entries[0], Log<Int>())
        await concurrently(8) { _ in values.add(changes.computed(Slow.self)) }
        #expect(Slow.runs.value == 1)
        #expect(Set(values.entries).count == 1)
    }

    @Test("inputs without a comparison bring their own")
    func comparison() {
        enum Label: ComputedProperty {
            static let runs = Ticks()
            static func input(of state: Cart) -> (Int, String) { (state.count, state.user.name) }
            static func isSame(_ first: (Int, String), _ second: (Int, String)) -> Bool { first == second }
            static func value(of input: (Int, String)) -> String {
                _ = runs.next()
                return "\(input.1): \(input.0)"
            }
        }
        let store = Store(Cart(), recorder: nil)
        let seen = Log<String>()
        let link = store.subscribe { seen.add($0.computed(Label.self)) }
        store.commit { $0.items = [Cart.Item(id: 1, name: "apple")] }
        store.commit { $0.count = 1 }
        #expect(seen.entries == ["Ann: 0", "Ann: 0", "Ann: 1"])
        #expect(Label.runs.value == 2)
        link.cancel()
    }

    @Test("changes of a derived value carry over too")
    func derived() {
        enum First: ComputedProperty {
            static let runs = Ticks()
            static func input(of state: [Cart.Item]) -> String? { state.first?.name }
            static func value(of name: String?) -> Int {
                _ = runs.next()
                return name?.count ?? 0
            }
        }
        let store = Store(Cart(items: [Cart.Item(id: 1, name: "apple")]), recorder: nil)
        let items = store.derived(\.items, named: "items") { $0 }
        let seen = Log<Int>()
        let link = items.subscribe { seen.add($0.computed(First.self)) }
        store.commit { $0.items.append(Cart.Item(id: 2, name: "pear")) }
        store.commit { $0.items.removeFirst() }
        #expect(seen.entries == [5, 5, 4])
        #expect(First.runs.value == 2)
        link.cancel()
    }
}
