/// Makes text from an untrusted source safe to show: a journal must not move the cursor, recolour the terminal, forge a
/// second line, reorder what is read, or hold characters that are invisible.
public enum ControlCharacters {
    /// The text with every character that may not be shown written as an escape.
    ///
    /// Line feed, carriage return and tab become `\n`, `\r` and `\t`, every other one `\u001b` and the like, as in a JSON
    /// string; one beyond U+FFFF becomes two. The result is one line.
    ///
    /// - Complexity: O(*n*); a text without such characters is returned as it is.
    public static func escaped(_ text: String) -> String {
        escaped(text) { scalar in
            switch scalar {
            case "\n": "\\n"
            case "\r": "\\r"
            case "\t": "\\t"
            default: escape(scalar)
            }
        }
    }

    /// JSON, or lines of it, with every character that may not be shown written as an escape; its lines stay lines.
    ///
    /// The value is the same: between strings such characters are no JSON.
    public static func escapedJSON(_ text: String) -> String {
        escaped(text) { $0 == "\n" || $0 == "\t" ? nil : escape($0) }
    }

    /// Whether a scalar may not be shown by itself: it acts on a terminal, on the lines or on the order in which text is
    /// read, or it is invisible (Unicode Standard Annex 44: default ignorable code points, formats, noncharacters).
    public static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.value < 0x7F { return scalar.value < 0x20 }
        if scalar.value < 0xA0 { return true }
        // The blank of Braille looks like a space, and is none to any program.
        if scalar.value == 0x2800 { return true }
        let properties = scalar.properties
        if properties.isDefaultIgnorableCodePoint || properties.isNoncharacterCodePoint { return true }
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: return true
        default: return false
        }
    }

    private static func escaped(_ text: String, _ replacement: (Unicode.Scalar) -> String?) -> String {
        if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text }
        var result = ""
        result.reserveCapacity(text.utf8.count + 16)
        var last: Unicode.Scalar?
        var rest = text.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            if isUnsafe(scalar), !belongs(scalar, after: last, before: rest.first), let escape = replacement(scalar) {
                result += escape
                last = nil
            } else {
                result.unicodeScalars.append(scalar)
                last = scalar
            }
        }
        return result
    }

    /// Whether an invisible scalar is part of the character before it: what chooses between text and pictures, and what
    /// joins two pictures into one.
    private static func belongs(
        _ scalar: Unicode.Scalar, after last: Unicode.Scalar?, before next: Unicode.Scalar?
    ) -> Bool {
        guard let last else { return false }
        switch scalar.value {
        case 0xFE0E, 0xFE0F: return last.properties.isEmoji
        case 0x200D:
            guard let next, next.value > 0xFF, next.properties.isEmoji else { return false }
            return last.value == 0xFE0F || last.value > 0xFF && last.properties.isEmoji
        default: return false
        }
    }

    /// The escape of a scalar, as a JSON string has it.
    public static func escape(_ scalar: Unicode.Scalar) -> String {
        String(scalar).utf16.map { unit in
            let digits = String(unit, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }.joined()
    }
}
