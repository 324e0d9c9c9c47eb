/// How many columns of a terminal a text takes.
///
/// A simplification of Unicode Annex 11: combining marks and formats take none, wide East Asian ranges and pictographs
/// two, everything else one. That is what terminals do with nearly all text.
package enum DisplayWidth {
    /// The columns of a text; the colours that a `Style` put around its parts take none.
    ///
    /// - Complexity: O(n).
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

    /// A coloured line, cut to at most `width` columns; nil leaves it as it is.
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

    /// The text, cut to at most `width` columns, with `…` where something was left out.
    package static func shortened(_ text: String, to width: Int) -> String {
        guard of(text) > width else { return text }
        var result = ""
        var used = 0
        for scalar in text.unicodeScalars {
            let columns = of(scalar)
            guard used + columns <= max(0, width - 1) else { break }
            result.unicodeScalars.append(scalar)
            used += columns
        }
        return result + "…"
    }

    package static func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - of(text)))
    }
}
