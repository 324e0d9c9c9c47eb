internal import JSONCore
internal import StateEncoding

/// A dictionary, which the journal has as an object whatever its keys are.
///
/// The standard library's own decoding expects an array of keys and values in turns for most types of keys.
protocol TableDecodable {
    static func decode(_ decoder: LevelDecoder) throws -> Self
}

extension Dictionary: TableDecodable where Key: Decodable, Value: Decodable {
    static func decode(_ decoder: LevelDecoder) throws -> [Key: Value] {
        let members = try decoder.members(Self.self)
        var table: [Key: Value] = [:]
        table.reserveCapacity(members.count)
        for (text, value) in members {
            let member = decoder.member(text, value)
            let key = try member.key(text, Key.self)
            guard table.updateValue(try member.decode(Value.self), forKey: key) == nil else {
                throw member.place.failure(.refused("another member has an equal key"), Key.self)
            }
        }
        return table
    }
}

extension LevelDecoder {
    /// The key that a member's name stands for.
    func key<Key: Decodable>(_ text: String, _ type: Key.Type) throws -> Key {
        if type == String.self, let key = text as? Key { return key }
        guard KeyReading.hasForm(type) else { return try encodedKey(text, type) }
        guard let key = KeyReading.key(type, from: text) else {
            throw place.failure(.refused("'\(text)' is not a key of type '\(type)'"), type)
        }
        return key
    }

    /// A key that encodes as a string is that string, any other its canonical JSON text.
    private func encodedKey<Key: Decodable>(_ text: String, _ type: Key.Type) throws -> Key {
        do {
            return try LevelDecoder(.string(text), at: place, pass).decode(type)
        } catch {
            guard let value = try? JSONParser.parse(text) else { throw error }
            return try LevelDecoder(value, at: place, pass).decode(type)
        }
    }
}
