internal import JSONCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A type that becomes one JSON scalar in the journal's form, whatever its own `encode(to:)` writes.
protocol LeafEncodable {
    /// Whether making and comparing the scalar is as cheap as comparing kept bytes, so that no copy need be kept.
    static var isCheap: Bool { get }
    var scalar: Scalar { get }
    /// Appends the JSON text of a value by where it is: code that is generic over the type need not copy it.
    static func append(at place: Address, to bytes: inout [UInt8])
}

extension LeafEncodable {
    static var isCheap: Bool { false }

    static func append(at place: Address, to bytes: inout [UInt8]) {
        place.value(as: Self.self).scalar.append(to: &bytes)
    }
}

extension LeafEncodable where Self: BinaryInteger {
    static var isCheap: Bool { true }
    var scalar: Scalar { .whole(self) }
}

extension Int: LeafEncodable {}
extension Int8: LeafEncodable {}
extension Int16: LeafEncodable {}
extension Int32: LeafEncodable {}
extension Int64: LeafEncodable {}
extension Int128: LeafEncodable {}
extension UInt: LeafEncodable {}
extension UInt8: LeafEncodable {}
extension UInt16: LeafEncodable {}
extension UInt32: LeafEncodable {}
extension UInt64: LeafEncodable {}
extension UInt128: LeafEncodable {}

extension Bool: LeafEncodable {
    static var isCheap: Bool { true }
    var scalar: Scalar { .bool(self) }
}

extension String: LeafEncodable {
    static var isCheap: Bool { true }
    var scalar: Scalar { .string(self) }
}

extension Double: LeafEncodable {
    static var isCheap: Bool { true }
    var scalar: Scalar { .double(self) }
}

extension Float: LeafEncodable {
    static var isCheap: Bool { true }
    var scalar: Scalar { .float(self) }
}

extension Date: LeafEncodable {
    var scalar: Scalar { .string(TimestampText.text(secondsSince2001: timeIntervalSinceReferenceDate)) }
}

extension Data: LeafEncodable {
    var scalar: Scalar { .string(base64EncodedString()) }
}

extension URL: LeafEncodable {
    var scalar: Scalar { .string(absoluteString) }
}

extension UUID: LeafEncodable {
    var scalar: Scalar { .string(uuidString) }
}

extension Decimal: LeafEncodable {
    var scalar: Scalar { .string(description) }
}
