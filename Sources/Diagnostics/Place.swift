/// Where a problem is: in a file that may be too large to show, or in a text that a person typed.
public enum Place: Sendable, Equatable {
    /// A range of a file; `line` counts from 1, `byte` from 0, `length` is in bytes.
    case file(path: String, line: Int?, byte: Int?, length: Int?)
    /// Marked ranges of a text that is shown whole, with carets below.
    case source(SourceExcerpt)
}

/// A text as a person typed it, with the ranges that a message speaks of.
public struct SourceExcerpt: Sendable, Equatable {
    /// A marked range of the text.
    public struct Mark: Sendable, Equatable {
        /// UTF-8 offsets into the text; an empty range marks the place before that byte.
        public var range: Range<Int>
        /// What is said below the carets, if anything.
        public var label: String?

        /// Marks a range, with an optional label.
        public init(_ range: Range<Int>, _ label: String? = nil) {
            self.range = range
            self.label = label
        }
    }

    /// What the text is called in the message: `query`, `--at`, a file's path.
    public var name: String
    /// The whole text.
    public var text: String
    /// The marked ranges; the first is where the problem is, the others explain it.
    public var marks: [Mark]
    /// What follows the position in the message, as `, at commit 37`.
    public var suffix: String?

    /// Creates an excerpt of the text called `name`.
    public init(name: String, text: String, marks: [Mark], suffix: String? = nil) {
        self.name = name
        self.text = text
        self.marks = marks
        self.suffix = suffix
    }

    /// The line and column, both from 1, of a UTF-8 offset in the text; columns count Unicode scalars.
    ///
    /// An offset past the end is taken as the end.
    ///
    /// - Complexity: O(*n*) in the length of the text.
    public func lineAndColumn(of offset: Int) -> (line: Int, column: Int) {
        var line = 1
        var column = 1
        for byte in text.utf8.prefix(max(0, offset)) {
            if byte == UInt8(ascii: "\n") {
                line += 1
                column = 1
            } else if byte & 0xC0 != 0x80 {
                column += 1
            }
        }
        return (line, column)
    }
}
