internal import JSONCore

/// A dictionary, which the journal has as an object whatever its keys are.
///
/// The standard library's own decoding expects an array of keys and values in turns for most types of keys.
protocol TableDecodable {
    /// The dictionary that an object stands for.
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
    /// The key that a member's name stands for; the reverse of ``KeyText``, form by form.
    func key<Key: Decodable>(_ text: String, _ type: Key.Type) throws -> Key {
        if type == String.self, let key = text as? Key { return key }
        let found: Any?
        if let lossless = type as? any LosslessStringConvertible.Type {
            found = Self.lossless(text, lossless)
        } else if let raw = type as? any RawRepresentable.Type, Self.hasText(rawValueOf: raw) {
            found = Self.rawRepresentable(text, raw)
        } else if let codingKey = type as? any CodingKeyRepresentable.Type {
            found = codingKey.init(codingKey: NumberedKey(text))
        } else {
            return try encodedKey(text, type)
        }
        guard let key = found as? Key else {
            throw place.failure(.refused("'\(text)' is no key of type '\(type)'"), type)
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

    private static func lossless<Key: LosslessStringConvertible>(_ text: String, _ type: Key.Type) -> Key? {
        Key(text)
    }

    private static func hasText<Key: RawRepresentable>(rawValueOf type: Key.Type) -> Bool {
        Key.RawValue.self is any LosslessStringConvertible.Type
    }

    private static func rawRepresentable<Key: RawRepresentable>(_ text: String, _ type: Key.Type) -> Key? {
        guard let raw = Key.RawValue.self as? any LosslessStringConvertible.Type else { return nil }
        return (lossless(text, raw) as? Key.RawValue).flatMap { Key(rawValue: $0) }
    }
}

/// A member's name as a coding key, with its number where it is one.
private struct NumberedKey: CodingKey {
    let stringValue: String
    var intValue: Int? { Int(stringValue) }

    init(_ text: String) { stringValue = text }
    init(stringValue: String) { self.stringValue = stringValue }
    init(intValue: Int) { stringValue = String(intValue) }
}
