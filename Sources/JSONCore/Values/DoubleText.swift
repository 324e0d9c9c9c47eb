/// The decimal text of a double in the journal's form.
public enum DoubleText {
    /// The shortest digits that read back the same, whole numbers without a fraction; `NaN`, `Infinity` and `-Infinity` for
    /// what JSON has no number for.
    ///
    /// Swift's description is already the shortest (Errol/SwiftDtoa); only its `.0` goes. From 2^53 on it uses an exponent,
    /// which is JSON too.
    public static func shortest(_ value: Double) -> String {
        guard value.isFinite else {
            return value.isNaN ? "NaN" : (value < 0 ? "-Infinity" : "Infinity")
        }
        return trimmed(value.description)
    }

    /// The same for a single-precision number, whose shortest digits are fewer.
    public static func shortest(_ value: Float) -> String {
        guard value.isFinite else {
            return value.isNaN ? "NaN" : (value < 0 ? "-Infinity" : "Infinity")
        }
        return trimmed(value.description)
    }

    private static func trimmed(_ description: String) -> String {
        description.utf8.suffix(2).elementsEqual([UInt8(ascii: "."), UInt8(ascii: "0")])
            ? String(description.dropLast(2)) : description
    }
}
