import JSONCore
import JournalFormat
import StateStore
import TestSupport
import Testing

struct DerivedTests {
    @Test("derived values that go in any order leave the others up to date", arguments: seeds(1..<21))
    func goneInAnyOrder(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let store = Store(Cart(), recorder: nil)
        let total = store.derived(\.count, named: "total") { $0 * 2 }
        var living: [Derived<Int>] = (0..<40).map { number in
            switch number % 4 {
            case 0: store.derived(\.count, named: "shared") { $0 + number }
            case 1: Derived(store.input(\.count, by: ==), named: "own") { $0 + number }
            case 2: store.derived(\.count, \.count, named: "twice") { ($0 + $1) / 2 + number }
            default: Derived(total, store[\.count], total, named: "mixed") { ($0 + $2) / 2 - $1 + number }
            }
        }
        for value in living { #expect(value.value >= 0) }
        var numbers = Array(living.indices)
        for count in 1...40 {
            let place = Int.random(in: living.indices, using: &random)
            living.remove(at: place)
            numbers.remove(at: place)
            store.commit { $0.count = count }
            #expect(living.map(\.value) == numbers.map { $0 + count }, "seed \(seed)")
            #expect(living.allSatisfy { $0.counters.fired == count })
        }
        store.commit { $0.count = 0 }
        #expect(total.value == 0)
    }
}

/// What a transform must not do ends the program with a message that says it.
struct DerivedTrapTests {
    @Test("a transform that reads a derived value which is not its input traps with both names")
    func reading() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let store = Store(Cart(), recorder: nil)
            let double = store.derived(\.count, named: "double") { $0 * 2 }
            let wrong = store.derived(\.count, named: "wrong") { $0 + double.value }
            _ = wrong.value
        }
        #expect(
            result.errors.contains(
                "the transform of the derived value 'wrong' reads 'double': make that one of its inputs"))
    }

    @Test("a transform that commits traps with its name")
    func committing() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let store = Store(Cart(), recorder: nil)
            let wrong = store.derived(\.count, named: "wrong") { count in
                store.commit { $0.count = 0 }
                return count
            }
            _ = wrong.value
        }
        #expect(
            result.errors.contains(
                "is inside the transform of the derived value 'wrong': a transform only computes"))
    }

    @Test("a comparison that commits traps")
    func comparing() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let store = Store(Cart(), recorder: nil)
            let count = store.input(
                \.count,
                by: { old, new in
                    store.commit { $0.count = 0 }
                    return old == new
                })
            let wrong = Derived(count, named: "wrong") { $0 }
            _ = wrong.value
            store.commit { $0.count = 5 }
        }
        #expect(result.errors.contains("is inside a comparison of a derived value's inputs: it may only compare"))
    }
}

struct AtomTests {
    @Test("each set is a commit of a store of its own, with the caller's line and name")
    func recorded() throws {
        let (journal, recorder) = try TemporaryJournal.recording(.reproducible)
        let query = Atom("", name: "query", recorder: recorder)
        let page = Atom(1, name: "page", recorder: recorder)
        let line = #line + 1
        query.set("apple")
        page.update(name: "next") { $0 += 1 }
        recorder.close()
        #expect(query.name == "query")
        let commits = try journal.records("commit")
        #expect(try commits.map { try $0.text("store") } == ["query", "page"])
        #expect(try commits.map { try $0.text("name") } == ["recorded()", "next"])
        #expect(commits[0]["patch"]?.text() == #"[{"op":"replace","path":"","value":"apple","old":""}]"#)
        let lines = commits.map { commit -> Int? in
            guard case .object(let at)? = commit["at"] else { return nil }
            return at.integer("line")
        }
        #expect(lines == [line, line + 1])
        #expect(try journal.replayed().last?.text(inOrder: ["page", "query"]) == #"2"apple""#)
    }

    @Test("a binding of an atom reads and sets it")
    func binding() {
        let page = Atom(1, name: "page", recorder: nil)
        let binding = page.binding()
        binding.wrappedValue += 1
        #expect((page.value, page.store.version) == (2, 1))
    }

    @Test("an atom that is not Equatable is an input by a comparison")
    func compared() {
        struct Weight: Codable, Sendable { var grams = 0 }
        let weight = Atom(Weight(), name: "weight", recorder: nil)
        let kilos = Derived(weight.input(by: { $0.grams / 1000 == $1.grams / 1000 }), named: "kilos") {
            $0.grams / 1000
        }
        #expect(kilos.value == 0)
        weight.set(Weight(grams: 900))
        weight.set(Weight(grams: 1100))
        #expect(kilos.value == 1)
        #expect((kilos.counters.unchanged, kilos.counters.fired) == (1, 1))
    }
}

extension JSONObject {
    /// Some members' text, one behind the other.
    fileprivate func text(inOrder names: [String]) -> String { names.map { self[$0]?.text() ?? "" }.joined() }
}
