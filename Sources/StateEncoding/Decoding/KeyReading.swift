internal import JSONCore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The way back from the text of a key to the key.
package enum KeyReading {
    /// A key from its text, by the forms that keys of a journal's objects have; nil where it has no such form, or the text is
    /// none of its own.
    package static func key<Key>(_ type: Key.Type, from text: String) -> Key? {
        if type == UUID.self { return UUID(uuidString: text) as? Key }
        if let lossless = type as? any LosslessStringConvertible.Type { return lossless.init(text) as? Key }
        if let raw = type as? any RawRepresentable.Type { return key(raw, from: text) as? Key }
        if let coding = type as? any CodingKeyRepresentable.Type {
            return coding.init(codingKey: TextKey(stringValue: text)) as? Key
        }
        return nil
    }

    private static func key<Raw: RawRepresentable>(_ type: Raw.Type, from text: String) -> Raw? {
        key(Raw.RawValue.self, from: text).flatMap { Raw(rawValue: $0) }
    }

    /// Whether a text gives a key back: then no other key has that text, since it would give that one.
    package static func leadsBack<Key: Hashable>(_ text: String, to key: Key) -> Bool {
        Self.key(Key.self, from: text) == key
    }
}
