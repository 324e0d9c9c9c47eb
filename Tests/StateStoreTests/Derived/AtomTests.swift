import JSONCore
import StateStore
import Testing

struct AtomTests {
    private struct Failure: Error {}

    @Test("an atom is read, set and updated, and tells of each new value")
    func values() throws {
        let page = Atom("page", 1, recorder: nil)
        let seen = Log<Int>()
        let subscription = page.subscribe { seen.add($0.current) }
        page.set(2)
        page.set(2)
        let doubled = page.update { page in
            page += 1
            return page * 2
        }
        #expect(throws: Failure.self) { try page.update { _ in throw Failure() } }
        #expect((page.value, doubled, page.store.version) == (3, 6, 3))
        #expect(seen.entries == [1, 2, 3])
        subscription.cancel()
    }

    @Test("each set is a commit of a store of its own, with the caller's line and name")
    func recorded() throws {
        let (journal, recorder) = try TemporaryJournal.recording(.reproducible)
        let query = Atom("query", "", recorder: recorder)
        let page = Atom("page", 1, recorder: recorder)
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
        let page = Atom("page", 1, recorder: nil)
        let binding = page.binding()
        binding.wrappedValue += 1
        #expect((page.value, page.store.version) == (2, 1))
    }

    @Test("atoms are combined by derived values")
    func combined() {
        let query = Atom("query", "apple", recorder: nil)
        let page = Atom("page", 1, recorder: nil)
        let cart = Store(Cart(), recorder: nil)
        let request = Derived("request", query, page) { query, page in "\(query) \(page)" }
        let label = Derived("label", request, cart.input(\.count)) { "\($0): \($1)" }
        let seen = Log<String>()
        let subscription = label.subscribe { seen.add($0.current) }
        page.update { $0 += 1 }
        query.set("pear")
        query.set("pear")
        cart.commit { $0.count = 5 }
        #expect(seen.entries == ["apple 1: 0", "apple 2: 0", "pear 2: 0", "pear 2: 5"])
        subscription.cancel()
    }

    @Test("an atom that is not Equatable is an input by a comparison")
    func compared() {
        struct Weight: Codable, Sendable { var grams = 0 }
        let weight = Atom("weight", Weight(), recorder: nil)
        let kilos = Derived("kilos", weight.input(by: { $0.grams / 1000 == $1.grams / 1000 })) { $0.grams / 1000 }
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
