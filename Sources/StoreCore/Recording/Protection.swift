internal import JSONCore
internal import JournalFormat
internal import StateEncoding

struct Protection: Sendable {
    private let paths: [RedactionPaths.Pattern]
    let types: TypeRedactions
    let payloads: [CaseRedaction]
    let key: RedactionKey
    let valueLimit: ValueLimit?

    init(_ redactions: [Redaction], key: RedactionKey, valueLimit: Int?) {
        var paths: [RedactionPaths.Pattern] = []
        var types: [ObjectIdentifier: [TypeRedaction]] = [:]
        var payloads: [CaseRedaction] = []
        for redaction in redactions {
            let entry = RedactionEntry(redaction.text, isRequired: redaction.isRequired)
            switch redaction.target {
            case .path(let path): paths.append(RedactionPaths.Pattern(path.steps[...], entry))
            case .property(let keyPath):
                // What an optional holds is encoded without it.
                var root: Any.Type? = type(of: keyPath as AnyKeyPath).rootType
                while let type = root {
                    types[ObjectIdentifier(type), default: []].append(TypeRedaction(.keyPath(keyPath), entry))
                    root = (type as? any OptionalType.Type)?.wrapped
                }
            case .payload(let action, let position):
                payloads.append(CaseRedaction(action: action, position: position, entry: entry))
            }
        }
        self.paths = paths
        self.types = TypeRedactions(types, key: key, own: Protection.ownRedactions)
        self.payloads = payloads
        self.key = key
        self.valueLimit = valueLimit.map { ValueLimit(bytes: max($0, 2), key: key) }
    }

    private static func ownRedactions(of type: Any.Type) -> [TypeRedaction] {
        guard let type = type as? any RedactedState.Type else { return [] }
        return type.redacted.map { redaction in
            let entry = RedactionEntry("\(redaction.text) of \(type)", isRequired: redaction.isRequired)
            switch redaction.target {
            case .path(let path): return TypeRedaction(.path(path.steps), entry)
            case .property(let keyPath): return TypeRedaction(.keyPath(keyPath), entry)
            // A payload is no part of a value: all of the value is kept out, rather than nothing.
            case .payload: return TypeRedaction(.path([]), entry)
            }
        }
    }

    /// This protection without redactions, for values that are redacted as a whole or not at all.
    var withoutRedactions: Protection { Protection([], key: key, valueLimit: valueLimit?.bytes) }

    /// Whether anything is redacted in any store, as far as is known by now.
    var hasRedactions: Bool { !paths.isEmpty || types.isActive }

    /// The redactions that have to match, and did not.
    var unmatched: [String] {
        (paths.compactMap(\.entry) + types.entries + payloads.map(\.entry)).filter { $0.isRequired && !$0.isMatched }
            .map(\.text)
    }

    /// What paths redact in a store.
    ///
    /// - Parameter wanted: the name that it asked for: a second `session` is `session_2`, and its token as secret as
    ///   the first's.
    func paths(inStore name: String, wanted: String) -> RedactionPaths {
        let whole = RedactionPaths(paths, key: key)
        let paths = whole.isMatch ? whole : whole.below(member: name)
        return UTF8Order.equal(name, wanted) ? paths : paths.union(whole.below(member: wanted))
    }

    /// What stands for a value, given as its JSON text, that says something redacted.
    func redacted(_ value: [UInt8]) -> [UInt8] {
        let canonical = (try? JSONParser.parse(value)).map { Array($0.text(.canonical).utf8) }
        var bytes: [UInt8] = []
        key.appendRedacted(canonical ?? value, to: &bytes)
        return bytes
    }

    /// A value, given as its JSON text, without the strings in it that are too large.
    func limited(_ value: [UInt8]) -> [UInt8] {
        guard let valueLimit, value.count > valueLimit.bytes, let json = try? JSONParser.parse(value) else {
            return value
        }
        return Array(valueLimit.limited(json).text().utf8)
    }

    /// The names that the members have which are redacted: what an action's payload may have under the same name.
    var memberNames: Set<String> {
        types.memberNames.union(paths.compactMap { RedactionPaths.memberName($0) })
    }
}

/// An optional, whatever it is one of.
private protocol OptionalType {
    static var wrapped: Any.Type { get }
}

extension Optional: OptionalType { fileprivate static var wrapped: Any.Type { Wrapped.self } }
