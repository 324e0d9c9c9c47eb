public import Diagnostics

/// Why a text is not a JSON Pointer.
public struct JSONPointerError: Error, Sendable, Equatable {
    /// What is wrong with it.
    public enum Fact: Sendable, Equatable {
        /// The text is not empty and does not begin with `/`.
        case missingSlash
        /// A `~` that neither `0` nor `1` follows.
        case badEscape
    }

    /// The text as it was given.
    public var text: String
    /// What is wrong with it.
    public var fact: Fact
    /// Where, in UTF-8 bytes from its start.
    public var offset: Int

    /// Creates the error from its facts.
    public init(text: String, fact: Fact, offset: Int) {
        self.text = text
        self.fact = fact
        self.offset = offset
    }
}

extension JSONPointerError: DiagnosticConvertible {
    /// The error with the text, marked where it goes wrong.
    public var diagnostic: Diagnostic {
        let message: String
        let help: String
        switch fact {
        case .missingSlash:
            message = "the path '\(text)' does not begin with '/'"
            help = "write '/\(text)', or an empty text for the whole value"
        case .badEscape:
            message = "'~' in the path '\(text)' is followed by neither '0' nor '1'"
            help = "write '~0' for '~' and '~1' for '/' in a name"
        }
        let mark = SourceExcerpt.Mark(offset..<min(offset + 1, text.utf8.count))
        return Diagnostic(
            code: "pointer.syntax", message, place: .source(SourceExcerpt(name: "path", text: text, marks: [mark])),
            help: [help])
    }
}
