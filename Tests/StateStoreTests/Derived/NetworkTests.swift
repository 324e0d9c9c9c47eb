import StateStore
import Synchronization
import Testing

@testable import StoreCore

/// Which stores wait for each other because of derived values over them.
struct NetworkTests {
    /// Whether two stores have one lock for their derived values.
    private func areJoined(_ first: Store<Cart>, _ second: Store<Cart>) -> Bool {
        first.delivery.graph.liveNetwork === second.delivery.graph.liveNetwork
    }

    private func sum(_ stores: Store<Cart>...) -> Derived<Int> {
        let inputs = stores.map { $0.input(\.count) }
        return Derived(inputs[0], inputs[1], named: "sum") { $0 + $1 }
    }

    @Test("stores are joined while a value over them is needed, and not before or after")
    func split() {
        let stores = (0..<3).map { _ in Store(Cart(), recorder: nil) }
        let own = stores[0].derived(\.count, named: "own") { $0 }
        #expect(own.value == 0)
        let first = sum(stores[0], stores[1])
        #expect(!areJoined(stores[0], stores[1]), "nothing has asked for it")
        let subscription = first.subscribe { _ in }
        do {
            let second = sum(stores[1], stores[2])
            #expect(second.value == 0)
            #expect(areJoined(stores[0], stores[2]))
        }
        #expect(areJoined(stores[0], stores[1]), "one value still joins them")
        subscription.cancel()
        #expect(!areJoined(stores[0], stores[1]) && !areJoined(stores[1], stores[2]))
        // What was read before goes on, and a value over them joins them again.
        stores[0].commit { $0.count = 1 }
        #expect(own.value == 1)
        #expect(first.value == 1)
        #expect(areJoined(stores[0], stores[1]))
        stores[1].commit { $0.count = 2 }
        #expect(first.value == 3)
    }

    @Test("a value that another one reads keeps its stores joined as long as it is needed itself")
    func inner() {
        let stores = (0..<3).map { _ in Store(Cart(), recorder: nil) }
        let inner = sum(stores[0], stores[1])
        let outer = Derived(inner, stores[2].input(\.count), named: "outer") { $0 + $1 }
        let outerSubscription = outer.subscribe { _ in }
        let innerSubscription = inner.subscribe { _ in }
        outerSubscription.cancel()
        #expect(areJoined(stores[0], stores[1]))
        stores[1].commit { $0.count = 4 }
        #expect(inner.value == 4)
        innerSubscription.cancel()
    }

    @Test(
        "values over stores come and go while these commit, and none sees a store at two versions")
    func comingAndGoing() async {
        let stores = (0..<4).map { _ in Store(Cart(), recorder: nil) }
        let (mixed, seen) = (Ticks(), Ticks())
        await concurrently(6) { thread in
            for turn in 0..<200 {
                let (left, right) = (stores[(thread + turn) % 4], stores[(thread + turn * 3 + 1) % 4])
                if thread < 3 {
                    left.commit { cart in
                        cart.count += 1
                        cart.user.id = cart.count
                    }
                    continue
                }
                let pair = Derived(
                    left[\.count], left[\.user.id], right[\.count], right[\.user.id], named: "pair"
                ) { leftCount, leftID, rightCount, rightID in
                    let isMixed = leftCount > 0 && leftCount != leftID || rightCount > 0 && rightCount != rightID
                    if isMixed { _ = mixed.next() }
                    return leftCount + rightCount
                }
                let subscription = pair.subscribe { _ in _ = seen.next() }
                _ = pair.value
                subscription.cancel()
            }
        }
        #expect(mixed.value == 0)
        #expect(seen.value >= 600)
        for (first, second) in zip(stores, stores.dropFirst()) { #expect(!areJoined(first, second)) }
    }
}

/// The row of a list that listens to something, as a view's model does.
private struct Row: Sendable, Equatable {
    let number: Int
    let subscription: Subscription

    static func == (left: Row, right: Row) -> Bool { left.number == right.number }
}

/// What ends while derived values are brought up to date ends where it may call back.
struct EndsInDerivedTests {
    @Test("transforms of two networks that cancel subscriptions to both stores do not wait for each other")
    func twoNetworks() async {
        let left = Store(Cart(), recorder: nil), right = Store(Cart(), recorder: nil)
        func crossing(_ store: Store<Cart>, _ other: Store<Cart>) -> Derived<Int> {
            store.derived(\.count, named: "crossing") { count in
                for store in [store, other] { store.subscribe(initially: false) { _ in }.cancel() }
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
        let rows = store.derived(\.count, named: "rows") { count in
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
            store[\.count], named: "box", isEqual: { (left: Box, right: Box) in left.number == right.number }
        ) { Box(number: $0 / 10, lease: Lease { other.commit { $0.count += 1 } }) }
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
        let derived = store.derived(\.holder, named: "number") { $0.number }
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
