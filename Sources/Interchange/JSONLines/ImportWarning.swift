public import Diagnostics

/// What was asked of the lines of a log that they do not answer, or answer several times.
public enum ImportWarning: Error, Sendable, Equatable {
    /// A query gives several outputs on some lines, of which the first was taken.
    case several(option: String, lines: Int, first: Int)
    /// What a query gives was not read on some lines, which are in the journal without it.
    case unread(option: String, lines: Int, first: Int, ImportFault)
    /// A query gives nothing on any line, or a condition holds of none.
    case nothing(option: String, lines: Int, Missing?)

    /// A path that no line has.
    public struct Missing: Sendable, Equatable {
        /// The path.
        public var path: [String]
        /// How much of it is there.
        public var depth: Int
        /// What else stands where it ends.
        public var names: [String]
    }

    /// The options that only some lines answer: logs without a mark, a cause or a certain value are as healthy as others.
    private static let occasional: Set<String> = [
        "--state", "--before", "--set", "--patch", "--merge", "--cause", "--mark", "--close", "--action", "--trace",
        "--span",
    ]

    /// Whether the journal may answer otherwise than the log: a time or a name that every line should have stands on none.
    public var leavesDoubt: Bool {
        switch self {
        case .several: false
        case .unread: true
        case .nothing(let option, _, _): !Self.occasional.contains(option)
        }
    }

    /// Whether it shows a mistake: an option that only some lines answer may be silent, unless it reads what stands nowhere.
    var isWorthSaying: Bool {
        if case .nothing(_, _, nil) = self { return leavesDoubt }
        return true
    }
}

extension ImportWarning: DiagnosticConvertible {
    /// The warning in words.
    public var diagnostic: Diagnostic {
        switch self {
        case .several(let option, let lines, let first):
            Diagnostic(
                .warning, code: "import.several-outputs",
                "'\(option)' gives several outputs on \(counted(lines, "line")), the first of them line \(first)",
                notes: ["of each line the first output was taken, the others are not in the journal"],
                help: ["'--each QUERY' makes a record of each of its outputs"])
        case .unread(let option, let lines, let first, let fault):
            Diagnostic(
                .warning, code: "import.unread",
                "'\(option)' is not read of \(counted(lines, "line")), the first of them line \(first)",
                notes: [
                    fault.sentence,
                    lines == 1 ? "that line is in the journal without it" : "those lines are in the journal without it",
                ])
        case .nothing(let option, let lines, let missing):
            Diagnostic(
                .warning, code: "import.no-output",
                "'\(option)' \(option == "--where" ? "holds of none" : "gives nothing on any") of \(counted(lines, "line"))",
                notes: missing.map { ["'\(LineSuggestion.text($0.path))' is on no line"] } ?? [],
                help: missing.map(Self.help) ?? [])
        }
    }

    private static let namesShown = 8

    private static func help(_ missing: Missing) -> [String] {
        guard missing.depth < missing.path.count, !missing.names.isEmpty else { return [] }
        let above = Array(missing.path.prefix(missing.depth))
        if let near = SimilarNames.nearest(to: missing.path[missing.depth], in: missing.names).first {
            return ["write '\(LineSuggestion.text(above + [near] + missing.path.dropFirst(missing.depth + 1)))'"]
        }
        let names = missing.names.prefix(namesShown).map { "'\(LineSuggestion.text(above + [$0]))'" }
        return ["there is " + names.joined(separator: ", ") + (missing.names.count > namesShown ? ", …" : "")]
    }
}
