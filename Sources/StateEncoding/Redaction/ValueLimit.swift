package import JSONCore
package import JournalFormat

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// How large a leaf of a state may be: a longer one is written as its size and its hash.
///
/// The text of a large value is hashed piece by piece and never held.
package struct ValueLimit: Sendable {
    /// The longest JSON text of a leaf, in bytes.
    package let bytes: Int
    let key: RedactionKey

    package init(bytes: Int, key: RedactionKey) {
        self.bytes = bytes
        self.key = key
    }

    /// Text goes through the hash in pieces of about this many bytes; of base64 a multiple of three.
    private static let pieceLength = 3 << 12

    /// Strings below this length, in bytes of UTF-8, are within the limit however they are escaped.
    var leastLength: Int { (bytes - 2) / 6 }

    func append(_ text: String, to output: inout [UInt8]) {
        text.withBytes { utf8 in
            let length = 2 + ValueLimit.escapedLength(utf8)
            if length <= bytes {
                output.append(UInt8(ascii: "\""))
                JSONText.appendEscaped(utf8: utf8, to: &output)
                output.append(UInt8(ascii: "\""))
                return
            }
            var hash = key.hash
            ValueLimit.update(&hash, "\"")
            var piece: [UInt8] = []
            for start in stride(from: 0, to: utf8.count, by: ValueLimit.pieceLength) {
                let end = min(start + ValueLimit.pieceLength, utf8.count)
                piece.removeAll(keepingCapacity: true)
                JSONText.appendEscaped(utf8: utf8.extracting(start..<end), to: &piece)
                piece.withBytes { hash.update($0) }
            }
            ValueLimit.update(&hash, "\"")
            RedactionKey.appendOmitted(byteCount: length, hash: hash, to: &output)
        }
    }

    /// What stands for binary data that is too large; nil for everything else.
    ///
    /// The data's base64 text is not made as a whole. Other leaves are strings before anybody asks.
    func omitted<Value>(_ value: Value) -> Scalar? {
        guard Value.self == Data.self, let data = value as? Data else { return nil }
        let length = 2 + (data.count + 2) / 3 * 4
        guard length > bytes else { return nil }
        var hash = key.hash
        ValueLimit.update(&hash, "\"")
        var start = data.startIndex
        while start < data.endIndex {
            let end = min(start + ValueLimit.pieceLength, data.endIndex)
            [UInt8](data[start..<end].base64EncodedData()).withBytes { hash.update($0) }
            start = end
        }
        ValueLimit.update(&hash, "\"")
        var text: [UInt8] = []
        RedactionKey.appendOmitted(byteCount: length, hash: hash, to: &text)
        return .number(String(decoding: text, as: UTF8.self))
    }

    /// A JSON value with what stands for the strings in it that are too large.
    package func limited(_ value: JSONValue) -> JSONValue {
        switch value {
        case .null, .bool, .number: return value
        case .array(let elements): return .array(elements.map(limited))
        case .object(var members):
            for (name, member) in members { members[name] = limited(member) }
            return .object(members)
        case .string(let text):
            var bytes: [UInt8] = []
            append(text, to: &bytes)
            return (try? JSONParser.parse(bytes)) ?? .null
        }
    }

    private static func update(_ hash: inout KeyedHash, _ text: StaticString) {
        hash.update(ByteView(text))
    }

    private static func escapedLength(_ utf8: ByteView) -> Int {
        utf8.reduce(0) { $0 + JSONText.escapedLength(of: $1) }
    }
}
