import JSONCore
import JournalFormat
import JournalReading

/// A value by its compact text: one that `JSONWriter` made, or is proven to be like it.
struct CompactValue {
    let text: UnsafeRawBufferPointer

    /// Whether two values are equal, as values that are built are: numbers by value, objects whatever their order.
    ///
    /// - Complexity: O(n) in the texts; they are parsed only where their bytes leave it open.
    func isEqual(to other: CompactValue) -> Bool {
        if text.hasSameBytes(as: other.text) { return true }
        guard let kind, kind == other.kind else { return false }
        switch kind {
        case .scalar: return false
        case .number where isPlainInteger && other.isPlainInteger: return false
        case .number, .container:
            guard let one = try? JSONParser.parse(text), let another = try? JSONParser.parse(other.text) else {
                return false
            }
            return one == another
        }
    }

    private enum Kind {
        /// One text for each value.
        case scalar
        case number
        case container
    }

    private var kind: Kind? {
        guard let first = text.first else { return nil }
        switch first {
        case UInt8(ascii: "{"), UInt8(ascii: "["): return .container
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number
        default: return .scalar
        }
    }

    /// Whether it is a whole number in the only form that has neither sign of zero, fraction nor exponent.
    private var isPlainInteger: Bool {
        let digits = text.first == UInt8(ascii: "-") ? UnsafeRawBufferPointer(rebasing: text[1...]) : text
        guard digits.count == text.count || digits.first != UInt8(ascii: "0") else { return false }
        return digits.allSatisfy { $0 &- 48 < 10 }
    }
}
