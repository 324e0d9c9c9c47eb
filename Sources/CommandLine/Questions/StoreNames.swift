import JSONCore
package import JournalFormat
package import JournalReading

/// The stores of a journal, by name: what `--store` may mean.
package struct StoreNames {
    private let journal: Journal

    package init(_ journal: Journal) { self.journal = journal }

    /// Refuses `--store NAME` where no record of the whole journal has such a store; one that closed, or opens later, is one.
    ///
    /// - Complexity: one seek where it is open there, else a pass over the journal.
    package func check(_ scope: StoreScope, near position: CommitNumber) throws {
        guard let store = scope.store, try !isOpen(store, in: near(position)) else { return }
        var things = [Self.thing(named: store)]
        guard try NamedThing.look(for: &things, in: journal), !things[0].isMet else { return }
        throw things[0].absence(in: journal.path)
    }

    /// Refuses `--store NAME` where no such store is open at a position, of whose state the answer is a part.
    package func check(_ scope: StoreScope, isOpenAt position: CommitNumber) throws {
        guard let store = scope.store else { return }
        let open = try open(at: position)
        guard !isOpen(store, in: open) else { return }
        throw JournalError(path: journal.path, .noSuchStore(name: store, at: position, known: open))
    }

    /// The stores that are open at a position; none where damage hides them that is looked around.
    private func near(_ position: CommitNumber) throws -> [String] {
        do { return try open(at: position) } catch let error as JournalError where error.isDamage && journal.recovers {
            return []
        }
    }

    private func isOpen(_ store: String, in names: [String]) -> Bool {
        names.contains { UTF8Order.equal($0, store) }
    }

    /// The stores that are open at a position.
    ///
    /// - Complexity: that of one seek; no value of a store is built.
    private func open(at position: CommitNumber) throws -> [String] {
        var kinds = PathSet.nothing
        kinds.insert([.each], reading: .shallow)
        return try journal.state(at: position, pruning: kinds).stores.keys
    }

    static func thing(named store: String) -> NamedThing {
        NamedThing(code: "store.unknown", typed: store) { kind, record in
            let found: [String]
            if kind == .gap, case .object(let states)? = record[.states] {
                found = states.keys
            } else {
                found = record.store.map { [$0] } ?? []
            }
            return found.contains { UTF8Order.equal($0, store) } ? .itself : .others(found)
        } message: {
            "\($0) has no store '\(store)'"
        }
    }
}
