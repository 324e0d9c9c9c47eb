import JSONCore
import JournalFormat

/// The stores that are open at a position, by name: what an option may mean.
struct StoreNames {
    private let journal: Journal
    private let position: CommitNumber
    private let names: [String]

    /// The stores at a position.
    ///
    /// - Complexity: that of one seek; no value of a store is built.
    init(_ journal: Journal, at position: CommitNumber) throws {
        self.journal = journal
        self.position = position
        var kinds = PathSet.nothing
        kinds.insert([.each], reading: .shallow)
        names = try journal.state(at: position, pruning: kinds).stores.keys
    }

    /// Refuses `--store NAME` where no such store is open.
    func check(_ scope: StoreScope) throws {
        guard let store = scope.store, !names.contains(where: { UTF8Order.equal($0, store) }) else { return }
        throw JournalError(path: journal.path, .noSuchStore(name: store, at: position, known: names))
    }
}
