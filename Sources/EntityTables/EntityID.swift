internal import JSONCore
internal import StateEncoding

/// An identity that belongs to one type of entity, so that an author's cannot be taken for a book's.
///
///     struct Book: Identifiable, Codable {
///         typealias ID = EntityID<Book, Int>
///         var id: ID
///         var authorID: Author.ID
///     }
///
/// It encodes as its raw value, and is that value's text as a key of a journal's object: `/books/42`.
public struct EntityID<Entity, RawValue: Hashable & Codable & Sendable>: RawRepresentable, Hashable, Sendable {
    /// The value that identifies an entity of the type.
    public let rawValue: RawValue

    /// An identity with a raw value.
    @inlinable
    public init(rawValue: RawValue) { self.rawValue = rawValue }

    /// An identity with a raw value.
    @inlinable
    public init(_ rawValue: RawValue) { self.rawValue = rawValue }

    /// Whether both are the same identity.
    @inlinable
    public static func == (left: EntityID, right: EntityID) -> Bool { left.rawValue == right.rawValue }

    /// Hashes the raw value.
    @inlinable
    public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }

    /// What the standard library's tables call: as fast as that of the raw value.
    @inlinable
    public func _rawHashValue(seed: Int) -> Int { rawValue._rawHashValue(seed: seed) }
}

extension EntityID: Codable {
    /// Decodes the raw value.
    public init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(RawValue.self))
    }

    /// Encodes the raw value.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }
}

extension EntityID: Comparable where RawValue: Comparable {
    /// Compares the raw values.
    @inlinable
    public static func < (left: EntityID, right: EntityID) -> Bool { left.rawValue < right.rawValue }
}

extension EntityID: CustomStringConvertible {
    /// The raw value's description.
    public var description: String { "\(rawValue)" }
}

extension EntityID: ExpressibleByIntegerLiteral where RawValue: ExpressibleByIntegerLiteral {
    /// An identity with a raw value.
    public init(integerLiteral value: RawValue.IntegerLiteralType) { self.init(RawValue(integerLiteral: value)) }
}

extension EntityID: ExpressibleByUnicodeScalarLiteral where RawValue: ExpressibleByStringLiteral {
    /// An identity with a raw value.
    public init(unicodeScalarLiteral value: RawValue.UnicodeScalarLiteralType) {
        self.init(RawValue(unicodeScalarLiteral: value))
    }
}

extension EntityID: ExpressibleByExtendedGraphemeClusterLiteral where RawValue: ExpressibleByStringLiteral {
    /// An identity with a raw value.
    public init(extendedGraphemeClusterLiteral value: RawValue.ExtendedGraphemeClusterLiteralType) {
        self.init(RawValue(extendedGraphemeClusterLiteral: value))
    }
}

extension EntityID: ExpressibleByStringLiteral where RawValue: ExpressibleByStringLiteral {
    /// An identity with a raw value.
    public init(stringLiteral value: RawValue.StringLiteralType) { self.init(RawValue(stringLiteral: value)) }
}

/// The order of identities where nothing else gives one: the same in each process, which that of a hash table is not.
enum IdentityOrder {
    /// Values in ascending order of their identities: by `<` if they have it, otherwise by their texts as keys of an
    /// object.
    static func sorted<Value, ID: Hashable & Encodable>(_ values: [Value], by id: (Value) -> ID) -> [Value] {
        if values.count < 2 { return values }
        let texts = KeyTexts<ID>()
        var keyed = values.map { (id: id($0), text: texts.text(of: id($0)), value: $0) }
        keyed.sort { UTF8Order.isLess($0.text, $1.text) }
        // The sort is stable, so identities that are neither before nor after each other stay in the order of their texts.
        if let comparable = ID.self as? any Comparable.Type {
            let isLess = comparison(of: comparable, for: ID.self)
            keyed.sort { isLess($0.id, $1.id) }
        }
        return keyed.map(\.value)
    }

    /// Whether one identity is before another one in the order of ``sorted(_:by:)``.
    static func isLess<ID: Hashable & Encodable>(_ left: ID, _ right: ID) -> Bool {
        if let comparable = ID.self as? any Comparable.Type {
            let isLess = comparison(of: comparable, for: ID.self)
            if isLess(left, right) { return true }
            if isLess(right, left) { return false }
        }
        let texts = KeyTexts<ID>()
        return UTF8Order.isLess(texts.text(of: left), texts.text(of: right))
    }

    private static func comparison<Key: Comparable, ID>(_ type: Key.Type, for id: ID.Type) -> (ID, ID) -> Bool {
        { identical($0, as: Key.self) < identical($1, as: Key.self) }
    }

    private static func comparison<ID>(of type: any Comparable.Type, for id: ID.Type) -> (ID, ID) -> Bool {
        func open<Key: Comparable>(_ type: Key.Type) -> (ID, ID) -> Bool { comparison(type, for: id) }
        return open(type)
    }
}
