import JSONCore

/// The scalars that were redacted somewhere, to be kept out of what has no path of the state: payloads, outcomes, marks, errors.
struct SecretTexts {
    /// Shorter texts stand in too many places by chance.
    static let leastLength = 4

    private var known = Set<[UInt8]>()
    /// By their first bytes, so that a text is gone through once, whatever their number.
    private var byStart: [UInt32: [[UInt8]]] = [:]

    /// Notes every string and number in a value.
    mutating func collect(_ value: JSONValue) {
        if value.isRedacted { return }
        switch value {
        case .string(let text): note(Array(text.utf8))
        case .number(let number): note(Array(number.text.utf8))
        case .array(let elements): for element in elements { collect(element) }
        case .object(let members):
            for (name, member) in members {
                if !SecretTexts.isPlainName(name) { note(Array(name.utf8)) }
                collect(member)
            }
        case .null, .bool: break
        }
    }

    /// Names of members as programs write them are no secrets; an address as a key may be one.
    private static func isPlainName(_ name: String) -> Bool {
        name.utf8.allSatisfy { ($0 | 0x20) &- 97 < 26 || $0 == 0x5F || $0 &- 48 < 10 } && (name.utf8.first ?? 0) > 57
    }

    private mutating func note(_ text: [UInt8]) {
        guard text.count >= SecretTexts.leastLength, known.insert(text).inserted else { return }
        byStart[SecretTexts.start(text, 0), default: []].append(text)
    }

    private static func start(_ text: [UInt8], _ index: Int) -> UInt32 {
        UInt32(text[index]) << 24 | UInt32(text[index + 1]) << 16 | UInt32(text[index + 2]) << 8
            | UInt32(text[index + 3])
    }

    /// Whether one of them stands in a text.
    func isIn(_ text: String) -> Bool { replaced(in: text) { _ in "" } != nil }

    /// The text with each of them in it replaced; nil where none is.
    ///
    /// - Complexity: O(n) but for the secrets that share their first four bytes.
    func replaced(in text: String, by mark: (String) -> String) -> String? {
        let bytes = Array(text.utf8)
        guard bytes.count >= SecretTexts.leastLength, !byStart.isEmpty else { return nil }
        var kept: [UInt8] = []
        var isChanged = false
        var index = 0
        while index < bytes.count {
            if let secret = secret(in: bytes, at: index) {
                kept += Array(mark(String(decoding: secret, as: UTF8.self)).utf8)
                index += secret.count
                isChanged = true
            } else {
                kept.append(bytes[index])
                index += 1
            }
        }
        return isChanged ? String(decoding: kept, as: UTF8.self) : nil
    }

    /// The longest of them that begins at a byte.
    private func secret(in bytes: [UInt8], at index: Int) -> [UInt8]? {
        guard index + SecretTexts.leastLength <= bytes.count,
            let candidates = byStart[SecretTexts.start(bytes, index)]
        else { return nil }
        return candidates.filter { bytes[index...].starts(with: $0) }.max { $0.count < $1.count }
    }
}
