import StateStore
import Synchronization
import Testing

struct SeveralStoresTests {
    @Test("two stores that deliver at once, and read and commit to each other's, do not wait for each other")
    func crossCommits() async {
        let cart = Store(Cart(), recorder: nil)
        let session = Store(Session(), recorder: nil)
        let sum = Derived(cart[\.count], session[\.visits], named: "sum") { $0 + $1 }
        let first = cart.subscribe(initially: false) { _ in
            _ = sum.value
            session.commit { $0.visits += 1 }
        }
        let second = sum.subscribe(initially: false) { changes in
            if changes.current.isMultiple(of: 7) { session.commit { $0.visits += 1 } }
        }
        await concurrently(4) { thread in
            for _ in 0..<100 {
                if thread < 2 {
                    cart.commit { $0.count += session.state.visits >= 0 ? 1 : 0 }
                } else {
                    session.commit { $0.visits += cart.state.count >= 0 ? 1 : 0 }
                }
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
        let sum = Derived(cart[\.count], session[\.visits], named: "sum") { $0 * 10 + $1 }
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

    @Test("nothing is kept alive by a derived value that nobody holds")
    func noLeaks() {
        weak var cart: Store<Cart>?
        weak var session: Store<Session>?
        do {
            let first = Store(Cart(), recorder: nil)
            let second = Store(Session(), recorder: nil)
            (cart, session) = (first, second)
            let sum = Derived(first[\.count], second[\.visits], named: "sum") { $0 + $1 }
            let next = sum.derived(named: "next") { $0 + 1 }
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
        held.set(store.derived(\.count, named: "held") { $0 })
        #expect(held.value == 0)
        let dropping = store.derived(\.count, named: "dropping") { count in
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

private struct Wide: Codable, Equatable, Sendable {
    var a = 1
    var b = 2
    var c = 3
    var d = 4
    var e = 5
    var flag = false
    var text = "x"
    var pair = Padded()
    var nested: Nested?
    var sum: Int { a + b }

    struct Nested: Codable, Equatable, Sendable { var name = "inner" }
    /// With bytes between its properties that mean nothing.
    struct Padded: Codable, Equatable, Sendable {
        var small: Int8 = 1
        var large = 2
    }
}

/// What is not Equatable.
private struct Unordered: Codable, Sendable { var weight = 0.0 }

private struct Shelf: Codable, Sendable {
    var opaque = Unordered()
    var count = 0
}

struct DerivedInputTests {
    @Test("a derived value reads any number of key paths")
    func manyPaths() {
        let store = Store(Wide(), recorder: nil)
        let all = store.derived(\.a, \.b, \.c, \.d, \.e, \.flag, \.text, named: "all") { a, b, c, d, e, flag, text in
            "\(a)\(b)\(c)\(d)\(e)\(flag)\(text)"
        }
        #expect(all.value == "12345falsex")
        store.commit { $0.e = 6 }
        store.commit { $0.text = "y" }
        #expect(all.value == "12346falsey")
        #expect(all.counters.fired == 2)
    }

    @Test("a computed property, an optional chain and a whole state are inputs like any other")
    func computedPaths() {
        let store = Store(Wide(), recorder: nil)
        let sum = store.derived(\.sum, named: "sum") { $0 * 10 }
        let name = store.derived(\.nested?.name, named: "name") { $0 ?? "none" }
        let whole = store.derived(\.self, named: "whole") { $0.a + $0.e }
        #expect((sum.value, name.value, whole.value) == (30, "none", 6))
        store.commit { $0.a = 2 }
        store.commit { $0.nested = Wide.Nested() }
        store.commit { $0.nested?.name = "other" }
        #expect((sum.value, name.value, whole.value) == (40, "other", 7))
        #expect(sum.counters.transforms == 1)
        #expect(name.counters.fired == 2)
    }

    @Test("an equal value in new memory does not run the transform, and counts as unchanged")
    func equalWrites() {
        let store = Store(Cart(), recorder: nil)
        let name = store.derived(\.user, named: "name") { $0.name }
        let both = store.derived(\.user, \.count, named: "both") { user, count in "\(user.name) \(count)" }
        #expect(name.value == "Ann")
        #expect(both.value == "Ann 0")
        store.commit { $0.user.name = "Bob" }  // equal by its id alone, but written
        store.commit { $0.count += 1 }
        #expect(name.value == "Ann", "the input is equal: the value before stands")
        #expect(both.value == "Bob 1", "a transform that runs for another input gets what is there now")
    }

    @Test("a property with unused bytes is not touched by commits that leave it alone")
    func padding() {
        let store = Store(Wide(), recorder: nil)
        let pair = store.derived(\.pair, named: "pair") { $0.large }
        #expect(pair.value == 2)
        for round in 0..<50 { store.commit { $0.a = round + 10 } }
        #expect(pair.counters.untouched == 50)
        #expect(pair.counters.unchanged == 0)
    }

    @Test("a comparison of the caller's decides about an input that is not Equatable")
    func inputComparison() {
        let store = Store(Shelf(), recorder: nil)
        let heavy = Derived(
            store.input(\.opaque, by: { abs($0.weight - $1.weight) < 1 }), named: "heavy"
        ) { $0.weight }
        #expect(heavy.value == 0)
        for _ in 0..<5 { store.commit { $0.opaque.weight += 0.4 } }
        // 0.4 and 0.8 are near 0, 1.2 is not, 1.6 and 2.0 are near 1.2: small steps add up.
        #expect(heavy.value == 1.2000000000000002)
        let counters = heavy.counters
        #expect((counters.unchanged, counters.fired) == (4, 1))
        store.commit { $0.count += 1 }
        #expect(heavy.counters.untouched == 1)
    }

    @Test("a comparison of the caller's decides about an output that is not Equatable")
    func outputComparison() {
        let store = Store(Shelf(), recorder: nil)
        let told = Log<Double>()
        let opaque = store.derived(\.count, named: "opaque", isEqual: { $0.weight == $1.weight }) { count in
            Unordered(weight: Double(count / 2))
        }
        let subscription = opaque.subscribe { told.add($0.weight) }
        for _ in 0..<4 { store.commit { $0.count += 1 } }
        #expect(told.entries == [0, 1, 2])
        #expect(opaque.counters.same == 2)
        let next = opaque.derived(named: "next", isEqual: { $0.weight == $1.weight }) { Unordered(weight: -$0.weight) }
        #expect(next.value.weight == -2)
        subscription.cancel()
    }

    @Test("a derived value can be read through a comparison, which holds small steps back")
    func comparedDerived() {
        let store = Store(Cart(), recorder: nil)
        let count = store.derived(\.count, named: "count") { $0 }
        let runs = Ticks()
        let coarse = Derived(count.input(by: { abs($0 - $1) < 3 }), named: "coarse") { count in
            _ = runs.next()
            return count
        }
        #expect(coarse.value == 0)
        for _ in 0..<7 { store.commit { $0.count += 1 } }
        #expect(coarse.value == 6)
        #expect(runs.value == 3)
        #expect((coarse.counters.fired, coarse.counters.unchanged) == (2, 5))
    }
}
