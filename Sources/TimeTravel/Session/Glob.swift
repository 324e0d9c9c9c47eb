/// A pattern as shells have it: `*` stands for any text, `?` for one character; everything else is itself.
package struct Glob: Sendable, Equatable {
    /// The pattern as it was typed.
    package let text: String
    private let pattern: [Unicode.Scalar]

    /// The pattern as it is typed.
    package init(_ text: String) {
        self.text = text
        pattern = Array(text.unicodeScalars)
    }

    /// Whether the whole text is like the pattern.
    ///
    /// - Complexity: O(n · m) at worst, for a pattern of m characters and a text of n: on a mismatch only the last `*`
    ///   takes one character more, which is enough (no earlier one could do better).
    package func matches(_ text: String) -> Bool {
        let text = Array(text.unicodeScalars)
        var at = 0
        var next = 0
        var star: (pattern: Int, text: Int)?
        while at < text.count {
            if next < pattern.count, pattern[next] == "*" {
                star = (next, at)
                next += 1
            } else if next < pattern.count, pattern[next] == "?" || pattern[next] == text[at] {
                next += 1
                at += 1
            } else if let last = star {
                star = (last.pattern, last.text + 1)
                next = last.pattern + 1
                at = last.text + 1
            } else {
                return false
            }
        }
        return pattern[next...].allSatisfy { $0 == "*" }
    }
}
