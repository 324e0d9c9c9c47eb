import StateStore
import Testing

/// An app behaves the same with a recorder, without one, and with any durability.
struct RecorderChangesNothingTests {
    struct Compared: Encodable, Equatable, Sendable { var number = 0; var other = 0 }
    /// Without `==`; its bytes say all.
    struct Plain: Encodable, Sendable { var number = 0; var other = 0 }
    /// Without `==`, and with a reference, of which the bytes say nothing.
    struct Held: Encodable, Sendable {
        final class Box: Sendable {}
        var number = 0
        var other = 0
        let box = Box()
        enum CodingKeys: CodingKey { case number, other }
    }

    enum Setup: CaseIterable { case unrecorded, synchronous, background }

    /// What an app notices of 50 commits, 46 of which change nothing of the state.
    struct Noticed: Equatable {
        var versions: [Int] = []
        var selected: [Int] = []
        var derived: [Int] = []
        var counters: [Int] = []
    }

    private func noticed<State: Encodable & Sendable>(
        _ setup: Setup, _ make: (Recorder?) -> Store<State>, number: any WritableKeyPath<State, Int> & Sendable,
        other: any WritableKeyPath<State, Int> & Sendable
    ) throws -> Noticed {
        let journal = TemporaryJournal()
        let recorder: Recorder? =
            switch setup {
            case .unrecorded: nil
            case .synchronous: try Recorder(journal.path, options: .reproducible)
            case .background: try Recorder(journal.path, durability: .background(), options: .reproducible)
            }
        let store = make(recorder)
        let versions = Log<Int>(), selected = Log<Int>(), derived = Log<Int>()
        let value = store.derived("tens", number) { $0 / 10 }
        let subscriptions = [
            store.subscribe(initially: false) { versions.add($0.version) },
            store.subscribe(select: { $0[keyPath: number] }, initially: false) { selected.add($0) },
            value.subscribe(initially: false) { derived.add($0.current) },
        ]
        for step in 1...50 {
            store.commit { state in
                state[keyPath: number] = step / 20 * 10
                state[keyPath: other] = step / 25
            }
        }
        defer {
            for subscription in subscriptions { subscription.cancel() }
            recorder?.close()
        }
        let counters = value.counters
        return Noticed(
            versions: versions.entries, selected: selected.entries, derived: derived.entries,
            counters: [counters.fired, counters.same, counters.unchanged, counters.untouched])
    }

    @Test("the same commits are delivered, selected and derived, recorded or not", arguments: 0..<5)
    func deliveries(round: Int) throws {
        let equatable = try Setup.allCases.map { setup in
            try noticed(setup, { Store(Compared(), recorder: $0) }, number: \.number, other: \.other)
        }
        let plain = try Setup.allCases.map { setup in
            try noticed(setup, { Store(Plain(), recorder: $0) }, number: \.number, other: \.other)
        }
        let held = try Setup.allCases.map { setup in
            try noticed(setup, { Store(Held(), recorder: $0) }, number: \.number, other: \.other)
        }
        for kind in [equatable, plain, held] { #expect(kind[1] == kind[0] && kind[2] == kind[0]) }
        #expect(equatable[0].versions == [20, 25, 40, 50] && plain[0].versions == [20, 25, 40, 50])
        #expect(held[0].versions == Array(1...50))
        // Of 50 versions that count, the input differs in two.
        #expect(held[0].derived == [1, 2] && held[0].counters == [2, 0, 0, 48])
    }

    @Test("what differs in states that an app calls equal reaches derived values, recorded or not")
    func equalStates() throws {
        let counts = try Setup.allCases.map { setup in
            let journal = TemporaryJournal()
            let recorder: Recorder? =
                switch setup {
                case .unrecorded: nil
                case .synchronous: try Recorder(journal.path, options: .reproducible)
                case .background: try Recorder(journal.path, durability: .background(), options: .reproducible)
                }
            let store = Store(Cart.User(), name: "user", recorder: recorder)
            let name = store.derived("name", \.name) { $0 }
            let seen = Log<String>()
            let subscription = name.subscribe { seen.add($0.current) }
            // Equal by its id alone.
            store.commit { $0.name = "Ben" }
            subscription.cancel()
            recorder?.close()
            return seen.entries
        }
        #expect(counts == Array(repeating: ["Ann", "Ben"], count: 3))
    }
}
