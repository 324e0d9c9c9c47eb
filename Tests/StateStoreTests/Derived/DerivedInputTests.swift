import StateStore
import Testing

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
private struct Unordered: Codable, Sendable {
    var weight = 0.0
}

private struct Shelf: Codable, Sendable {
    var opaque = Unordered()
    var count = 0
}

struct DerivedInputTests {
    @Test("a derived value reads any number of key paths")
    func manyPaths() {
        let store = Store(Wide(), recorder: nil)
        let all = store.derived("all", \.a, \.b, \.c, \.d, \.e, \.flag, \.text) { a, b, c, d, e, flag, text in
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
        let sum = store.derived("sum", \.sum) { $0 * 10 }
        let name = store.derived("name", \.nested?.name) { $0 ?? "none" }
        let whole = store.derived("whole", \.self) { $0.a + $0.e }
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
        let name = store.derived("name", \.user) { $0.name }
        let both = store.derived("both", \.user, \.count) { user, count in "\(user.name) \(count)" }
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
        let pair = store.derived("pair", \.pair) { $0.large }
        #expect(pair.value == 2)
        for round in 0..<50 { store.commit { $0.a = round + 10 } }
        #expect(pair.counters.untouched == 50)
        #expect(pair.counters.unchanged == 0)
    }

    @Test("a comparison of the caller's decides about an input that is not Equatable")
    func inputComparison() {
        let store = Store(Shelf(), recorder: nil)
        let heavy = store.derived("heavy", \.opaque, by: { abs($0.weight - $1.weight) < 1 }) { $0.weight }
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
        let opaque = store.derived("opaque", \.count, isEqual: { $0.weight == $1.weight }) { count in
            Unordered(weight: Double(count / 2))
        }
        let subscription = opaque.subscribe { told.add($0.weight) }
        for _ in 0..<4 { store.commit { $0.count += 1 } }
        #expect(told.entries == [0, 1, 2])
        #expect(opaque.counters.same == 2)
        let next = opaque.derived("next", isEqual: { $0.weight == $1.weight }) { Unordered(weight: -$0.weight) }
        #expect(next.value.weight == -2)
        subscription.cancel()
    }

    @Test("a derived value can be read through a comparison, which holds small steps back")
    func comparedDerived() {
        let store = Store(Cart(), recorder: nil)
        let count = store.derived("count", \.count) { $0 }
        let runs = Ticks()
        let coarse = Derived("coarse", count.input(by: { abs($0 - $1) < 3 })) { count in
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
