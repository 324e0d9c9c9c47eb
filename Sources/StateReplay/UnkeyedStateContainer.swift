internal import JSONCore

struct UnkeyedStateContainer: UnkeyedDecodingContainer {
    let decoder: LevelDecoder
    let elements: JSONArray
    /// The index of the next element; it stays if that cannot be decoded.
    private(set) var currentIndex = 0

    init(decoder: LevelDecoder, elements: JSONArray) {
        self.decoder = decoder
        self.elements = elements
    }

    var codingPath: [any CodingKey] { decoder.codingPath }
    var count: Int? { elements.count }
    var isAtEnd: Bool { currentIndex >= elements.count }

    /// Decodes the next element, and advances if that succeeds.
    private mutating func next<T>(_ type: Any.Type, _ body: (LevelDecoder) throws -> T) throws -> T {
        guard currentIndex < elements.count else {
            throw decoder.place.element(currentIndex)
                .failure(.mismatch(expected: "another element", found: "the end of the array"), type)
        }
        let result = try body(decoder.element(currentIndex, elements[currentIndex]))
        currentIndex += 1
        return result
    }

    mutating func decodeNil() throws -> Bool {
        guard !isAtEnd, !elements[currentIndex].isNull else { return try next(Any?.self) { _ in true } }
        return false
    }

    // One witness for the requirements of all standard types.
    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T { try next(type) { try $0.decode(type) } }
    mutating func decode(_ type: Int128.Type) throws -> Int128 { try next(type) { try $0.decode(type) } }
    mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try next(type) { try $0.decode(type) } }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try next([String: Any].self) { try $0.container(keyedBy: type) }
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try next([Any].self) { try $0.unkeyedContainer() }
    }

    mutating func superDecoder() throws -> any Decoder { try next(Any.self) { $0 as any Decoder } }
}

struct SingleStateContainer: SingleValueDecodingContainer {
    let decoder: LevelDecoder

    var codingPath: [any CodingKey] { decoder.codingPath }

    func decodeNil() -> Bool { decoder.value.isNull }

    // One witness for the requirements of all standard types.
    func decode<T: Decodable>(_ type: T.Type) throws -> T { try decoder.decode(type) }
    func decode(_ type: Int128.Type) throws -> Int128 { try decoder.decode(type) }
    func decode(_ type: UInt128.Type) throws -> UInt128 { try decoder.decode(type) }
}
