public import Diagnostics

/// UTF-8 offsets into a program's text.
package typealias SourceRange = Range<Int>

struct Token: Equatable {
    enum Lexeme: Equatable {
        case mark(String)
        case keyword(String)
        /// A name, possibly with a module prefix (`a::b`).
        case name(String)
        case field(String)
        case variable(String)
        case format(String)
        case number(String)
        /// The opening quote of a string; its text is read with `Lexer.stringPart`.
        case quote
        case end
    }

    var kind: Lexeme
    var range: SourceRange

    static let keywords: Set<String> = [
        "def", "if", "then", "elif", "else", "end", "as", "reduce", "foreach", "try", "catch", "label", "import",
        "include", "and", "or", "module", "__loc__",
    ]

    func isMark(_ text: String) -> Bool { kind == .mark(text) }

    func isKeyword(_ text: String) -> Bool { kind == .keyword(text) }

    var endsTerm: Bool {
        switch kind {
        case .name, .field, .variable, .number, .mark("."), .mark(")"), .mark("]"), .mark("}"): true
        default: false
        }
    }

    var description: String {
        switch kind {
        case .mark(let text), .keyword(let text), .name(let text), .number(let text), .format(let text): "'\(text)'"
        case .field(let name): "'.\(name)'"
        case .variable(let name): "'$\(name)'"
        case .quote: "a string"
        case .end: "the end of the query"
        }
    }
}

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
        problems.sorted { $0.range.lowerBound < $1.range.lowerBound }.map { $0.diagnostic(text: text, name: name) }
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

struct SyntaxProblem: Error, Equatable {
    enum Mistake: Equatable {
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
        case hyphenatedMember(String, function: String)
        case methodCall(String)
        case ternary
        case missingPipe(String)
        case undefinedVariable(String, similar: [String])
        case undefinedLabel(String)
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

    var fact: Mistake
    var range: SourceRange
}

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
