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
        return Derived("sum", inputs[0], inputs[1]) { $0 + $1 }
    }

    @Test("stores are joined while a value over them is needed, and not before or after")
    func split() {
        let stores = (0..<3).map { _ in Store(Cart(), recorder: nil) }
        let own = stores[0].derived("own", \.count) { $0 }
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
        let outer = Derived("outer", inner, stores[2].input(\.count)) { $0 + $1 }
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
                    "pair", left.input(\.count), left.input(\.user.id), right.input(\.count), right.input(\.user.id)
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
