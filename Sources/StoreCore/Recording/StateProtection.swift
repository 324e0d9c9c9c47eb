internal import StateEncoding

/// What a recorder keeps out of the states of one store; none of it changes, so that any thread may encode by it.
///
/// An object, because each `Changes` has it, and would have the type of a struct looked up.
final class StateProtection<State: Sendable>: Sendable {
    let protection: Protection
    /// The store's name in the journal, and the one that it asked for.
    let name: String
    let wanted: String
    /// The members that lead from the store's state to this one; nil for one that is not known, which may be any.
    private let place: [String?]
    /// Whether all of it is kept out by now; nil where paths and properties tell.
    private let isSecret: (@Sendable () -> Bool)?

    init(
        protection: Protection, name: String, wanted: String, place: [String?] = [],
        isSecret: (@Sendable () -> Bool)? = nil
    ) {
        self.protection = protection
        self.name = name
        self.wanted = wanted
        self.place = place
        self.isSecret = isSecret
    }

    /// The redacted properties of this type of state.
    private var properties: [PartialKeyPath<State>] { protection.properties(of: State.self) }

    /// What paths redact, without what properties do; nil where nothing is redacted.
    var paths: RedactionPaths? {
        if isSecret?() ?? false { return RedactionPaths([[]], key: protection.key) }
        var paths = protection.paths(inStore: name, wanted: wanted)
        for member in place where !paths.isMatch {
            paths = member.map { paths.below(member: $0) } ?? paths.belowAnyMember()
        }
        return paths.isEmpty && properties.isEmpty ? nil : paths
    }

    /// What is kept out of a part of the state.
    func below<Part: Sendable>(_ place: [String?]) -> StateProtection<Part> {
        StateProtection<Part>(
            protection: protection, name: name, wanted: wanted, place: self.place + place, isSecret: isSecret)
    }
}

extension StateProtection where State: Encodable {
    /// The redacted properties of this type of state, which are nowhere yet.
    var redactedProperties: [RedactedProperty<State>] { properties.map { RedactedProperty($0) } }

    /// What is redacted, with properties where they are; nil where nothing is.
    func paths(with properties: [RedactedProperty<State>]) -> RedactionPaths? {
        var paths = paths
        for property in properties { paths?.insert(property.segments) }
        return paths
    }

    /// How some states are encoded so that none says what it must not.
    ///
    /// - Complexity: that of ``RedactedProperty/look(in:)`` for each property and state.
    func options(for states: [State]) -> EncodingOptions {
        var options = EncodingOptions(redaction: paths, valueLimit: protection.valueLimit)
        if properties.isEmpty { return options }
        for state in states {
            for var property in redactedProperties {
                property.look(in: state)
                options.redaction?.insert(property.segments)
            }
        }
        return options
    }
}
