internal import JSONCore
internal import JournalFormat
internal import StateEncoding

/// Keeps secrets out of JSON that is not a state: the payload of an action, which has no paths of the state.
///
/// A member is redacted by its name, at any depth, and a number or a text by what it says: what is, or was, redacted in any open
/// store, if that has at least four digits or bytes.
struct PayloadRedaction {
    private let names: Set<String>
    private let searches: [SecretSearch]
    private let key: RedactionKey

    init(names: Set<String>, searches: [SecretSearch], key: RedactionKey) {
        self.names = names
        self.searches = searches.filter { !$0.isEmpty }
        self.key = key
    }

    /// - Complexity: O(n) for a text of n bytes and each length of a secret.
    func redacted(_ text: [UInt8]) -> [UInt8] {
        guard let value = try? JSONParser.parse(text) else { return text }
        return Array(redacted(value).text().utf8)
    }

    private func redacted(_ value: JSONValue) -> JSONValue {
        switch value {
        case .null, .bool: return value
        case .string(let text): return isSecret(text) ? hashed(value) : value
        case .number(let number):
            let canonical = Array(number.text.utf8)
            return searches.contains { $0.matches(number: canonical) } ? hashed(value) : value
        case .array(let elements): return .array(elements.map(redacted))
        case .object(let members):
            var kept = JSONObject()
            for (name, member) in members {
                // A name cannot be redacted by itself: its object goes as a whole.
                if isSecret(name) { return hashed(value) }
                kept[name] = names.contains(name) ? hashed(member) : redacted(member)
            }
            return .object(kept)
        }
    }

    private func isSecret(_ text: String) -> Bool { searches.contains { $0.matches(text: text) } }

    private func hashed(_ value: JSONValue) -> JSONValue {
        var bytes: [UInt8] = []
        key.appendRedacted(Array(value.text(.canonical).utf8), to: &bytes)
        return (try? JSONParser.parse(bytes)) ?? .null
    }
}
