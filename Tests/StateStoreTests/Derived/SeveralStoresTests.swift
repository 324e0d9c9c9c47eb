import StateStore
import Synchronization
import Testing

/// Two numbers that a commit changes together.
private struct Pair: Codable, Equatable, Sendable {
    var left = 0
    var right = 0
}

struct SeveralStoresTests {
    @Test("values that a store has at two versions never meet, whatever other threads commit")
    func threads() async {
        let first = Store(Pair(), recorder: nil)
        let second = Store(Pair(), recorder: nil)
        let mixed = Ticks()
        let lefts = Derived("lefts", first.input(\.left), second.input(\.left)) { [$0, $1] }
        let rights = Derived("rights", second.input(\.right), first.input(\.right)) { [$1, $0] }
        let all = Derived("all", lefts, rights) { lefts, rights in
            if lefts != rights { _ = mixed.next() }
            return lefts
        }
        let told = Log<[Int]>()
        let versions = Log<Int>()
        let subscription = all.subscribe {
            told.add($0.current)
            versions.add($0.version)
        }
        await concurrently(6) { thread in
            let store = thread.isMultiple(of: 2) ? first : second
            for _ in 0..<200 {
                store.commit {
                    $0.left += 1
                    $0.right += 1
                }
                if all.value.count != 2 { _ = mixed.next() }
            }
        }
        await first.waitUntilDelivered()
        await second.waitUntilDelivered()
        #expect(mixed.value == 0)
        #expect(all.value == [600, 600])
        #expect(told.entries.last == [600, 600])
        #expect(zip(told.entries, told.entries.dropFirst()).allSatisfy { $0[0] <= $1[0] && $0[1] <= $1[1] })
        #expect(zip(versions.entries, versions.entries.dropFirst()).allSatisfy { $0 + 1 == $1 }, "each once, in order")
        #expect(all.counters.fired == told.entries.count - 1)
        subscription.cancel()
    }

    @Test("stores are joined while others commit, ask and leave")
    func joiningUnderLoad() async {
        let stores = (0..<4).map { _ in Store(Pair(), recorder: nil) }
        let odd = Ticks()
        await concurrently(4) { thread in
            for round in 0..<60 {
                let (left, right) = (stores[thread], stores[(thread + round) % 4])
                let sum = Derived("sum", left.input(\.self), right.input(\.self)) { left, right in
                    left.left - left.right + right.left - right.right
                }
                let subscription = sum.subscribe { if $0.current != 0 { _ = odd.next() } }
                left.commit {
                    $0.left += 1
                    $0.right += 1
                }
                if sum.value != 0 { _ = odd.next() }
                subscription.cancel()
            }
        }
        #expect(odd.value == 0)
        #expect(stores.map(\.state.left) == [60, 60, 60, 60])
    }

    @Test("two stores that deliver at once, and commit to each other's, do not wait for each other")
    func crossCommits() async {
        let cart = Store(Cart(), recorder: nil)
        let session = Store(Session(), recorder: nil)
        let sum = Derived("sum", cart.input(\.count), session.input(\.visits)) { $0 + $1 }
        let first = cart.subscribe(initially: false) { _ in
            _ = sum.value
            session.commit { $0.visits += 1 }
        }
        let second = sum.subscribe(initially: false) { changes in
            if changes.current.isMultiple(of: 7) { session.commit { $0.visits += 1 } }
        }
        await concurrently(4) { thread in
            for _ in 0..<100 {
                if thread < 2 { cart.commit { $0.count += 1 } } else { session.commit { $0.visits += 1 } }
            }
        }
        // In this order: the first one's subscriber commits to the second.
        await cart.waitUntilDelivered()
        await session.waitUntilDelivered()
        #expect(sum.value == cart.state.count + session.state.visits)
        first.cancel()
        second.cancel()
    }

    @Test("a sink finds a derived value over its store at the version that is delivered to it")
    func consistentWithSinks() {
        let cart = Store(Cart(), recorder: nil)
        let session = Store(Session(), recorder: nil)
        let sum = Derived("sum", cart.input(\.count), session.input(\.visits)) { $0 * 10 + $1 }
        #expect(sum.value == 0)
        let seen = Log<Bool>()
        let subscription = cart.subscribe(initially: false) { changes in
            if changes.count < 4 { cart.commit { $0.count += 1 } }
            seen.add(sum.value == changes.count * 10)
        }
        cart.commit { $0.count += 1 }
        #expect(seen.entries == [true, true, true, true])
        subscription.cancel()
    }

    @Test("a subscriber on the main actor is told there of each value, and can be waited for")
    func mainActor() async {
        let cart = Store(Cart(), recorder: nil)
        let double = cart.derived("double", \.count) { $0 * 2 }
        let seen = Log<Int>()
        let subscription = double.subscribe(on: .mainActor) { changes in
            MainActor.assumeIsolated { seen.add(changes.current) }
        }
        for _ in 0..<3 { cart.commit { $0.count += 1 } }
        await cart.waitUntilDelivered()
        #expect(seen.entries == [0, 2, 4, 6])
        subscription.cancel()
    }

    @Test("nothing is kept alive by a derived value that nobody holds")
    func noLeaks() {
        weak var cart: Store<Cart>?
        weak var session: Store<Session>?
        do {
            let first = Store(Cart(), recorder: nil)
            let second = Store(Session(), recorder: nil)
            (cart, session) = (first, second)
            let sum = Derived("sum", first.input(\.count), second.input(\.visits)) { $0 + $1 }
            let next = sum.derived("next") { $0 + 1 }
            #expect(next.value == 1)
            let subscription = next.subscribe { _ in }
            first.commit { $0.count += 1 }
            withExtendedLifetime(subscription) {}
        }
        #expect(cart == nil)
        #expect(session == nil)
    }

    @Test("a derived value that goes away inside a transform ends when the transform is done")
    func goneInTransform() {
        let store = Store(Cart(), recorder: nil)
        let held = Holder()
        held.set(store.derived("held", \.count) { $0 })
        #expect(held.value == 0)
        let dropping = store.derived("dropping", \.count) { count in
            if count == 1 { held.set(nil) }
            return count
        }
        #expect(dropping.value == 0)
        store.commit { $0.count = 1 }
        #expect(dropping.value == 1)
        store.commit { $0.count = 2 }
        #expect(dropping.value == 2)
    }
}

/// Holds the only reference to a derived value.
private final class Holder: Sendable {
    private let derived = Mutex<Derived<Int>?>(nil)

    var value: Int? { derived.withLock(\.self)?.value }

    func set(_ value: Derived<Int>?) {
        let old = derived.withLock { derived in
            defer { derived = value }
            return derived
        }
        withExtendedLifetime(old) {}
    }
}
