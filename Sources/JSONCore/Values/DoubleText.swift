/// The decimal text of a double in the journal's form, which is also jq's.
public enum DoubleText {
    /// How many zeros may follow the digits of a whole number before an exponent takes their place, as in jq (`dtoa`'s rule).
    private static let zeroLimit = 15

    /// The shortest digits that read back the same, whole numbers without a fraction: `12`, `0.1`, `1e+17`, `1e-05`.
    ///
    /// What JSON has no number for is `NaN`, `Infinity` and `-Infinity`. Swift's own description has the shortest digits
    /// already; only its `.0` goes, and its exponent where jq writes the digits out.
    public static func shortest(_ value: Double) -> String {
        guard value.isFinite else {
            return value.isNaN ? "NaN" : (value < 0 ? "-Infinity" : "Infinity")
        }
        return laidOut(value.description)
    }

    /// The shortest text of a single-precision number, which needs fewer digits than as a `Double`.
    public static func shortest(_ value: Float) -> String {
        guard value.isFinite else {
            return value.isNaN ? "NaN" : (value < 0 ? "-Infinity" : "Infinity")
        }
        return laidOut(value.description)
    }

    private static func laidOut(_ description: String) -> String {
        let (whole, hasPlus) = description.withBytes { bytes in
            let length = bytes.count - 2
            let isWhole = bytes[length] == UInt8(ascii: ".") && bytes[length + 1] == UInt8(ascii: "0")
            let whole = isWhole ? String(decoding: bytes.extracting(..<length), as: UTF8.self) : nil
            return (whole, bytes.firstIndex(of: UInt8(ascii: "+")) != nil)
        }
        if let whole { return whole }
        guard hasPlus, let plus = description.utf8.firstIndex(of: UInt8(ascii: "+")),
            let exponent = Int(description[plus...])
        else { return description }
        let mantissa = description[..<description.index(before: plus)]
        let sign = mantissa.hasPrefix("-") ? "-" : ""
        let digits = mantissa.filter { $0 != "." && $0 != "-" }
        let zeros = exponent + 1 - digits.utf8.count
        return zeros >= 0 && zeros <= zeroLimit ? sign + digits + String(repeating: "0", count: zeros) : description
    }
}
