/// A JSON number that keeps the text it was read with until arithmetic touches it.
///
/// 64-bit integers survive a replay unharmed, `1.0` stays `1.0`, and a double is decoded only on demand.
public struct JSONNumber: Sendable {
    /// How the number is held.
    @frozen
    public enum Storage: Sendable {
        /// A whole number whose text is its plain decimal form.
        case integer(Int)
        /// The result of a computation; its text is made when it is asked for.
        case double(Double)
        /// A literal that is neither: a fraction, an exponent, `-0`, more than 64 bits.
        case text(String)
    }

    /// How the number is held.
    public let storage: Storage

    /// A whole number.
    @inlinable
    public init(_ value: Int) {
        storage = .integer(value)
    }

    /// The result of a computation; NaN and infinities are allowed here and are the writer's concern.
    @inlinable
    public init(_ value: Double) {
        storage = .double(value)
    }

    /// A number whose text is already known to match the grammar of RFC 8259 §6.
    public init(literal: String) {
        if let integer = JSONNumber.plainInteger(literal) {
            storage = .integer(integer)
        } else {
            storage = .text(literal)
        }
    }

    /// The value as an IEEE 754 double, rounded to nearest where the text says more.
    @inlinable
    public var doubleValue: Double {
        switch storage {
        case .integer(let value): Double(value)
        case .double(let value): value
        case .text(let text): JSONNumber.decode(text)
        }
    }

    /// The value where it is a whole number of 64 bits, also from `1.0` or `1e3`; otherwise nil.
    public var integerValue: Int? {
        switch storage {
        case .integer(let value): value
        case .double(let value): Int(exactly: value)
        case .text(let text): Decimal(text).integerValue
        }
    }

    /// The text it was read with, or the shortest digits of a computed double that read back the same.
    ///
    /// NaN and infinities give `NaN`, `Infinity`, `-Infinity`, which are not JSON.
    public var text: String {
        switch storage {
        case .integer(let value): String(value)
        case .double(let value): DoubleText.shortest(value)
        case .text(let text): text
        }
    }

    /// The text that all literals of this value share, with every digit: `1.50` and `15e-1` are `1.5`.
    package var exactText: String { Decimal(text).text }

    /// The double that a text of RFC 8259's grammar stands for.
    @usableFromInline
    static func decode(_ text: String) -> Double {
        Double(text) ?? .nan
    }

    private static func plainInteger(_ text: String) -> Int? {
        // Nineteen digits and a sign at most, no leading zero: RFC 8259 allows none, and "-0" keeps its text.
        guard text.utf8.count <= 20, let value = Int(text) else { return nil }
        if value == 0 && text.utf8.count > 1 { return nil }
        return text.utf8.first == UInt8(ascii: "+") ? nil : value
    }
}

extension JSONNumber: Hashable, Comparable {
    /// Whether both are the same number: literals exactly, whatever their notation; computed doubles as doubles.
    @inlinable
    public static func == (a: JSONNumber, b: JSONNumber) -> Bool {
        if case .integer(let x) = a.storage, case .integer(let y) = b.storage { return x == y }
        if case .double(let x) = a.storage, case .double(let y) = b.storage { return x == y }
        return compareSlowly(a, b) == 0
    }

    /// Whether the first is the smaller number; NaN is below every number, as jq sorts it.
    @inlinable
    public static func < (a: JSONNumber, b: JSONNumber) -> Bool {
        if case .integer(let x) = a.storage, case .integer(let y) = b.storage { return x < y }
        return compareSlowly(a, b) == -1
    }

    /// Feeds the double value, which equal numbers share, to the hasher.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(doubleValue)
    }

    /// -1, 0 or 1; NaN is below everything, itself included.
    @usableFromInline
    static func compareSlowly(_ a: JSONNumber, _ b: JSONNumber) -> Int {
        if case .text(let x) = a.storage, case .text(let y) = b.storage, UTF8Order.equal(x, y) { return 0 }
        let (x, y) = (a.doubleValue, b.doubleValue)
        // Rounding keeps the order, so only literals that round to one double need their digits compared.
        if x < y { return -1 }
        if x > y { return 1 }
        if let x = Decimal(a), let y = Decimal(b) { return Decimal.compare(x, y) }
        return x == y ? 0 : (x.isNaN ? -1 : 1)
    }
}

extension JSONNumber: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, CustomStringConvertible {
    /// A whole number written in Swift.
    public init(integerLiteral value: Int) { self.init(value) }
    /// A fraction written in Swift.
    public init(floatLiteral value: Double) { self.init(value) }
    /// The number's text.
    public var description: String { text }
}
