internal import JSONCore

/// A value with no level below it.
enum Scalar {
    case null
    case bool(Bool)
    case integer(Int64)
    /// A whole number beyond `Int64`.
    case unsigned(UInt64)
    case double(Double)
    case float(Float)
    case string(String)
    /// Another number, as its decimal text.
    case number(String)
    /// JSON text of any kind, in which what is redacted is hashed already.
    case written(String)

    static func whole(_ value: some BinaryInteger) -> Scalar {
        if let small = Int64(exactly: value) { return .integer(small) }
        if let large = UInt64(exactly: value) { return .unsigned(large) }
        return .number(value.description)
    }

    /// Whether both have the same JSON text.
    ///
    /// By the bits if that is cheaper: `-0` and `0` are two texts, and strings are compared by their bytes, not by
    /// Unicode equivalence.
    static func same(_ a: Scalar, _ b: Scalar) -> Bool {
        switch (a, b) {
        case (.null, .null): true
        case (.bool(let x), .bool(let y)): x == y
        case (.integer(let x), .integer(let y)): x == y
        case (.string(let x), .string(let y)): UTF8Order.equal(x, y)
        case (.double(let x), .double(let y)): x.bitPattern == y.bitPattern || (x.isNaN && y.isNaN)
        case (.float(let x), .float(let y)): x.bitPattern == y.bitPattern || (x.isNaN && y.isNaN)
        default: a.text == b.text
        }
    }

    private var text: [UInt8] {
        var bytes: [UInt8] = []
        append(to: &bytes)
        return bytes
    }

    func append(to bytes: inout [UInt8]) {
        switch self {
        case .null: bytes.append(contentsOf: "null".utf8)
        case .bool(let value): bytes.append(contentsOf: (value ? "true" : "false").utf8)
        case .integer(let value): JSONText.append(value, to: &bytes)
        case .unsigned(let value): bytes.append(contentsOf: value.description.utf8)
        case .double(let value): JSONText.append(DoubleText.shortest(value), isNumber: value.isFinite, to: &bytes)
        case .float(let value): JSONText.append(DoubleText.shortest(value), isNumber: value.isFinite, to: &bytes)
        case .string(let value): JSONText.append(string: value, to: &bytes)
        case .number(let text), .written(let text): bytes.append(contentsOf: text.utf8)
        }
    }
}
