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
        if let store = query.store {
            if let warning = warning(of: query, in: store) { messages.tellOnce(warning) }
            return
        }
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

    /// Under `--store` a query begins at the store, so that the store's name at the top is a member that is not there.
    private func warning(of query: ScopedQuery, in store: String) -> Diagnostic? {
        let path = JSONPointer([store, store])
        guard let found = query.typed.footprint.topLevelNames.first(where: { UTF8Order.equal($0.name, store) }),
            let state = try? journal.state(at: position, pruning: PathSet(path)).value, path.value(in: state) == nil
        else { return nil }
        let text = Array(query.typed.text.utf8)
        let rest = text[found.range.upperBound...]
        let start =
            Array(text[..<found.range.lowerBound]) + (rest.first == UInt8(ascii: ".") ? [] : [UInt8(ascii: ".")])
        return Diagnostic(
            .warning, code: "query.store-twice", "the store '\(store)' has no member '\(store)' at \(position)",
            place: .source(
                SourceExcerpt(
                    name: query.typed.name, text: query.typed.text, marks: [.init(found.range, "already in the store")])
            ),
            notes: ["under '--store \(store)' a query begins at that store"],
            help: ["write '\(String(decoding: start + rest, as: UTF8.self))'"])
    }

    private var known: String {
        names.isEmpty ? "no store is open there" : "open are " + names.map { "'\($0)'" }.joined(separator: ", ")
    }
}
