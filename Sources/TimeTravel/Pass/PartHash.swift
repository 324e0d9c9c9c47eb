package import JSONCore
import JournalFormat
package import JournalReading

/// The hash by which states, values and files are compared that two processes have seen.
package enum PartHash {
    /// The hash of a state as far as it is held: equal states have equal ones, however their numbers are written.
    package static func text(of state: PositionState) -> String {
        let closing = state.closing.sorted(by: UTF8Order.isLess)
        return text(of: ["state": state.value, "closing": .array(closing.map { .string($0) })] as JSONValue)
    }

    /// The hash of a value, likewise.
    package static func text(of value: JSONValue) -> String {
        text(of: Array(value.withPlainNumbers.text(.canonical).utf8))
    }

    /// The hash of bytes: 128 bits in hexadecimal digits.
    package static func text(of bytes: [UInt8]) -> String {
        var hash = KeyedHash(key: [])
        bytes.withUnsafeBytes { hash.update($0) }
        return hash.finish().prefix(16).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
}
