import JSONCore
package import QueryLanguage

/// What is looked for in a run: a text, byte for byte, or a regular expression of the query language.
package struct TextPattern: Sendable {
    private enum Form {
        /// - Parameter lines: finds the text, or what hides it, in a line of a journal.
        case text(AhoCorasick, lines: AhoCorasick)
        /// - Parameter test: takes the text, the expression and its flags.
        case expression(String, test: Query?)
    }

    private let form: Form
    private let ignoresCase: Bool

    /// A text; the empty one is nowhere.
    ///
    /// - Parameter ignoringCase: whether small letters stand for capitals too, as Unicode maps them.
    package init(_ text: String, ignoringCase: Bool = false) {
        let bytes = Array((ignoringCase ? text.lowercased() : text).utf8)
        // In a pointer a member's name has its slashes and tildes escaped.
        let escapes = text.utf8.contains { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "~") } ? ["~0", "~1"] : []
        let hiding = ([#"\"#, #""copy""#] + escapes).map { Array($0.utf8) }
        form = .text(AhoCorasick([bytes]), lines: AhoCorasick([bytes] + hiding))
        ignoresCase = ignoringCase
    }

    /// A regular expression.
    ///
    /// - Throws: what is wrong with it.
    package init(expression: String, ignoringCase: Bool = false) throws(QueryError) {
        form = .expression(expression, test: Self.test())
        ignoresCase = ignoringCase
        _ = try matches("")
    }

    /// Whether a text has it.
    ///
    /// - Throws: where an expression needs too many steps on the text.
    /// - Complexity: O(n) of a text, that of the search of an expression.
    package func matches(_ text: String) throws(QueryError) -> Bool {
        switch form {
        case .text(let search, _): return Self.has(search, ignoresCase ? text.lowercased() : text)
        case .expression(let expression, let test):
            let input = JSONValue.array([text, expression, ignoresCase ? "i" : ""].map(JSONValue.string))
            return try test?.first(of: input) == .bool(true)
        }
    }

    /// Whether a line of a journal may bring the text in; false is certain.
    ///
    /// It stands there as it is, or is written with an escape, or copied from another place.
    func mayStand(in line: ByteView) -> Bool {
        guard case .text(_, let lines) = form, !ignoresCase else { return true }
        return lines.isAny(in: line)
    }

    private static func has(_ search: AhoCorasick, _ text: String) -> Bool {
        text.withBytes { search.isAny(in: $0) }
    }

    /// Constant, so it compiles.
    private static func test() -> Query? {
        try? Query(". as [$text, $expression, $flags] | $text | test($expression; $flags)")
    }
}
