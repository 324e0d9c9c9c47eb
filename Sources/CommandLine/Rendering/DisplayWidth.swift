import JSONCore
package import Platform

/// How many columns of a terminal a text takes.
///
/// A simplification of Unicode Annex 11: combining marks and formats take none, wide East Asian ranges and pictographs
/// two, everything else one. That is what terminals do with nearly all text.
package enum DisplayWidth {
    /// The columns of a text; the colours that a `Style` put around its parts take none.
    package static func of(_ text: String) -> Int {
        if text.utf8.allSatisfy({ $0 < 0x80 && $0 != escape }) { return text.utf8.count }
        var columns = 0
        var isColor = false
        for scalar in text.unicodeScalars {
            if isColor {
                isColor = scalar != "m"
            } else if scalar.value == UInt32(escape) {
                isColor = true
            } else {
                columns += of(scalar)
            }
        }
        return columns
    }

    /// What a colour begins with; text of a journal is escaped before it gets here and has none.
    private static let escape: UInt8 = 0x1B

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

    /// A text or a coloured line, cut to at most `width` columns with `…` where something was left out; nil leaves it as it is.
    package static func clipped(_ line: String, to width: Int?) -> String {
        guard let width, of(line) > width else { return line }
        var result = ""
        var used = 0
        var isColor = false
        for scalar in line.unicodeScalars {
            if scalar.value == UInt32(escape) { isColor = true }
            let columns = isColor ? 0 : of(scalar)
            guard used + columns <= max(0, width - 1) else { break }
            result.unicodeScalars.append(scalar)
            used += columns
            if isColor { isColor = scalar != "m" }
        }
        return result + (result.utf8.contains(escape) ? "\u{1B}[0m…" : "…")
    }

    /// A coloured line, cut to at most `width` columns, with its size where something was left out.
    package static func cut(_ line: String, to width: Int) -> String {
        guard line.utf8.count > width, of(line) > width else { return line }
        let size = " (" + Progress.size(Double(line.utf8.count)) + ")"
        return clipped(line, to: width - size.utf8.count) + size
    }

    package static func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - of(text)))
    }
}

/// A line for people, broken at its spaces to what a screen has.
///
/// Further lines begin in the column of the text after the line's label. A word that is wider than the screen is broken
/// at the edge of the screen. A command is left whole, so that it can be pasted: the terminal breaks it itself.
struct WrappedLine {
    /// How many lines of an answer that has to fit one line may become.
    static let mostFitted = 3

    private let width: Int
    private let margin: Int
    private(set) var lines: [String] = []
    private var line = ""
    private var used = 0
    /// What the colour is that the next text has; empty for none.
    private var color = ""

    /// The lines of a coloured line on a screen of `width` columns; nil leaves it as it is.
    static func lines(_ text: String, width: Int?) -> [String] {
        guard let width, width > 0, DisplayWidth.of(text) > width else { return [text] }
        let margin = Self.margin(of: text, width)
        if isCommand(text) { return [text] }
        var wrapped = WrappedLine(width: width, margin: margin)
        wrapped.take(text)
        return wrapped.lines
    }

    /// Whether a line is a command that an answer suggests.
    static func isCommand(_ text: String) -> Bool {
        let words = plain(text).drop { $0 == " " }
        return UTF8Order.begins(words, with: "state-inspect ") || UTF8Order.begins(words, with: Advice.label)
    }

    private init(width: Int, margin: Int) {
        (self.width, self.margin) = (width, margin)
    }

    private mutating func take(_ text: String) {
        var spaces = 0
        var isFirst = true
        for word in text.split(separator: " ", omittingEmptySubsequences: false) {
            // An empty part is one more space.
            if !isFirst { spaces += 1 }
            isFirst = false
            guard !word.isEmpty else { continue }
            let columns = DisplayWidth.of(String(word))
            if used + spaces + columns > width, used > margin {
                end()
            } else {
                add(String(repeating: " ", count: spaces))
            }
            spaces = 0
            add(word)
        }
        lines.append(line)
    }

    /// Adds text, and goes on below where the screen ends.
    private mutating func add(_ text: some StringProtocol) {
        var sequence = ""
        for scalar in text.unicodeScalars {
            if !sequence.isEmpty || scalar == "\u{1B}" {
                sequence.unicodeScalars.append(scalar)
                guard scalar == "m" else { continue }
                line += sequence
                color = sequence == "\u{1B}[0m" ? "" : color + sequence
                sequence = ""
                continue
            }
            let columns = DisplayWidth.of(scalar)
            if used + columns > width { end() }
            line.unicodeScalars.append(scalar)
            used += columns
        }
    }

    private mutating func end() {
        lines.append(line + (color.isEmpty ? "" : "\u{1B}[0m"))
        line = String(repeating: " ", count: margin) + color
        used = margin
    }

    /// Where the second line begins: below the text after a label, else a little to the right of the first line's
    /// margin.
    private static func margin(of text: String, _ width: Int) -> Int {
        let text = plain(text)
        let front = text.prefix { $0 == " " }.count
        var (column, spaces) = (0, 0)
        for character in text.prefix(width / 3) {
            if character != " ", spaces > 1, column > front { return column }
            spaces = character == " " ? spaces + 1 : 0
            column += 1
        }
        return min(front + 2, width / 3)
    }

    private static func plain(_ text: String) -> String {
        var result = ""
        var isColor = false
        for scalar in text.unicodeScalars {
            if scalar == "\u{1B}" { isColor = true }
            if !isColor { result.unicodeScalars.append(scalar) }
            if isColor { isColor = scalar != "m" }
        }
        return result
    }
}

extension CommandContext {
    /// Writes a line for people; what is wider than their screen goes on below.
    package func writeText(_ line: String) throws(OutputError) {
        // Where room is short a line has no more than a few below it.
        let line =
            output.fit == nil || WrappedLine.isCommand(line)
            ? line : DisplayWidth.cut(line, to: WrappedLine.mostFitted * AnswerFit.columns)
        for part in WrappedLine.lines(line, width: terminal.width) { try output.writeLine(part) }
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
