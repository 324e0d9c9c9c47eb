/// A number as it was read, digit by digit, or as a query computed it.
struct PlainNumber: Sendable {
    /// The text that it was read with; of a computed one the shortest that reads back the same.
    let text: String
    /// Whether it is a double that a query computed: only what a double holds of the digits counts then.
    let isComputed: Bool

    init(_ text: String, isComputed: Bool = false) { (self.text, self.isComputed) = (text, isComputed) }
    init(_ number: Int) { self.init(String(number)) }

    /// The number as JSON, which has neither infinities nor what is no number.
    var json: String {
        guard let value = Double(text), isComputed, !value.isFinite else { return text }
        return value.isNaN ? "null" : value < 0 ? "-1.7976931348623157e+308" : "1.7976931348623157e+308"
    }

    /// The value where it is a whole number of 64 bits, also of `1.0` and `1e3`.
    var integerValue: Int? {
        let (isNegative, digits, exponent) = normal
        guard exponent >= 0, digits.count + exponent <= 19 else { return digits.isEmpty ? 0 : nil }
        let zeros = String(repeating: "0", count: exponent)
        return Int((isNegative ? "-" : "") + (digits.isEmpty ? "0" : digits) + zeros)
    }

    /// The parts that all texts of one value share: the sign, digits that neither begin nor end with a zero, and the power of ten
    /// that they are multiplied by.
    private var normal: (isNegative: Bool, digits: String, exponent: Int) {
        let parts = text.lowercased().split(separator: "e")
        let decimals = parts[0].drop { $0 == "-" }.split(separator: ".")
        var digits = decimals.joined().drop { $0 == "0" }
        // An exponent that fits no integer is written by no one; its sign is enough.
        let written = parts.count > 1 ? Int(parts[1]) ?? (parts[1].hasPrefix("-") ? -1 << 60 : 1 << 60) : 0
        var exponent = written - (decimals.count > 1 ? decimals[1].count : 0)
        while digits.last == "0" {
            digits.removeLast()
            exponent += 1
        }
        return digits.isEmpty ? (false, "", 0) : (text.hasPrefix("-"), String(digits), exponent)
    }
}

extension PlainNumber: Hashable {
    /// Whether both are the same number: as written exactly, whatever their notation; with a computed one as doubles.
    static func == (a: PlainNumber, b: PlainNumber) -> Bool {
        a.isComputed || b.isComputed ? Double(a.text) == Double(b.text) : a.normal == b.normal
    }

    func hash(into hasher: inout Hasher) { hasher.combine(Double(text)) }
}
