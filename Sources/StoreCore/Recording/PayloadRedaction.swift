internal import JSONCore
internal import JournalFormat
internal import StateEncoding

/// Keeps secrets out of JSON that is not a state: the payload of an action, which has no paths of the state.
///
/// A member is redacted by its name, at any depth, and a scalar by what it says: a secret that the same commit wrote into a
/// redacted part or took out of one, one of the latest that were redacted in any store, or one that a key path ever redacted in an
/// open one.
struct PayloadRedaction {
    /// Shorter texts stand in too many places by chance.
    private static let leastLength = 4

    private let names: Set<String>
    private var secrets: [[UInt8]] = []
    private let isRemembered: ([UInt8]) -> Bool
    private let key: RedactionKey

    /// Redacts members of some names, and the scalars in some canonical texts.
    ///
    /// - Parameter isRemembered: whether a text repeats another one that was redacted.
    init(
        names: Set<String>, found: [[UInt8]], key: RedactionKey,
        isRemembered: @escaping ([UInt8]) -> Bool = { _ in false }
    ) {
        self.names = names
        self.key = key
        self.isRemembered = isRemembered
        for text in found {
            if let value = try? JSONParser.parse(text) { collect(value) }
        }
    }

    private mutating func collect(_ value: JSONValue) {
        switch value {
        case .string(let text): note(Array(text.utf8))
        case .number(let number): note(Array(number.text.utf8))
        case .array(let elements): for element in elements { collect(element) }
        case .object(let members): for (_, member) in members { collect(member) }
        case .null, .bool: break
        }
    }

    private mutating func note(_ text: [UInt8]) {
        if text.count >= PayloadRedaction.leastLength, !secrets.contains(text) { secrets.append(text) }
    }

    /// The text of a value without what must not be in it.
    ///
    /// - Complexity: O(n · m) for a text of n bytes and m secrets.
    func redacted(_ text: [UInt8]) -> [UInt8] {
        guard let value = try? JSONParser.parse(text) else { return text }
        return Array(redacted(value).text().utf8)
    }

    private func redacted(_ value: JSONValue) -> JSONValue {
        switch value {
        case .null, .bool: return value
        case .string(let text): return isSecret(Array(text.utf8)) ? hashed(value) : value
        case .number(let number): return secrets.contains(Array(number.text.utf8)) ? hashed(value) : value
        case .array(let elements): return .array(elements.map(redacted))
        case .object(let members):
            var kept = JSONObject()
            for (name, member) in members {
                // A name cannot be redacted by itself: its object goes as a whole.
                if isSecret(Array(name.utf8)) { return hashed(value) }
                kept[name] = names.contains(name) ? hashed(member) : redacted(member)
            }
            return .object(kept)
        }
    }

    private func isSecret(_ text: [UInt8]) -> Bool {
        secrets.contains { secret in
            guard text.count >= secret.count else { return false }
            return (0...(text.count - secret.count)).contains { text[$0...].starts(with: secret) }
        } || isRemembered(text)
    }

    private func hashed(_ value: JSONValue) -> JSONValue {
        var bytes: [UInt8] = []
        key.appendRedacted(Array(value.text(.canonical).utf8), to: &bytes)
        return (try? JSONParser.parse(bytes)) ?? .null
    }
}
