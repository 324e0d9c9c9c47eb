internal import JSONCore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// How the keys of one type of dictionary become the names of a JSON object.
final class KeyText {
    private enum Form {
        case string
        case integer
        case lossless
        case rawValue
        case codingKey
        case encoded
    }

    private let form: Form
    /// Whether a hash stands for each key.
    private let isHashed: Bool
    /// Whether different keys surely have different texts, so that no check is needed.
    let isDistinct: Bool

    /// Decides for a type; the first of the forms that it has, in the order of the journal's table of values.
    ///
    /// - Parameter isRedacted: whether a part of the keys is redacted, so that they are written as they encode.
    init(_ type: any Encodable.Type, isRedacted: Bool = false, isHashed: Bool = false) {
        self.isHashed = isHashed
        if isRedacted {
            form = .encoded
        } else if type == String.self {
            form = .string
        } else if type == Int.self {
            form = .integer
        } else if type is any LosslessStringConvertible.Type {
            form = .lossless
        } else if type is any RawRepresentable.Type {
            form = .rawValue
        } else if type is any CodingKeyRepresentable.Type {
            form = .codingKey
        } else {
            form = .encoded
        }
        isDistinct =
            !isRedacted && !isHashed && (form == .string || type is any FixedWidthInteger.Type || type == UUID.self)
    }

    func text<Key: Encodable>(of key: Key, _ pass: EncodingPass) throws(StateEncodingError) -> String {
        let text = try clearText(of: key, pass)
        return isHashed ? pass.hashedText(text) : text
    }

    private func clearText<Key: Encodable>(
        of key: Key, _ pass: EncodingPass
    ) throws(StateEncodingError) -> String {
        switch form {
        case .string: return identical(key, as: String.self)
        case .integer: return String(identical(key, as: Int.self))
        case .lossless: return (key as? any LosslessStringConvertible)?.description ?? ""
        case .codingKey: return (key as? any CodingKeyRepresentable)?.codingKey.stringValue ?? ""
        case .rawValue:
            guard let raw = key as? any RawRepresentable, let text = Self.text(ofRawValue: raw) else { break }
            return text
        case .encoded: break
        }
        return try encodedText(of: key, pass)
    }

    private static func text(ofRawValue key: some RawRepresentable) -> String? {
        (key.rawValue as? any LosslessStringConvertible)?.description
    }

    /// A key that encodes as a string is that string; any other is its canonical JSON text.
    private func encodedText<Key: Encodable>(of key: Key, _ pass: EncodingPass) throws(StateEncodingError) -> String {
        let tree = pass.child(of: key, base: nil)
        if case .scalar(.string(let text)) = try pass.structure(of: tree) { return text }
        var bytes: [UInt8] = []
        try pass.appendClear(tree, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension EncodingPass {
    /// Appends the one JSON text that all encodings of a value share: members in ascending order of their names' UTF-8.
    func appendCanonical(_ tree: EncodedTree, to bytes: inout [UInt8]) throws(StateEncodingError) {
        if let redaction, redaction.isRedacted, !tree.isWritten {
            return try appendRedacted(tree, to: &bytes)
        }
        switch tree {
        case .scalar(let scalar):
            append(scalar, to: &bytes)
        case .value(let node):
            try nested(node.traits) { () throws(StateEncodingError) in
                try appendCanonical(node.shape(self), to: &bytes)
            }
        case .array(let array):
            bytes.append(UInt8(ascii: "["))
            for (place, element) in array.elements.enumerated() {
                if place > 0 { bytes.append(UInt8(ascii: ",")) }
                try at(.index(place)) { () throws(StateEncodingError) in try appendCanonical(element, to: &bytes) }
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let object):
            try appendCanonical(object, to: &bytes)
        }
    }

    private func appendCanonical(_ object: ObjectNode, to bytes: inout [UInt8]) throws(StateEncodingError) {
        let places = object.keys.indices.sorted { UTF8Order.isLess(object.keys[$0], object.keys[$1]) }
        bytes.append(UInt8(ascii: "{"))
        for (index, place) in places.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            let key = object.keys[place]
            JSONText.append(string: key, to: &bytes)
            bytes.append(UInt8(ascii: ":"))
            try at(.key(key)) { () throws(StateEncodingError) in
                try appendCanonical(object.values[place], to: &bytes)
            }
        }
        bytes.append(UInt8(ascii: "}"))
    }
}

/// The texts of values as the keys of a JSON object, outside of an encoding.
package struct KeyTexts<Key: Hashable & Encodable> {
    private let pass = EncodingPass(options: EncodingOptions())
    private let keyText = KeyText(Key.self)

    package init() {}

    /// The text of a key; empty if it has no JSON form, which the recorder reports when it meets it.
    package func text(of key: Key) -> String { (try? encodedText(of: key)) ?? "" }

    /// - Throws: why it has no JSON form.
    package func encodedText(of key: Key) throws(StateEncodingError) -> String { try keyText.text(of: key, pass) }
}

package struct TextKey: CodingKey {
    package let stringValue: String
    // Always text: an encoder that sees a number may make an array of the table.
    package var intValue: Int? { nil }

    package init(stringValue: String) { self.stringValue = stringValue }
    package init?(intValue: Int) { nil }
}

/// Makes keys of their texts: the reverse of ``KeyText``.
package enum KeyReading {
    /// A key from its text, by the forms that keys of a journal's objects have; nil where the type has no such form, or the
    /// text stands for none of its keys.
    package static func key<Key>(_ type: Key.Type, from text: String) -> Key? {
        if type == UUID.self { return UUID(uuidString: text) as? Key }
        if let lossless = type as? any LosslessStringConvertible.Type { return lossless.init(text) as? Key }
        if let raw = type as? any RawRepresentable.Type { return key(raw, from: text) as? Key }
        if let coding = type as? any CodingKeyRepresentable.Type {
            return coding.init(codingKey: NumberedKey(text)) as? Key
        }
        return nil
    }

    private static func key<Raw: RawRepresentable>(_ type: Raw.Type, from text: String) -> Raw? {
        key(Raw.RawValue.self, from: text).flatMap { Raw(rawValue: $0) }
    }

    /// Whether keys of a type have a text of their own; those of any other type have the text of what they encode.
    package static func hasForm(_ type: Any.Type) -> Bool {
        func hasText<Raw: RawRepresentable>(_: Raw.Type) -> Bool {
            Raw.RawValue.self is any LosslessStringConvertible.Type
        }
        if type is any LosslessStringConvertible.Type { return true }
        if let raw = type as? any RawRepresentable.Type { return hasText(raw) }
        return type is any CodingKeyRepresentable.Type
    }

    /// Whether a text gives a key back: then no other key has that text, since it would give that one.
    package static func leadsBack<Key: Hashable>(_ text: String, to key: Key) -> Bool {
        Self.key(Key.self, from: text) == key
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
