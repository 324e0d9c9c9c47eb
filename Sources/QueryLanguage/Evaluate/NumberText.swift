internal import JSONCore

/// Numbers and their texts, as jq 1.8 reads and writes them.
enum NumberText {
    /// The number's JSON text: what it was read with, else its shortest digits in jq's form (`100000`, `1e+17`, `1e-05`).
    static func json(_ number: JSONNumber) -> String {
        switch number.storage {
        case .integer(let value): String(value)
        case .text(let text): text
        case .double(let value): json(value)
        }
    }

    private static func json(_ value: Double) -> String {
        if value.isNaN { return "null" }
        if value == 0 { return value.sign == .minus ? "-0" : "0" }
        let finite = max(-Double.greatestFiniteMagnitude, min(.greatestFiniteMagnitude, value))
        let (digits, point) = decimal(abs(finite))
        let sign = finite < 0 ? "-" : ""
        if point <= -4 || point > digits.count + 15 { return sign + scientific(digits, exponent: point - 1) }
        if point <= 0 { return sign + "0." + String(repeating: "0", count: -point) + text(digits[...]) }
        if point >= digits.count {
            return sign + text(digits[...]) + String(repeating: "0", count: point - digits.count)
        }
        return sign + text(digits[..<point]) + "." + text(digits[point...])
    }

    private static func text(_ digits: ArraySlice<UInt8>) -> String { String(decoding: digits, as: UTF8.self) }

    private static func scientific(_ digits: [UInt8], exponent: Int) -> String {
        let fraction = digits.count > 1 ? "." + text(digits[1...]) : ""
        let magnitude = String(abs(exponent))
        let padded = magnitude.utf8.count < 2 ? "0" + magnitude : magnitude
        return text(digits[..<1]) + fraction + "e" + (exponent < 0 ? "-" : "+") + padded
    }

    /// The shortest digits of a positive double without trailing zeros, and where the decimal point stands among them.
    private static func decimal(_ value: Double) -> (digits: [UInt8], point: Int) {
        var digits: [UInt8] = []
        var point: Int?
        var exponent = 0
        let description = Array(value.description.utf8)
        for (index, byte) in description.enumerated() {
            if byte.isDigit {
                digits.append(byte)
            } else if byte == UInt8(ascii: ".") {
                point = digits.count
            } else if byte == UInt8(ascii: "e") {
                exponent = Int(String(decoding: description[(index + 1)...], as: UTF8.self)) ?? 0
                break
            }
        }
        var place = (point ?? digits.count) + exponent
        while digits.count > 1, digits.last == UInt8(ascii: "0") { digits.removeLast() }
        while digits.count > 1, digits.first == UInt8(ascii: "0") {
            digits.removeFirst()
            place -= 1
        }
        return (digits, place)
    }

    /// A number from a text in the wide form that programs and `tonumber` accept (`.5`, `5.`, `+1`, `007`), its text kept
    /// where it is JSON.
    static func number(lenient text: String) -> JSONNumber? {
        var scanner = Scan(bytes: Array(text.utf8))
        guard let parts = scanner.scan() else { return nil }
        if parts.isJSON { return JSONNumber(literal: text) }
        return JSONNumber(literal: parts.canonical)
    }

    /// Splits a decimal text into its parts.
    private struct Scan {
        let bytes: [UInt8]
        var position = 0

        mutating func digits() -> String {
            let start = position
            while position < bytes.count, bytes[position].isDigit { position += 1 }
            return String(decoding: bytes[start..<position], as: UTF8.self)
        }

        mutating func take(_ accepted: UInt8...) -> Bool {
            guard position < bytes.count, accepted.contains(bytes[position]) else { return false }
            position += 1
            return true
        }

        mutating func scan() -> (canonical: String, isJSON: Bool)? {
            let hasPlus = take(UInt8(ascii: "+"))
            let isNegative = !hasPlus && take(UInt8(ascii: "-"))
            let whole = digits()
            let hasPoint = take(UInt8(ascii: "."))
            let fraction = hasPoint ? digits() : ""
            guard !whole.isEmpty || !fraction.isEmpty else { return nil }
            var exponent = ""
            if take(UInt8(ascii: "e"), UInt8(ascii: "E")) {
                let sign = take(UInt8(ascii: "-")) ? "-" : (take(UInt8(ascii: "+")) ? "+" : "")
                let magnitude = digits()
                guard !magnitude.isEmpty else { return nil }
                exponent = "e" + sign + magnitude
            }
            guard position == bytes.count else { return nil }
            let trimmed = String(whole.drop { $0 == "0" })
            let isJSON =
                !hasPlus && !whole.isEmpty && (whole.utf8.count == 1 || whole.utf8.first != UInt8(ascii: "0"))
                && (!hasPoint || !fraction.isEmpty)
            let canonical =
                (isNegative ? "-" : "") + (trimmed.isEmpty ? "0" : trimmed) + (fraction.isEmpty ? "" : "." + fraction)
                + exponent
            return (canonical, isJSON)
        }
    }
}
