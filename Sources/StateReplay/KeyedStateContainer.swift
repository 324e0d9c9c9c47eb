internal import JSONCore

struct KeyedStateContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoder: LevelDecoder
    let members: JSONObject

    var codingPath: [any CodingKey] { decoder.codingPath }
    var allKeys: [Key] { members.compactMap { Key(stringValue: $0.key) } }

    func contains(_ key: Key) -> Bool { members[key.stringValue] != nil }

    private func member(_ key: Key) throws -> LevelDecoder {
        guard let value = members[key.stringValue] else {
            let context = DecodingError.Context(codingPath: codingPath, debugDescription: "there is no such member")
            throw DecodingError.keyNotFound(key, context)
        }
        return decoder.member(key.stringValue, value)
    }

    func decodeNil(forKey key: Key) throws -> Bool { try member(key).value.isNull }

    // One witness for the requirements of all standard types.
    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T { try member(key).decode(type) }
    func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try member(key).decode(type) }
    func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try member(key).decode(type) }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try member(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try member(key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { superDecoder(named: "super") }
    func superDecoder(forKey key: Key) throws -> any Decoder { superDecoder(named: key.stringValue) }

    /// What a superclass wrote; a decoder of null where it wrote nothing.
    private func superDecoder(named name: String) -> LevelDecoder {
        decoder.member(name, members[name] ?? .null)
    }
}
