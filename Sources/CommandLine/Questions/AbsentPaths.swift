package import Diagnostics
package import JSONCore
import JournalFormat
import QueryLanguage

/// In jq `null < 0` is true, so a query about what is not there may hold; the guarded query does not.
package struct AbsentPaths {
    private let query: ScopedQuery
    private let isBad: Bool
    private let scope: StoreScope
    /// What stands before the query in its option, as `total=`.
    private let prefix: String
    private let part: JSONValue
    /// Paths at which nothing is, and containers in which there is nothing to match what the query reads of them.
    private var missing: [JSONPointer] = []
    private var empty: [JSONPointer] = []
    /// Paths that are compared by order where null is there, or in an element of which they are not there.
    private var nulls: [[String]] = []

    package init(of query: ScopedQuery, isBad: Bool, in state: JSONValue, _ scope: StoreScope, prefix: String = "") {
        (self.query, self.isBad, self.scope, self.prefix) = (query, isBad, scope, prefix)
        part = scope.part(of: state)
        for pattern in query.footprint.paths.patterns {
            guard let path = try? JSONPointer(parsing: pattern), !path.segments.isEmpty else { continue }
            look(up: path, in: state)
        }
        let known = missing.map { scope.shown($0).segments }
        for comparison in query.typed.comparisons where comparison.isOrder {
            for path in comparison.paths where !known.contains(path) && !nulls.contains(path) {
                if Self.hasNull(at: path[...], in: part, isInElement: false) { nulls.append(path) }
            }
        }
    }

    /// Whether null is at a path, or something in an array or an object lacks the rest of it.
    private static func hasNull(at path: ArraySlice<String>, in value: JSONValue, isInElement: Bool) -> Bool {
        guard let first = path.first else { return value == .null }
        let rest = path.dropFirst()
        if UTF8Order.equal(first, "*") {
            switch value {
            case .array(let elements): return elements.contains { hasNull(at: rest, in: $0, isInElement: true) }
            case .object(let members): return members.contains { hasNull(at: rest, in: $0.value, isInElement: true) }
            default: return false
            }
        }
        guard let part = JSONPointer([first]).value(in: value) else { return isInElement && value.object != nil }
        return hasNull(at: rest, in: part, isInElement: isInElement)
    }

    private mutating func look(up path: JSONPointer, in state: JSONValue) {
        // A query that compares it with null, or has an alternative, asks about that.
        if query.typed.mayLackAbove(scope.shown(path).segments) { return }
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

    package var warnings: [Diagnostic] {
        missing.map { path in
            let place = JQPath.text(of: scope.shown(path), in: part)
            return warning(
                "'\(scope.shown(path).text)' is not there in the first bad state, so the answer may be about that",
                isBad ? "\(place) != null and (\(query.typed.text))" : "\(place) == null or (\(query.typed.text))")
        }
            + empty.map { path in
                let place = JQPath.text(of: scope.shown(path), in: part)
                return warning(
                    "'\(scope.shown(path).text)' is empty in the first bad state, so the answer may be about that",
                    isBad
                        ? "(\(place) | length) > 0 and (\(query.typed.text))"
                        : "(\(place) | length) == 0 or (\(query.typed.text))")
            }
            + nulls.map { path in
                let message =
                    "'\(JSONPointer(path).text)' is null in the first bad state, so the answer may be about that"
                guard !path.contains("*") else { return warning(message, nil) }
                let place = JQPath.text(of: JSONPointer(path), in: part)
                return warning(
                    message,
                    isBad ? "\(place) != null and (\(query.typed.text))" : "\(place) == null or (\(query.typed.text))")
            }
    }

    private func warning(_ message: String, _ guarded: String?) -> Diagnostic {
        Diagnostic(
            .warning, code: "query.absent-path", message,
            notes: ["a path that is not there is null, and in jq null is less than every number"],
            help: guarded.map { [suggestion(prefix + $0)] } ?? ["'values' leaves out what is null"])
    }

    /// The query as it is to be typed: after its option, or in the debugger, where nothing is quoted.
    private func suggestion(_ text: String) -> String {
        UTF8Order.begins(query.typed.name, with: "--")
            ? "\(query.typed.name) \(ShellQuoting.quoted(text))" : "ask '\(text)'"
    }
}
