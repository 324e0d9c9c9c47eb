internal import JournalFormat
internal import StateEncoding

/// Values that are short enough for an `outcome` record.
enum SmallValue {
    /// The longest text, in bytes.
    static let limit = 1024

    /// How values of a type become JSON, for code that does not know that the type is Encodable.
    struct Encoding<Value>: @unchecked Sendable {
        // Unchecked: the closure captures the type alone, of which the compiler does not know that any thread may use it.
        let encoded: (Value, TypeRedactions) -> [UInt8]?

        /// Nil for a type that is not Encodable.
        init?(of type: Value.Type) {
            func make<Known: Encodable>(_ known: Known.Type) -> (Value, TypeRedactions) -> [UInt8]? {
                { value, types in SmallValue.encoded(identical(value, as: known), types) }
            }
            guard let known = type as? any Encodable.Type else { return nil }
            encoded = make(known)
        }
    }

    /// A value as JSON; nil if it is too long, or has no JSON form.
    ///
    /// - Complexity: O(the limit), and one level of the value: the encoding of a longer one stops.
    private static func encoded<Value: Encodable>(_ value: Value, _ types: TypeRedactions) -> [UInt8]? {
        var bytes: [UInt8] = []
        do {
            try ThreadActivity.duringEncoding(of: Value.self) {
                try ValueEncoder.append(
                    value, to: &bytes, options: EncodingOptions(types: types), limit: SmallValue.limit)
            }
        } catch {
            return nil  // the outcome stands without its value, as the format has it
        }
        return bytes.count <= limit ? bytes : nil
    }
}
