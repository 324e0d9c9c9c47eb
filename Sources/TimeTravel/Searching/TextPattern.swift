import JSONCore
package import QueryLanguage

/// What is looked for in a run: a text, byte for byte, or a regular expression of the query language.
package struct TextPattern: Sendable {
    private enum Matcher {
        case text(AhoCorasick, lines: AhoCorasick)
        case expression(String, test: Query?)
    }

    private let form: Matcher
    private let ignoresCase: Bool

    /// The empty text is nowhere; `ignoringCase` lets small letters stand for capitals too, as Unicode maps them.
    package init(_ text: String, ignoringCase: Bool = false) {
        let bytes = Array((ignoringCase ? text.lowercased() : text).utf8)
        // In a pointer a member's name has its slashes and tildes escaped.
        let escapes = text.utf8.contains { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "~") } ? ["~0", "~1"] : []
        let hiding = ([#"\"#, #""copy""#] + escapes).map { Array($0.utf8) }
        form = .text(AhoCorasick([bytes]), lines: AhoCorasick([bytes] + hiding))
        ignoresCase = ignoringCase
    }

    package init(expression: String, ignoringCase: Bool = false) throws(QueryError) {
        // Constant, so it compiles.
        let test = try? Query(". as [$text, $expression, $flags] | $text | test($expression; $flags)")
        form = .expression(expression, test: test)
        ignoresCase = ignoringCase
        _ = try matches("")
    }

    /// - Throws: where an expression needs too many steps on the text.
    /// - Complexity: O(n) of a text, that of the search of an expression.
    package func matches(_ text: String) throws(QueryError) -> Bool {
        switch form {
        case .text(let search, _):
            return (ignoresCase ? text.lowercased() : text).withBytes { search.isAny(in: $0) }
        case .expression(let expression, let test):
            let input = JSONValue.array([text, expression, ignoresCase ? "i" : ""].map(JSONValue.string))
            return try test?.first(of: input) == .bool(true)
        }
    }

    /// Whether a line may bring the text in, as it is, written with an escape or copied; false is certain.
    func mayStand(in line: ByteView) -> Bool {
        guard case .text(_, let lines) = form, !ignoresCase else { return true }
        return lines.isAny(in: line)
    }
}

extension JSONValue {
    /// Passes the names of members, strings and numbers to a closure, in document order, each with its path; a name has no value.
    func forEachText(_ body: (_ text: String, _ value: JSONValue?, _ path: [String]) -> Void) {
        var path: [String] = []
        func visit(_ value: JSONValue, at segment: String, isMember: Bool) {
            path.append(segment)
            defer { path.removeLast() }
            if isMember { body(segment, nil, path) }
            visit(value)
        }
        func visit(_ value: JSONValue) {
            switch value {
            case .object(let members): for (name, member) in members { visit(member, at: name, isMember: true) }
            case .array(let elements):
                for (index, element) in elements.enumerated() { visit(element, at: String(index), isMember: false) }
            case .string(let text): body(text, value, path)
            case .number(let number): body(number.text, value, path)
            case .null, .bool: break
            }
        }
        visit(self)
    }
}
