package import Platform

/// What is written where the locale has no characters outside of ASCII: `LC_ALL=C`, a terminal of another character set.
package enum PlainSigns {
    /// Whether the environment names a locale of another character set than UTF-8; one that names none is no reason to doubt.
    package static func areWanted(_ environment: Environment) -> Bool {
        let names = ["LC_ALL", "LC_CTYPE", "LANG"].compactMap { environment[$0] }
        guard let locale = names.first(where: { !$0.isEmpty })?.lowercased() else { return false }
        if ["c", "posix"].contains(locale) { return true }
        guard let dot = locale.firstIndex(of: ".") else { return false }
        return !["utf8", "utf-8"].contains(locale[locale.index(after: dot)...].prefix { $0 != "@" })
    }

    /// The text in ASCII: signs of this program as what is like them, other characters as JSON escapes them.
    package static func text(_ text: String) -> String {
        guard !text.utf8.allSatisfy({ $0 < 0x80 }) else { return text }
        var plain = ""
        for scalar in text.unicodeScalars {
            if scalar.isASCII {
                plain.unicodeScalars.append(scalar)
            } else if let sign = signs[scalar] {
                plain += sign
            } else {
                for unit in String(scalar).utf16 {
                    let digits = String(unit, radix: 16)
                    plain += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                }
            }
        }
        return plain
    }

    /// One cell of a screen in ASCII, as wide as it was.
    package static func cell(_ text: String) -> String {
        guard let first = text.unicodeScalars.first, !first.isASCII else { return text }
        return signs[first].map { String($0.last ?? "?") } ?? "?"
    }

    private static let signs: [Unicode.Scalar: String] = [
        "→": "->", "←": "<-", "…": "...", "·": "-", "─": "-", "│": "|", "┬": "+", "▶": ">", "▸": ">", "▾": "v",
        "▲": "^",
        "↓": "v", "↑": "^", "◆": "*", "●": "*", "○": "o", "✓": "+", "×": "x", "−": "-", "—": "-", "⏎": "\\n", "⋮": ":",
        "░": ".", "▁": "_", "▂": "_", "▃": "-", "▄": "-", "▅": "=", "▆": "=", "▇": "#", "█": "#", "▏": "|", "▎": "|",
        "▍": "|", "▌": "|", "▋": "#", "▊": "#", "▉": "#", "“": "\"", "”": "\"", "‘": "'", "’": "'",
    ]
}
