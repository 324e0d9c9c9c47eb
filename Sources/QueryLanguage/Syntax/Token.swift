/// UTF-8 offsets into a program's text.
package typealias SourceRange = Range<Int>

/// One lexical element of a program.
struct Token: Equatable {
    enum Kind: Equatable {
        /// A punctuation mark or an operator, as written.
        case mark(String)
        /// A reserved word.
        case keyword(String)
        /// A name, possibly with a module prefix (`a::b`).
        case name(String)
        /// `.name`, without the dot.
        case field(String)
        /// `$name`, without the dollar.
        case variable(String)
        /// `@name`, with the at sign.
        case format(String)
        /// A number as written.
        case number(String)
        /// The opening quote of a string; its text is read with `Lexer.stringPart`.
        case quote
        case end
    }

    var kind: Kind
    var range: SourceRange

    /// Words that cannot name a function or a variable without a dollar.
    static let keywords: Set<String> = [
        "def", "if", "then", "elif", "else", "end", "as", "reduce", "foreach", "try", "catch", "label", "import",
        "include", "and", "or", "module", "__loc__",
    ]

    /// Whether this is the given punctuation mark.
    func isMark(_ text: String) -> Bool { kind == .mark(text) }

    /// Whether this is the given reserved word.
    func isKeyword(_ text: String) -> Bool { kind == .keyword(text) }

    /// Whether a term can end with it.
    var endsTerm: Bool {
        switch kind {
        case .name, .field, .variable, .number, .mark("."), .mark(")"), .mark("]"), .mark("}"): true
        default: false
        }
    }

    /// What the token is called in a message.
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
