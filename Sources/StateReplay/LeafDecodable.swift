internal import JSONCore
internal import StateEncoding

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A type that is read from one JSON scalar in the journal's form; the counterpart of ``LeafEncodable``.
protocol LeafDecodable {
    /// The expected scalar, for errors.
    static var expectation: String { get }
    /// The value of a scalar; nil if it is not one of the type.
    static func read(_ value: JSONValue) -> Self?
}

extension LeafDecodable where Self: FixedWidthInteger {
    static var expectation: String { "a whole number from \(Self.min) to \(Self.max)" }

    /// Exact from the digits; another notation of a whole number (`1e3`, `1.0`) counts too where it fits 64 bits.
    static func read(_ value: JSONValue) -> Self? {
        guard case .number(let number) = value else { return nil }
        if case .text(let text) = number.storage, let whole = Self(text) { return whole }
        return number.integerValue.flatMap { Self(exactly: $0) }
    }
}

extension Int: LeafDecodable {}
extension Int8: LeafDecodable {}
extension Int16: LeafDecodable {}
extension Int32: LeafDecodable {}
extension Int64: LeafDecodable {}
extension Int128: LeafDecodable {}
extension UInt: LeafDecodable {}
extension UInt8: LeafDecodable {}
extension UInt16: LeafDecodable {}
extension UInt32: LeafDecodable {}
extension UInt64: LeafDecodable {}
extension UInt128: LeafDecodable {}

extension LeafDecodable where Self: BinaryFloatingPoint & LosslessStringConvertible {
    static var expectation: String { #"a number within the range of \#(Self.self), "NaN", "Infinity" or "-Infinity""# }

    /// From the number's text, so that it is rounded once.
    static func read(_ value: JSONValue) -> Self? {
        switch value {
        case .number(let number): Self(number.text).flatMap { $0.isFinite ? $0 : nil }
        case .string("NaN"): .nan
        case .string("Infinity"): .infinity
        case .string("-Infinity"): -.infinity
        default: nil
        }
    }
}

extension Double: LeafDecodable {}
extension Float: LeafDecodable {}

extension Bool: LeafDecodable {
    static var expectation: String { "true or false" }
    static func read(_ value: JSONValue) -> Bool? { value.bool }
}

extension String: LeafDecodable {
    static var expectation: String { "a string" }
    static func read(_ value: JSONValue) -> String? { value.string }
}

extension Date: LeafDecodable {
    static var expectation: String { "a time of RFC 3339 in a string" }
    static func read(_ value: JSONValue) -> Date? {
        value.string.flatMap(TimestampText.secondsSince2001(of:)).map(Date.init(timeIntervalSinceReferenceDate:))
    }
}

extension Data: LeafDecodable {
    static var expectation: String { "base64 in a string" }
    static func read(_ value: JSONValue) -> Data? { value.string.flatMap { Data(base64Encoded: $0) } }
}

extension URL: LeafDecodable {
    static var expectation: String { "a URL in a string" }
    static func read(_ value: JSONValue) -> URL? { value.string.flatMap { URL(string: $0) } }
}

extension UUID: LeafDecodable {
    static var expectation: String { "a UUID in a string" }
    static func read(_ value: JSONValue) -> UUID? { value.string.flatMap { UUID(uuidString: $0) } }
}

extension Decimal: LeafDecodable {
    static var expectation: String { "a decimal number in a string" }
    static func read(_ value: JSONValue) -> Decimal? {
        guard let text = value.string ?? value.number?.text else { return nil }
        return text == "NaN" ? .nan : Decimal(string: text)
    }
}
