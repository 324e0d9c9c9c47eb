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
        key.appendRedacted(Array(value.text(.canonical).utf8), to: &bytes)
        return (try? JSONParser.parse(bytes)) ?? .null
    }

    /// The hash of a text, as it stands in the middle of another one.
    func mark(_ text: String) -> String {
        guard case .object(let members) = hash(.string(text)), let hash = members["$redacted"]?.string else {
            return ""
        }
        return "[redacted:\(hash)]"
    }

    /// A value with everything in it that matches.
    ///
    /// - Parameter path: where it is in the whole state.
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
    /// Whether it stands for a value that was left out.
    var isRedacted: Bool {
        guard case .object(let members) = self, members.count == 1 else { return false }
        return members["$redacted"] != nil
    }
}
