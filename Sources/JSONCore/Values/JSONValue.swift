/// A JSON value, RFC 8259: a tree that can be compared, edited in place and shared between threads.
///
/// Equality is that of the data: strings by their bytes, numbers by their value, objects without regard to the order of
/// their members.
@frozen
public enum JSONValue: Sendable {
    case null
    case bool(Bool)
    case number(JSONNumber)
    case string(String)
    case array(JSONArray)
    case object(JSONObject)
}

extension JSONValue: Hashable {
    /// Whether both are the same data.
    public static func == (a: JSONValue, b: JSONValue) -> Bool {
        switch (a, b) {
        case (.null, .null): true
        case (.bool(let x), .bool(let y)): x == y
        case (.number(let x), .number(let y)): x == y
        case (.string(let x), .string(let y)): UTF8Order.equal(x, y)
        case (.array(let x), .array(let y)): x == y
        case (.object(let x), .object(let y)): x == y
        default: false
        }
    }

    /// Feeds the data, without the order of members, to the hasher.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0 as UInt8)
        case .bool(let value): hasher.combine(value ? 2 as UInt8 : 1)
        case .number(let value): value.hash(into: &hasher)
        case .string(let value): UTF8Order.hash(value, into: &hasher)
        case .array(let elements): elements.hash(into: &hasher)
        case .object(let members): members.hash(into: &hasher)
        }
    }
}

extension JSONValue {
    /// The object, if it is one.
    @inlinable
    public var object: JSONObject? {
        if case .object(let members) = self { members } else { nil }
    }

    /// An array of these elements.
    @inlinable
    public static func array(_ elements: [JSONValue]) -> JSONValue { .array(JSONArray(elements)) }

    /// The elements, if it is an array.
    ///
    /// - Complexity: that of ``JSONArray/array``.
    @inlinable
    public var array: [JSONValue]? {
        if case .array(let elements) = self { elements.array } else { nil }
    }

    /// The text, if it is a string.
    @inlinable
    public var string: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// The number, if it is one.
    @inlinable
    public var number: JSONNumber? {
        if case .number(let number) = self { number } else { nil }
    }

    /// The truth value, if it is one.
    @inlinable
    public var bool: Bool? {
        if case .bool(let value) = self { value } else { nil }
    }

    /// How many elements or members it has; nil for a scalar.
    @inlinable
    public var count: Int? {
        switch self {
        case .array(let elements): elements.count
        case .object(let members): members.count
        default: nil
        }
    }

    /// Whether it is an array.
    @inlinable
    public var isArray: Bool {
        if case .array = self { true } else { false }
    }

    /// Whether it is null.
    @inlinable
    public var isNull: Bool {
        if case .null = self { true } else { false }
    }

    /// Whether it has no parts: a scalar.
    @inlinable
    public var isScalar: Bool {
        switch self {
        case .array, .object: false
        default: true
        }
    }

    /// Lets a caller edit the elements in place, without a copy where they are one block that is not shared; nil if it is not an array.
    public mutating func modifyArray<R, E: Error>(_ body: (inout [JSONValue]) throws(E) -> R) throws(E) -> R? {
        try modifyElements { (all: inout JSONArray) throws(E) -> R in
            var elements = exchange(&all, for: []).array
            defer { all = JSONArray(elements) }
            return try body(&elements)
        }
    }

    /// Lets a caller edit the elements in place, as they are kept; nil if it is not an array.
    mutating func modifyElements<R, E: Error>(_ body: (inout JSONArray) throws(E) -> R) throws(E) -> R? {
        guard case .array = self else { return nil }
        // Moved out: a second reference would make the edit copy, and costs to be counted.
        guard case .array(var elements) = exchange(&self, for: .null) else { return nil }
        defer { self = .array(elements) }
        return try body(&elements)
    }

    /// Lets a caller edit the members in place, without a copy where they are not shared; nil if it is not an object.
    public mutating func modifyObject<R, E: Error>(_ body: (inout JSONObject) throws(E) -> R) throws(E) -> R? {
        guard case .object = self else { return nil }
        guard case .object(var members) = exchange(&self, for: .null) else { return nil }
        defer { self = .object(members) }
        return try body(&members)
    }

    /// Whether the members of every object are in ascending order, and held so.
    private var isAscending: Bool {
        switch self {
        case .array(let elements): elements.allSatisfy(\.isAscending)
        case .object(let members):
            if case .small(let few) = members.storage {
                JSONObject.areAscending(few) && few.indices.allSatisfy { few[$0].value.isAscending }
            } else {
                members.isHeldAscending && members.allSatisfy { $0.value.isAscending }
            }
        default: true
        }
    }

    /// It with the members of every object in ascending order of UTF-8, as states are shown; a copy only where they are not.
    public func ascending() -> JSONValue {
        if isAscending { return self }
        switch self {
        case .array(let elements): return .array(elements.map { $0.ascending() })
        case .object(var members):
            members.modifyValues { $0 = $0.ascending() }
            return .object(members.ascending())
        default: return self
        }
    }
}

// Not ExpressibleByNilLiteral: where a `JSONValue?` is wanted, `condition ? value : nil` would quietly mean JSON's null.
extension JSONValue: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// A truth value written in Swift.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// A whole number written in Swift.
    public init(integerLiteral value: Int) { self = .number(JSONNumber(value)) }
    /// A fraction written in Swift.
    public init(floatLiteral value: Double) { self = .number(JSONNumber(value)) }
    /// A text written in Swift.
    public init(stringLiteral value: String) { self = .string(value) }
    /// An array written in Swift.
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    /// An object written in Swift, its members in that order.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(JSONObject(elements.map { (key: $0.0, value: $0.1) }))
    }
}

/// Puts a value in the place of another, which is moved out.
@inline(__always)
func exchange<Value>(_ place: inout Value, for other: consuming Value) -> Value {
    swap(&place, &other)
    return other
}
