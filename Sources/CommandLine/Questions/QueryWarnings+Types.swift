package import Diagnostics
package import JSONCore
package import QueryLanguage

extension QueryWarnings {
    package func types(in query: Query, _ states: [JSONValue]) -> [Diagnostic] {
        let compared = query.comparisons.compactMap { comparison -> Diagnostic? in
            let (left, right) = (Self.kinds(of: comparison.left, states), Self.kinds(of: comparison.right, states))
            // The least of them: a set's first is another one in each run.
            guard left.isDisjoint(with: right), let first = left.min(), let second = right.min() else { return nil }
            return Self.warning(of: comparison, first, second, in: query)
        }
        return compared.isEmpty ? value(of: query, states) : compared
    }

    private static func kinds(of side: Comparison.Side, _ states: [JSONValue]) -> Set<ValueKind> {
        switch side {
        case .value(let value): [ValueKind(value)]
        // What is not there is another trap: it has no type.
        case .path(let path): Set(MetPaths.values(at: path, in: states).map { ValueKind($0) }).subtracting([.null])
        }
    }

    private static func warning(
        of comparison: Comparison, _ left: ValueKind, _ right: ValueKind, in query: Query
    ) -> Diagnostic {
        let text = Array(query.text.utf8)
        func part(_ range: Range<Int>) -> String { String(decoding: text[range], as: UTF8.self) }
        func written(_ range: Range<Int>, as other: String) -> String {
            String(decoding: text[..<range.lowerBound] + Array(other.utf8) + text[range.upperBound...], as: UTF8.self)
        }
        var help: [String] = []
        for (side, range, kind, other) in [
            (comparison.left, comparison.leftRange, left, right),
            (comparison.right, comparison.rightRange, right, left),
        ] {
            if case .value(.string(let literal)) = side, other == .number, let number = try? JSONParser.parse(literal),
                number.number != nil
            {
                help.append("write '\(written(range, as: literal))'")
            }
            if case .path = side, [.array, .object].contains(kind), other == .number {
                help.append("write '\(written(range, as: "(\(part(range)) | length)"))'")
            }
        }
        let (least, most) = left < right ? (left, right) : (right, left)
        return Diagnostic(
            .warning, code: "query.types",
            "'\(part(comparison.range))' compares \(left.words) with \(right.words)",
            place: place(in: query, marking: comparison.range, "two types"),
            notes: [
                comparison.isOrder
                    ? "every \(least.rawValue) is less than every \(most.rawValue)"
                    : "no \(left.rawValue) equals any \(right.rawValue)"
            ], help: help)
    }

    /// A warning of a condition that gives no boolean: all but false and null count as true.
    private func value(of query: Query, _ states: [JSONValue]) -> [Diagnostic] {
        guard query.givesValue, !query.footprint.usesOld, !query.footprint.usesCommit, !states.isEmpty else {
            return []
        }
        let kinds = states.map { state in (try? query.first(of: state)).flatMap { $0 }.map { ValueKind($0) } ?? .null }
        guard let kind = kinds.first, kinds.allSatisfy({ $0 != .null && $0 != .boolean }) else { return [] }
        return [
            Diagnostic(
                .warning, code: "query.no-condition",
                "'\(query.text)' gives \(kind.words), which always counts as true",
                place: Self.place(in: query, marking: 0..<query.text.utf8.count, "no comparison"),
                notes: ["all but false and null count as true"], help: ["compare it, as with '<' or '=='"])
        ]
    }
}

/// The types of values, in the order in which the query language sorts them.
enum ValueKind: String, Comparable {
    case null, boolean, number, text, array, object

    init(_ value: JSONValue) {
        self =
            switch value {
            case .null: .null
            case .bool: .boolean
            case .number: .number
            case .string: .text
            case .array: .array
            case .object: .object
            }
    }

    var words: String { (self == .array || self == .object ? "an " : "a ") + rawValue }

    private var order: Int {
        switch self {
        case .null: 0
        case .boolean: 1
        case .number: 2
        case .text: 3
        case .array: 4
        case .object: 5
        }
    }

    static func < (left: ValueKind, right: ValueKind) -> Bool { left.order < right.order }
}
