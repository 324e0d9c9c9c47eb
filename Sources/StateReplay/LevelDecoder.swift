internal import JSONCore

/// The `Decoder` that a value's `init(from:)` gets.
struct LevelDecoder: Decoder {
    let value: JSONValue
    let place: DecodingPlace
    let pass: DecodingPass

    init(_ value: JSONValue, at place: DecodingPlace, _ pass: DecodingPass) {
        self.value = value
        self.place = place
        self.pass = pass
    }

    var codingPath: [any CodingKey] { place.codingPath }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(KeyedStateContainer<Key>(decoder: self, members: try members([String: Any].self)))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try checkPresence([Any].self)
        guard case .array(let elements) = value else { throw mismatch([Any].self, "an array") }
        return UnkeyedStateContainer(decoder: self, elements: elements)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer {
        SingleStateContainer(decoder: self)
    }

    /// Decodes the value, in the journal's own form if its type has one.
    func decode<T: Decodable>(_ type: T.Type) throws -> T {
        try checkPresence(type)
        if let leaf = type as? any LeafDecodable.Type, let scalar = try decodeLeaf(leaf) as? T { return scalar }
        return try pass.nested(at: place) {
            if let table = type as? any TableDecodable.Type, let value = try table.decode(self) as? T { return value }
            return try T(from: self)
        }
    }

    private func decodeLeaf<Leaf: LeafDecodable>(_ type: Leaf.Type) throws -> Leaf {
        guard let leaf = Leaf.read(value) else { throw mismatch(type, Leaf.expectation) }
        return leaf
    }

    func members(_ type: Any.Type) throws -> JSONObject {
        try checkPresence(type)
        guard case .object(let members) = value else { throw mismatch(type, "an object") }
        return members
    }

    func member(_ name: String, _ value: JSONValue) -> LevelDecoder {
        LevelDecoder(value, at: place.member(name), pass)
    }

    func element(_ index: Int, _ value: JSONValue) -> LevelDecoder {
        LevelDecoder(value, at: place.element(index), pass)
    }

    /// Throws if the journal has a stand-in for the value, or no room is left on the stack.
    private func checkPresence(_ type: Any.Type) throws {
        try pass.checkRoom(at: place, type)
        guard case .object(let members) = value, members.count == 1 else { return }
        if case .string? = members["$redacted"] { throw place.failure(.redacted, type) }
        if case .object? = members["$omitted"] { throw place.failure(.omitted, type) }
    }

    private func mismatch(_ type: Any.Type, _ expected: String) -> DecodingError {
        place.failure(.mismatch(expected: expected, found: value.summary), type)
    }
}

extension JSONValue {
    private static var summaryLength: Int { 40 }

    /// The value as an error names it: scalars in full if they are short, anything else by its kind.
    fileprivate var summary: String {
        switch self {
        case .null: return "null"
        case .bool, .number:
            let text = text(.canonical)
            return text.utf8.count > Self.summaryLength ? "a number of \(text.utf8.count) digits" : text
        case .string(let string):
            return string.utf8.count > Self.summaryLength
                ? "a string of \(string.utf8.count) bytes" : "the string \(text(.canonical))"
        case .array(let elements): return "an array of \(elements.count)"
        case .object(let members): return "an object of \(members.count)"
        }
    }
}
