import JSONCore
import JournalFormat

/// What stands for the values that a journal must not hold: keyed hashes, equal for equal values.
struct RedactedValues {
    private let key: RedactionKey
    let paths: PathMatcher

    init(_ paths: PathMatcher, _ key: RedactionKey) {
        self.paths = paths
        self.key = key
    }

    /// The hash of a value; one that is a hash already stays, so that redacting twice changes nothing.
    func hash(_ value: JSONValue) -> JSONValue {
        if value.isRedacted { return value }
        var bytes: [UInt8] = []
        key.appendRedacted(Array(value.withPlainNumbers.text(.canonical).utf8), to: &bytes)
        return (try? JSONParser.parse(bytes)) ?? .null
    }

    func mark(_ text: String) -> String {
        guard case .object(let members) = hash(.string(text)), let hash = members["$redacted"]?.string else {
            return ""
        }
        return "[redacted:\(hash)]"
    }

    func redacted(_ value: JSONValue, at path: [String]) -> JSONValue {
        switch paths.meeting(path) {
        case .outside: value
        case .inside: hash(value)
        case .above(let place): redacted(value, below: place)
        }
    }

    func redacted(_ value: JSONValue, below place: PathMatcher.Place) -> JSONValue {
        paths.replacing(in: value, at: place) { .value(hash($0)) }
    }
}

extension JSONValue {
    static let redactionKey = "$redacted"

    /// Whether it stands for a value that was left out; anything but a hash may be a value itself.
    var isRedacted: Bool {
        guard case .object(let members) = self, members.count == 1,
            let hash = members[JSONValue.redactionKey]?.string?.utf8, hash.count == 16
        else { return false }
        return hash.allSatisfy { $0 &- 48 < 10 || $0 &- 97 < 6 }
    }

    /// The value with each number in the one form that equal numbers share.
    var withPlainNumbers: JSONValue {
        switch self {
        case .number(let number): .number(JSONNumber(literal: number.normalText))
        case .array(let elements): .array(elements.map(\.withPlainNumbers))
        case .object(let members): .object(JSONObject(members.map { ($0.key, $0.value.withPlainNumbers) }))
        case .null, .bool, .string: self
        }
    }
}
