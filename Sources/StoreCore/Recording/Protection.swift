internal import JSONCore
internal import JournalFormat
internal import StateEncoding

/// What a recorder keeps out of its journal.
struct Protection: Sendable {
    private let paths: [PathSteps]
    private let properties: [any AnyKeyPath & Sendable]
    /// The key of all hashes.
    let key: RedactionKey
    /// Which leaves are too large to be written.
    let valueLimit: ValueLimit?

    init(_ redactions: [Redaction], key: RedactionKey, valueLimit: Int?) {
        var paths: [PathSteps] = []
        var properties: [any AnyKeyPath & Sendable] = []
        for redaction in redactions {
            switch redaction.target {
            case .path(let path): paths.append(path)
            case .property(let property): properties.append(property)
            }
        }
        self.paths = paths
        self.properties = properties
        self.key = key
        self.valueLimit = valueLimit.map { ValueLimit(bytes: max($0, 2), key: key) }
    }

    /// The same key and limit, for what is redacted as a whole, or not at all.
    var withoutRedactions: Protection { Protection([], key: key, valueLimit: valueLimit?.bytes) }

    /// Whether anything is redacted in any store.
    var hasRedactions: Bool { !paths.isEmpty || !properties.isEmpty }

    /// What paths redact in a store.
    ///
    /// - Parameters:
    ///   - name: the store's name in the journal.
    ///   - wanted: the name that it asked for: a second `session` is `session_2`, and its token as secret as the first's.
    func paths(inStore name: String, wanted: String) -> RedactionPaths {
        let whole = RedactionPaths(paths.map { $0.steps[...] }, key: key)
        let paths = whole.isMatch ? whole : whole.below(member: name)
        return name == wanted ? paths : paths.union(whole.below(member: wanted))
    }

    /// The redacted properties of a type of state.
    func properties<State>(of type: State.Type) -> [PartialKeyPath<State>] {
        properties.compactMap { $0 as? PartialKeyPath<State> }
    }

    /// What stands for a value that says something redacted.
    ///
    /// - Parameter value: its JSON text.
    func redacted(_ value: [UInt8]) -> [UInt8] {
        let canonical = (try? JSONParser.parse(value)).map { Array($0.text(.canonical).utf8) }
        var bytes: [UInt8] = []
        key.appendRedacted(canonical ?? value, to: &bytes)
        return bytes
    }

    /// A value without the strings in it that are too large.
    ///
    /// - Parameter value: its JSON text.
    func limited(_ value: [UInt8]) -> [UInt8] {
        guard let valueLimit, value.count > valueLimit.bytes, let json = try? JSONParser.parse(value) else {
            return value
        }
        return Array(valueLimit.limited(json).text().utf8)
    }

    /// The names that the members have which paths redact: what an action's payload may have under the same name.
    var memberNames: [String] { paths.compactMap { RedactionPaths.memberName($0.steps[...]) } }
}
