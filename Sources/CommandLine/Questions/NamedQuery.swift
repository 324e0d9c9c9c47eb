import JSONCore

/// `NAME=QUERY` as it is typed after an option, taken apart: what `--invariant` and `--define` take.
package struct NamedQuery {
    /// The name: a letter or `_`, then letters, digits and `_`.
    package let name: String
    package let query: String

    /// Takes a text apart.
    ///
    /// A name is an identifier of the query language, so that a query without one is not cut at the `=` of its `>=`.
    package init(
        parsing text: String, of option: Option, example: String, taken: [String]
    ) throws(UsageError) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard Self.isNamed(text) else {
            throw .value(option, text, expected: "a name and a query, such as '\(example)'")
        }
        guard parts[1].contains(where: { !$0.isWhitespace }) else {
            throw .value(option, text, expected: "a query after the '=', such as '\(example)'")
        }
        name = String(parts[0])
        query = String(parts[1])
        if taken.contains(name) {
            throw .value(option, text, expected: "a name that is new: '\(name)' was given before")
        }
    }

    /// Whether a text has a name before its query; the first sign of `total==1` compares.
    package static func isNamed(_ text: String) -> Bool {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        return parts.count == 2 && isIdentifier(parts[0]) && !UTF8Order.begins(parts[1], with: "=")
    }

    private static func isIdentifier(_ text: Substring) -> Bool {
        guard let first = text.utf8.first, !isDigit(first) else { return false }
        return text.utf8.allSatisfy { isDigit($0) || isLetter($0) }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    private static func isLetter(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "_") || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }
}
