import Diagnostics
import JSONCore
import JournalFormat
import QueryLanguage

/// The stores that are open at a position, by name: what a query or an option may mean.
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

    /// Warns of each name at the top of a query that is no store's.
    func warn(of query: ScopedQuery, _ messages: MessageWriter) {
        guard query.beginsAtStores else { return }
        for warning in warnings(of: query.typed) { messages.tellOnce(warning) }
    }

    /// What there is to say of the names at the top of a query of the whole state.
    func warnings(of query: Query) -> [Diagnostic] {
        let unknown = query.footprint.topLevelNames.filter { found in
            !names.contains { UTF8Order.equal($0, found.name) }
        }
        return unknown.map { found in
            let excerpt = SourceExcerpt(
                name: query.name, text: query.text, marks: [.init(found.range, "no such store")])
            return Diagnostic(
                .warning, code: "query.no-such-store", "there is no store '\(found.name)' at \(position.rawValue)",
                place: .source(excerpt), notes: [known],
                help: SimilarNames.nearest(to: found.name, in: names).map { "write '.\($0)'" })
        }
    }

    private var known: String {
        names.isEmpty ? "no store is open there" : "open are " + names.map { "'\($0)'" }.joined(separator: ", ")
    }
}
