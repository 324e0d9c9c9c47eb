public import Diagnostics

/// Everything that is wrong with the text of a query.
public struct QuerySyntaxErrors: Error, Sendable, Equatable {
    /// The text.
    public let text: String
    /// What it is called in messages.
    public let name: String
    let problems: [SyntaxProblem]

    init(text: String, name: String, problems: [SyntaxProblem]) {
        self.text = text
        self.name = name
        self.problems = problems
    }

    /// The problems, each with its place in the text, in the order of the text.
    public var diagnostics: [Diagnostic] {
        problems.sorted { $0.range.lowerBound < $1.range.lowerBound }.map {
            $0.diagnostic(text: text, name: name)
        }
    }

    /// The definitions that a word of the language names, with the texts of their bodies where those can be read.
    public var reservedNames: [(name: String, body: String?)] {
        problems.compactMap { problem in
            guard case .reservedName(let word, let body) = problem.fact else { return nil }
            let bytes = Array(text.utf8)
            return (word, body.map { String(decoding: bytes[$0.clamped(to: bytes.indices)], as: UTF8.self) })
        }
    }
}

extension QuerySyntaxErrors: DiagnosticConvertible {
    /// The first problem.
    public var diagnostic: Diagnostic {
        diagnostics.first ?? Diagnostic(code: "query.syntax", "the query does not parse")
    }
}

/// One thing that is wrong with a program's text, as facts.
struct SyntaxProblem: Error, Equatable {
    enum Fact: Equatable {
        case unexpected(String, expected: String)
        case unclosed(String, opened: SourceRange, closer: String)
        case mismatched(opener: String, opened: SourceRange, closer: String, found: String)
        case unclosedString
        case unknownCharacter(String)
        case unknownEscape(String)
        case singleQuotes
        case foreignOperator(String, help: String)
        case assignmentInCondition
        case undefinedFunction(name: String, arity: Int, otherArities: [Int], similar: [String], places: [String])
        /// `.foo-bar`, which subtracts `bar` from `.foo`.
        case hyphenatedMember(String, function: String)
        /// `.items.map(…)`.
        case methodCall(String)
        /// `a ? b : c`.
        case ternary
        /// `.a not`: the function stands where an operator is expected.
        case missingPipe(String)
        case undefinedVariable(String, similar: [String])
        case undefinedLabel(String)
        /// `def label: …;`, with the place of its body where that can be read.
        case reservedName(String, body: SourceRange?)
        case leftOut(String, reason: String)
        case unknownFormat(String, similar: [String])
        case objectKey(kind: String, text: String)
        case objectKeyNeedsParentheses
        case programInDefinitions
        /// Nothing but blanks, comments and definitions.
        case noProgram
        case limit(String)
    }

    var fact: Fact
    var range: SourceRange
}

/// The limits of a program's text.
///
/// Each has a message of its own, so that a text past a limit is refused and does not crash the parser.
package enum SyntaxLimits {
    /// The length of a program in UTF-8 bytes.
    package static let length = 1 << 20
    /// How deep brackets, operators and definitions may be nested.
    package static let depth = 1_000
    /// The most problems that are reported at once.
    package static let problems = 20
    /// The digits of a number literal.
    package static let numberLength = 1_000
}
