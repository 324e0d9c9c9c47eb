import JSONCore

struct SecretTexts {
    /// Shorter texts stand in too many places by chance.
    static let leastLength = 4
    /// The front of a longer text stands for it.
    static let longestLength = 256
    private(set) var texts = Set<[UInt8]>()
    private(set) var numbers = Set<JSONNumber>()
    var numberTexts: [[UInt8]] { numbers.flatMap { [$0.text, $0.plainText].compactMap { $0.map { Array($0.utf8) } } } }

    mutating func collect(_ value: JSONValue) {
        if value.isRedacted { return }
        switch value {
        case .string(let text): note(text)
        case .number(let number): if number.isSecretive { numbers.insert(number) }
        case .array(let elements): for element in elements { collect(element) }
        case .object(let members):
            for (name, member) in members {
                collect(key: name)
                collect(member)
            }
        case .null, .bool: break
        }
    }

    /// Notes the name of a member: an address as a key may be a secret, the name of a property is none.
    mutating func collect(key name: String) {
        if !SecretTexts.isPlainName(name) { note(name) }
    }

    private static func isPlainName(_ name: String) -> Bool {
        name.utf8.allSatisfy { ($0 | 0x20) &- 97 < 26 || $0 == 0x5F || $0 &- 48 < 10 } && (name.utf8.first ?? 0) > 57
    }

    private mutating func note(_ text: String) {
        var bytes = Array(text.utf8)
        guard bytes.count >= SecretTexts.leastLength else { return }
        if bytes.count > SecretTexts.longestLength {
            var end = SecretTexts.longestLength
            while bytes[end] & 0xC0 == 0x80 { end -= 1 }
            bytes.removeSubrange(end...)
        }
        texts.insert(bytes)
    }
}

extension JSONNumber {
    /// Whether it is long enough to be distinguished from others; equal numbers are alike in that.
    var isSecretive: Bool { (plainText ?? text).utf8.count >= SecretTexts.leastLength }
}
