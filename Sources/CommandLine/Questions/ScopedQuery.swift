package import Diagnostics
package import JSONCore
package import JournalFormat
package import JournalReading
package import QueryLanguage
import TimeTravel

/// A query as it was typed, and as it is asked of whole states.
///
/// Under `--store NAME` a query begins at that store, `$old` too; it is compiled a second time below that, so
/// that its footprint is one of the whole state. Messages show what was typed.
package struct ScopedQuery {
    package let typed: Query
    package let whole: Query
    package let purpose: Purpose
    /// The store that the query begins at; nil where names at the top are those of stores.
    package let store: String?

    package enum Purpose {
        case condition
        case value
        case change
    }

    package init(_ text: String, name: String, scope: StoreScope, asks purpose: Purpose = .value) throws {
        typed = try Query(text, name: name, in: scope.environment)
        self.purpose = purpose
        store = scope.store
        guard let store = scope.store else {
            whole = typed
            return
        }
        whole = try Query(text, name: name, in: scope.environment, below: store)
    }

    /// A condition of whole states that was compiled elsewhere.
    package init(condition query: Query) {
        (typed, whole, purpose, store) = (query, query, .condition, nil)
    }

    package var footprint: Footprint { whole.footprint }

    /// What it can ask about a position besides the state.
    package func context(
        at position: CommitNumber, _ record: Record?, old: () throws -> JSONValue
    ) rethrows -> QueryContext {
        let before = footprint.usesOld ? try old() : .null
        guard footprint.usesCommit, let record else { return QueryContext(old: before, seq: position.rawValue) }
        return QueryContext(seq: position, record: record, old: before)
    }
}

extension QueryError {
    package func diagnostic(of query: ScopedQuery, at position: CommitNumber) -> Diagnostic {
        var diagnostic = diagnostic
        diagnostic.place = .source(
            SourceExcerpt(
                name: query.typed.name, text: query.typed.text, marks: [.init(0..<query.typed.text.utf8.count)],
                suffix: ", at commit \(position.rawValue)"))
        return diagnostic
    }
}
