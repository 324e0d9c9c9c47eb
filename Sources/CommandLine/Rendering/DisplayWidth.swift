import Diagnostics
import JSONCore
package import Platform

/// A simplification of Unicode Annex 11: combining marks and formats take none, wide East Asian ranges and pictographs
/// two columns, everything else one.
///
/// That is what terminals do with nearly all text.
package enum DisplayWidth {
    package static func of(_ text: String) -> Int {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
        return text.unicodeScalars.reduce(0) { $0 + of($1) }
    }

    package static func of(_ scalar: Unicode.Scalar) -> Int {
        guard scalar.value >= 0x300 else { return 1 }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: return wide.contains { $0.contains(scalar.value) } ? 2 : 1
        }
    }

    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
        0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1F6FF, 0x1F900...0x1F9FF, 0x20000...0x3FFFD,
    ]

    /// The text, cut in its middle to at most `width` columns: the end of a path or a place says most.
    package static func shortenedInMiddle(_ text: String, to width: Int) -> String {
        guard of(text) > width else { return text }
        var (front, back) = ("", "")
        var used = 0
        for scalar in text.unicodeScalars.reversed() {
            let columns = of(scalar)
            guard used + columns <= max(0, (width - 1) * 2 / 3) else { break }
            back.unicodeScalars.append(scalar)
            used += columns
        }
        for scalar in text.unicodeScalars {
            let columns = of(scalar)
            guard used + columns <= max(0, width - 1) else { break }
            front.unicodeScalars.append(scalar)
            used += columns
        }
        return front + "…" + String(String.UnicodeScalarView(back.unicodeScalars.reversed()))
    }

    /// Cut with `…` where something was left out; nil leaves the text as it is.
    package static func clipped(_ text: String, to width: Int?) -> String {
        guard let width, of(text) > width else { return text }
        return prefix(text, columns: max(0, width - 1)) + "…"
    }

    static func prefix(_ text: String, columns: Int) -> String {
        var (used, part) = (0, String.UnicodeScalarView())
        for scalar in text.unicodeScalars {
            used += of(scalar)
            guard used <= columns else { break }
            part.append(scalar)
        }
        return String(part)
    }

    package static func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - of(text)))
    }
}

extension String {
    /// Nil keeps a scalar.
    package func replacingScalars(_ replacement: (Unicode.Scalar) -> String?) -> String {
        unicodeScalars.reduce(into: "") { text, scalar in
            if let part = replacement(scalar) { text += part } else { text.unicodeScalars.append(scalar) }
        }
    }
}

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
        return text.replacingScalars { $0.isASCII ? nil : signs[$0] ?? ControlCharacters.escape($0) }
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
