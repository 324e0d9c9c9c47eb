/// A decimal literal taken apart, for comparing numbers of any size without rounding, and for writing equal ones alike.
struct Decimal {
    /// Whether it is below zero; never for zero.
    private(set) var isNegative = false
    /// The significant digits, values 0…9, with neither leading nor trailing zeros; empty for zero.
    private(set) var digits: [UInt8] = []
    /// The power of ten that the first digit stands for, plus one: 0.1 has 0, 1 has 1, 10 has 2.
    private(set) var magnitude = 0

    /// Takes a literal apart; nil for a computed double, which has no literal.
    init?(_ number: JSONNumber) {
        switch number.storage {
        case .integer(let value): self.init(String(value))
        case .text(let text): self.init(text)
        case .double: return nil
        }
    }

    /// Takes apart a text that matches the grammar of RFC 8259 §6.
    ///
    /// An exponent of more than 18 digits is cut at about ±10^18: the order of such numbers is still right but for
    /// literals that no machine can write out.
    init(_ text: String) {
        var exponent = 0
        var exponentIsNegative = false
        var pointPosition: Int?
        var inExponent = false
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "-"):
                if inExponent { exponentIsNegative = true } else { isNegative = true }
            case UInt8(ascii: "."): pointPosition = digits.count
            case UInt8(ascii: "e"), UInt8(ascii: "E"): inExponent = true
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                if !inExponent {
                    digits.append(byte - 48)
                } else if exponent < 1_000_000_000_000_000_000 / 10 {
                    exponent = exponent * 10 + Int(byte - 48)
                }
            default: break
            }
        }
        magnitude = (pointPosition ?? digits.count) + (exponentIsNegative ? -exponent : exponent)
        normalize()
    }

    private mutating func normalize() {
        let leadingZeros = digits.prefix { $0 == 0 }.count
        digits.removeFirst(leadingZeros)
        magnitude -= leadingZeros
        while digits.last == 0 { digits.removeLast() }
        if digits.isEmpty {
            isNegative = false
            magnitude = 0
        }
    }

    /// The one text of all literals of this value: without an exponent where that takes no more than some zeros, else as
    /// `1.2E+400`, which is what jq writes of numbers that are no doubles.
    var text: String {
        guard let first = digits.first else { return "0" }
        let sign = isNegative ? "-" : ""
        let all = String(decoding: digits.map { $0 + 48 }, as: UTF8.self)
        if magnitude > 0, magnitude - digits.count <= Decimal.zeroLimit {
            let zeros = String(repeating: "0", count: max(0, magnitude - digits.count))
            let whole = all.prefix(magnitude)
            return sign + whole + zeros + (digits.count > magnitude ? "." + all.dropFirst(magnitude) : "")
        }
        if magnitude <= 0, magnitude > -Decimal.leadingZeroLimit {
            return sign + "0." + String(repeating: "0", count: -magnitude) + all
        }
        let exponent = magnitude - 1
        let fraction = digits.count > 1 ? "." + all.dropFirst() : ""
        return sign + String(first) + fraction + (exponent < 0 ? "E" : "E+") + String(exponent)
    }

    /// How many zeros may follow the digits of a whole number, and stand before those of a fraction, as in jq.
    private static let zeroLimit = 15
    private static let leadingZeroLimit = 6

    /// The value where it is whole and fits 64 bits.
    var integerValue: Int? {
        guard !digits.isEmpty else { return 0 }
        guard magnitude >= digits.count, magnitude <= 19 else { return nil }
        var value = 0
        for position in 0..<magnitude {
            let digit = position < digits.count ? Int(digits[position]) : 0
            let (tens, overflow) = value.multipliedReportingOverflow(by: 10)
            let (next, carried) =
                isNegative ? tens.subtractingReportingOverflow(digit) : tens.addingReportingOverflow(digit)
            if overflow || carried { return nil }
            value = next
        }
        return value
    }

    /// -1, 0 or 1.
    static func compare(_ a: Decimal, _ b: Decimal) -> Int {
        if a.isNegative != b.isNegative { return a.isNegative ? -1 : 1 }
        let order = compareMagnitude(a, b)
        return a.isNegative ? -order : order
    }

    private static func compareMagnitude(_ a: Decimal, _ b: Decimal) -> Int {
        if a.digits.isEmpty || b.digits.isEmpty {
            return a.digits.count == b.digits.count ? 0 : (a.digits.isEmpty ? -1 : 1)
        }
        if a.magnitude != b.magnitude { return a.magnitude < b.magnitude ? -1 : 1 }
        if a.digits == b.digits { return 0 }
        return a.digits.lexicographicallyPrecedes(b.digits) ? -1 : 1
    }
}

extension JSONNumber {
    private static let plainTextLimit = 400

    /// The number's digits without an exponent, and without zeros that say nothing: equal numbers have the same; nil where that
    /// would be very long.
    package var plainText: String? {
        guard let decimal = Decimal(self) else { return text }
        return decimal.plainText(limit: JSONNumber.plainTextLimit)
    }

    /// A text that equal numbers share, also those whose plain text is too long.
    package var normalText: String {
        if let plainText { return plainText }
        guard let decimal = Decimal(self) else { return text }
        let digits = String(decoding: decimal.digits.map { $0 + 48 }, as: UTF8.self)
        return "\(decimal.isNegative ? "-" : "")\(digits)e\(decimal.magnitude - decimal.digits.count)"
    }
}

extension Decimal {
    /// The digits with the point where it stands; nil where they are more than a limit.
    fileprivate func plainText(limit: Int) -> String? {
        guard abs(magnitude) <= limit, digits.count <= limit else { return nil }
        var text: [UInt8] = isNegative ? [UInt8(ascii: "-")] : []
        if magnitude <= 0 { text.append(UInt8(ascii: "0")) }
        for place in 0..<max(magnitude, 0) { text.append(place < digits.count ? digits[place] + 48 : 48) }
        if magnitude < digits.count {
            text.append(UInt8(ascii: "."))
            text += repeatElement(48, count: max(-magnitude, 0))
            text += digits[max(magnitude, 0)...].map { $0 + 48 }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
