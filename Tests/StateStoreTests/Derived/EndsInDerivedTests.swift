import StateStore
import Synchronization
import Testing

/// Runs a closure when its last reference goes away.
private final class Lease: Sendable {
    private let onEnd: @Sendable () -> Void
    init(_ onEnd: @escaping @Sendable () -> Void) { self.onEnd = onEnd }
    deinit { onEnd() }
}

/// The row of a list that listens to something, as a view's model does.
private struct Row: Sendable, Equatable {
    let number: Int
    let subscription: Subscription

    static func == (left: Row, right: Row) -> Bool { left.number == right.number }
}

/// What ends while derived values are brought up to date ends where it may call back.
struct EndsInDerivedTests {
    @Test("a store's subscription may be cancelled inside a transform that reads the store")
    func cancelling() {
        let store = Store(Cart(), recorder: nil)
        let derived = store.derived("count", \.count) { count in
            store.subscribe(initially: false) { _ in }.cancel()
            return count
        }
        #expect(derived.value == 0)
        let subscription = derived.subscribe { _ in }
        store.commit { $0.count = 1 }
        #expect(derived.value == 1)
        subscription.cancel()
    }

    @Test("transforms of two networks that cancel subscriptions to each other's store do not wait for each other")
    func twoNetworks() async {
        let left = Store(Cart(), recorder: nil), right = Store(Cart(), recorder: nil)
        func crossing(_ store: Store<Cart>, _ other: Store<Cart>) -> Derived<Int> {
            store.derived("crossing", \.count) { count in
                other.subscribe(initially: false) { _ in }.cancel()
                return count
            }
        }
        let values = [crossing(left, right), crossing(right, left)]
        let subscriptions = values.map { $0.subscribe { _ in } }
        await withTaskGroup { group in
            for store in [left, right] {
                group.addTask { for count in 1...2_000 { store.commit { $0.count = count } } }
            }
        }
        #expect(values.map(\.value) == [2_000, 2_000])
        for subscription in subscriptions { subscription.cancel() }
    }

    @Test("rows of a derived value that hold subscriptions end when nobody needs them any more")
    func rows() {
        let store = Store(Cart(), recorder: nil)
        let rows = store.derived("rows", \.count) { count in
            (0..<3).map { Row(number: count + $0, subscription: store.subscribe(initially: false) { _ in }) }
        }
        for round in 1...5 {
            let subscription = rows.subscribe { _ in }
            store.commit { $0.count += 1 }
            subscription.cancel()
            // Nobody asks: the rows stay as they are until somebody does, and then give way to others.
            store.commit { $0.count += 1 }
            #expect(rows.subscribe { _ in } != nil as Subscription?)
            #expect(store.state.count == 2 * round)
        }
    }

    @Test("an equal value that a transform made ends where a commit may be made")
    func equalValues() {
        let other = Store(Cart(), recorder: nil)
        struct Box: Sendable { let number: Int; let lease: Lease }
        let store = Store(Cart(), recorder: nil)
        let derived = Derived(
            "box", store.input(\.count), isEqual: { (left: Box, right: Box) in left.number == right.number }
        ) {
            Box(number: $0 / 10, lease: Lease { other.commit { $0.count += 1 } })
        }
        let subscription = derived.subscribe { _ in }
        for count in 1...9 { store.commit { $0.count = count } }
        #expect(other.state.count == 9)
        subscription.cancel()
    }

    @Test("an input that gives way when a derived value is asked for again may commit when it ends")
    func inputs() {
        struct Holder: Encodable, Sendable, Equatable {
            var number = 0
            var lease: Lease?
            enum CodingKeys: CodingKey { case number }
            static func == (left: Holder, right: Holder) -> Bool { left.number == right.number }
        }
        struct Room: Encodable, Sendable { var holder = Holder() }
        let other = Store(Cart(), recorder: nil)
        let store = Store(Room(), recorder: nil)
        let derived = store.derived("number", \.holder) { $0.number }
        derived.subscribe { _ in }.cancel()
        for number in 1...4 {
            store.commit { $0.holder = Holder(number: number, lease: Lease { other.commit { $0.count += 1 } }) }
            let subscription = derived.subscribe { _ in }
            #expect(derived.value == number)
            subscription.cancel()
        }
        store.commit { $0.holder = Holder(number: 5) }
        let subscription = derived.subscribe { _ in }
        #expect(other.state.count == 4)
        subscription.cancel()
    }
}
