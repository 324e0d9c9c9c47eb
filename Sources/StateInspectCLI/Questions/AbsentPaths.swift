import Diagnostics
import JSONCore
import JournalFormat
import QueryLanguage

/// The paths of a query that are not there in a state that it is about.
///
/// In jq `null < 0` is true, so a query about what is not there may hold; the guarded query does not.
struct AbsentPaths {
    private let query: ScopedQuery
    private let isBad: Bool
    private let scope: StoreScope
    /// What stands before the query in its option, as `total=`.
    private let prefix: String
    /// What the query begins at.
    private let part: JSONValue
    /// Paths at which nothing is, and containers in which there is nothing to match what the query reads of them.
    private var missing: [JSONPointer] = []
    private var empty: [JSONPointer] = []

    /// Looks a query's paths up in a state.
    ///
    /// - Parameters:
    ///   - isBad: whether the query says what is bad, not what is good.
    ///   - prefix: what stands before the query in its option.
    init(of query: ScopedQuery, isBad: Bool, in state: JSONValue, _ scope: StoreScope, prefix: String = "") {
        self.query = query
        self.isBad = isBad
        self.scope = scope
        self.prefix = prefix
        part = scope.part(of: state)
        for pattern in query.footprint.paths.patterns {
            guard let path = try? JSONPointer(parsing: pattern), !path.segments.isEmpty else { continue }
            look(up: path, in: state)
        }
    }

    private mutating func look(up path: JSONPointer, in state: JSONValue) {
        guard let wildcard = path.segments.firstIndex(where: { UTF8Order.equal($0, "*") }) else {
            if path.value(in: state) == nil { missing.append(path) }
            return
        }
        let container = JSONPointer(Array(path.segments.prefix(wildcard)))
        guard wildcard > 0 else { return }
        switch container.value(in: state) {
        case nil: missing.append(container)
        case .array(let elements)? where elements.isEmpty: empty.append(container)
        case .object(let members)? where members.isEmpty: empty.append(container)
        default: break
        }
    }

    /// A warning for each, with the query that asks only where it is there.
    var warnings: [Diagnostic] {
        missing.map { path in
            let place = JQPath.text(of: shown(path), in: part)
            return warning(
                "'\(shown(path).text)' is not there in the first bad state, so the answer may be about that",
                isBad ? "\(place) != null and (\(query.typed.text))" : "\(place) == null or (\(query.typed.text))")
        }
            + empty.map { path in
                let place = JQPath.text(of: shown(path), in: part)
                return warning(
                    "'\(shown(path).text)' is empty in the first bad state, so the answer may be about that",
                    isBad
                        ? "(\(place) | length) > 0 and (\(query.typed.text))"
                        : "(\(place) | length) == 0 or (\(query.typed.text))")
            }
    }

    private func shown(_ path: JSONPointer) -> JSONPointer {
        JSONPointer(Array(path.segments.dropFirst(scope.store == nil ? 0 : 1)))
    }

    private func warning(_ message: String, _ guarded: String) -> Diagnostic {
        Diagnostic(
            .warning, code: "query.absent-path", message,
            notes: ["a path that is not there is null, and in jq null is less than every number"],
            help: ["\(query.typed.name) \(ShellQuoting.quoted(prefix + guarded))"])
    }
}
