internal import JSONCore

/// Numbers and their texts, as jq 1.8 reads and writes them.
enum NumberText {
    /// Inside of a string: the shortest digits in jq's form (`100`, `1e+17`, `1e-05`), and all of them where the number
    /// has more than a double holds.
    ///
    /// Equal numbers have one text, however they were written (`100`, `1E2`), so that no answer depends on how a
    /// journal writes its numbers; only the sign of zero stays.
    static func json(_ number: JSONNumber) -> String {
        switch number.storage {
        case .integer(let value): String(value)
        case .text(let text): isPlain(text) ? text : canonical(number, text)
        case .double(let value): json(value)
        }
    }

    /// The number of decimal digits that every double can represent.
    private static let digits = 15

    /// A plain fraction has no exponent, no zero at its end, and no more digits than a double holds.
    private static func isPlain(_ text: String) -> Bool {
        guard text.utf8.count <= digits, !text.hasPrefix("0.0000"), !text.hasPrefix("-0.0000") else { return false }
        return text.utf8.last != UInt8(ascii: "0") && !text.utf8.contains { $0 | 0x20 == UInt8(ascii: "e") }
    }

    private static func canonical(_ number: JSONNumber, _ text: String) -> String {
        if number == 0 { return text.utf8.first == UInt8(ascii: "-") ? "-0" : "0" }
        let shortest = DoubleText.shortest(number.doubleValue)
        return JSONNumber(literal: shortest) == number ? shortest : number.exactText
    }

    private static func json(_ value: Double) -> String {
        if value.isNaN { return "null" }
        return DoubleText.shortest(max(-Double.greatestFiniteMagnitude, min(.greatestFiniteMagnitude, value)))
    }

    /// The wide form is that of programs and `tonumber` (`.5`, `5.`, `+1`, `007`); a text that is JSON is kept.
    static func number(lenient text: String) -> JSONNumber? {
        // JSON numbers are not longer either, and comparing long ones takes time.
        guard text.utf8.count <= JSONLimits.standard.numberLength else { return nil }
        var scan = Scan(bytes: Array(text.utf8))
        guard let parts = scan.parts() else { return nil }
        return JSONNumber(literal: parts.isJSON ? text : scan.canonical(parts))
    }

    static func number(named text: String) -> JSONNumber? {
        var name = text.lowercased()[...]
        let isNegative = name.hasPrefix("-")
        if isNegative || name.hasPrefix("+") { name.removeFirst() }
        switch name {
        case "inf", "infinity": return JSONNumber(isNegative ? -Double.infinity : Double.infinity)
        case _ where name.hasPrefix("nan") || name.hasPrefix("snan"):
            return name.drop { $0 != "a" }.dropFirst(2).allSatisfy { $0 == "0" } ? JSONNumber(Double.nan) : nil
        default: return nil
        }
    }

    private struct Scan {
        let bytes: [UInt8]
        var position = 0

        struct Parts {
            var hasPlus = false
            var isNegative = false
            var whole = 0..<0
            var fraction: Range<Int>?
            /// From the letter on.
            var exponent = 0..<0
            var isJSON = false
        }

        mutating func digits() -> Range<Int> {
            let start = position
            while position < bytes.count, bytes[position].isDigit { position += 1 }
            return start..<position
        }

        mutating func take(_ accepted: Character) -> Bool {
            guard position < bytes.count, bytes[position] == accepted.asciiValue else { return false }
            position += 1
            return true
        }

        mutating func parts() -> Parts? {
            var parts = Parts()
            parts.hasPlus = take("+")
            parts.isNegative = !parts.hasPlus && take("-")
            parts.whole = digits()
            if take(".") { parts.fraction = digits() }
            guard !parts.whole.isEmpty || !(parts.fraction?.isEmpty ?? true) else { return nil }
            let start = position
            if take("e") || take("E") {
                if !take("-") { _ = take("+") }
                guard !digits().isEmpty else { return nil }
            }
            parts.exponent = start..<position
            guard position == bytes.count else { return nil }
            let hasLeadingZero = parts.whole.count > 1 && bytes[parts.whole.lowerBound] == UInt8(ascii: "0")
            parts.isJSON = !parts.hasPlus && !parts.whole.isEmpty && !hasLeadingZero && parts.fraction?.isEmpty != true
            return parts
        }

        func canonical(_ parts: Parts) -> String {
            let whole = bytes[parts.whole].drop { $0 == UInt8(ascii: "0") }
            var text = parts.isNegative ? "-" : ""
            text += whole.isEmpty ? "0" : String(decoding: whole, as: UTF8.self)
            if let fraction = parts.fraction, !fraction.isEmpty {
                text += "." + String(decoding: bytes[fraction], as: UTF8.self)
            }
            return text + String(decoding: bytes[parts.exponent], as: UTF8.self).lowercased()
        }
    }
}
