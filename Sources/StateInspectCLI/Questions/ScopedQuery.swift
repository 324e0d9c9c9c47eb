import Diagnostics
import JSONCore
import JournalFormat
import QueryLanguage

/// A query as it was typed, and as it is asked of whole states.
///
/// Under `--store NAME` a query begins at that store, `$old` too; it is compiled a second time with that put before it, so
/// that its footprint is one of the whole state. Messages show what was typed.
struct ScopedQuery {
    /// The query as it was typed.
    let typed: Query

    /// The query that takes whole states.
    let whole: Query

    /// Whether names at the top are those of stores.
    let beginsAtStores: Bool

    /// Compiles what was typed after an option.
    ///
    /// - Throws: every problem of the text.
    init(_ text: String, name: String, scope: StoreScope) throws(QuerySyntaxErrors) {
        typed = try Query(text, name: name)
        beginsAtStores = scope.store == nil
        guard let store = scope.store else {
            whole = typed
            return
        }
        let step = ".[" + JSONValue.string(store).text() + "]"
        let old = typed.footprint.usesOld ? "($old | \(step)) as $old | " : ""
        whole = try Query("\(step) | \(old)(\(text)\n)", name: name)
    }

    /// What it reads of a whole state.
    var footprint: Footprint { whole.footprint }

    /// What it can ask about a position besides the state.
    ///
    /// - Parameter old: gives the state at the position before; only asked where the query reads `$old`.
    func context(
        at position: CommitNumber, _ record: JSONObject?, old: () throws -> JSONValue
    ) rethrows -> QueryContext {
        var context = QueryContext(seq: position.rawValue)
        if footprint.usesOld { context.old = try old() }
        guard footprint.usesCommit, let record else { return context }
        context.store = record["store"] ?? .null
        context.at = record["at"] ?? .null
        context.name = record["name"] ?? context.functionName
        context.time = record["time"] ?? .null
        return context
    }
}

extension QueryContext {
    /// The name of a commit that has none of its own: its function.
    fileprivate var functionName: JSONValue {
        guard case .object(let place) = at else { return .null }
        return place["function"] ?? .null
    }
}

extension QueryError {
    /// The error as a problem of a query at a position.
    func diagnostic(of query: ScopedQuery, at position: CommitNumber) -> Diagnostic {
        var diagnostic = diagnostic
        diagnostic.place = .source(
            SourceExcerpt(
                name: query.typed.name, text: query.typed.text, marks: [.init(0..<query.typed.text.utf8.count)],
                suffix: ", at commit \(position.rawValue)"))
        return diagnostic
    }
}
