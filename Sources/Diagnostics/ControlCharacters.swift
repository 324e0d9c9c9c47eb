/// Makes text from an untrusted source safe to show: a journal must not move the cursor, recolour the terminal, forge a
/// second line or reorder what is read.
public enum ControlCharacters {
    /// The text with every control, line-separating and bidirectional formatting character written as an escape.
    ///
    /// Line feed, carriage return and tab become `\n`, `\r` and `\t`, every other one `\u001b` and the like. The result is
    /// one line.
    ///
    /// - Complexity: O(*n*); a text without such characters is returned as it is.
    public static func escaped(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isUnsafe) else { return text }
        var result = ""
        result.reserveCapacity(text.utf8.count + 16)
        for scalar in text.unicodeScalars {
            if isUnsafe(scalar) {
                result += escape(scalar)
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// Whether a scalar can act on a terminal or on the order in which text is read.
    public static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x00...0x1F, 0x7F...0x9F: true  // C0, DEL and C1 controls
        case 0x2028, 0x2029: true  // line and paragraph separators
        // Bidirectional marks: Boucher and Anderson, "Trojan Source: Invisible Vulnerabilities", 2021.
        case 0x200E, 0x200F, 0x061C, 0x202A...0x202E, 0x2066...0x2069: true
        case 0xFEFF: true  // a byte order mark is invisible
        default: false
        }
    }

    private static func escape(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\n": return "\\n"
        case "\r": return "\\r"
        case "\t": return "\\t"
        default:
            let digits = String(scalar.value, radix: 16)
            return "\\u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
        }
    }
}
