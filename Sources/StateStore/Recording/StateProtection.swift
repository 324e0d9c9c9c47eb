internal import JSONCore

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

    init(protection: Protection, name: String, wanted: String, place: [String?] = []) {
        self.protection = protection
        self.name = name
        self.wanted = wanted
        self.place = place
    }

    /// The redacted properties of this type of state.
    private var properties: [PartialKeyPath<State>] { protection.properties(of: State.self) }

    /// What paths redact, without what properties do; nil where nothing is redacted.
    var paths: RedactionPaths? {
        var paths = protection.paths(inStore: name, wanted: wanted)
        for member in place where !paths.isMatch {
            paths = member.map { paths.below(member: $0) } ?? paths.belowAnyMember()
        }
        return paths.isEmpty && properties.isEmpty ? nil : paths
    }

    /// What is kept out of a part of the state.
    func below<Part: Sendable>(_ place: [String?]) -> StateProtection<Part> {
        StateProtection<Part>(protection: protection, name: name, wanted: wanted, place: self.place + place)
    }

    /// What is left unsaid of states of the shape of the one given.
    struct Options {
        var encoding = EncodingOptions()
        /// A redacted property that was not found, so that the whole state is redacted.
        var lostProperty: String?
    }
}

extension StateProtection where State: Encodable {
    /// How the store's states are encoded.
    ///
    /// - Throws: where properties are redacted, and the state they are looked for in has no JSON form.
    /// - Complexity: O(the state) where properties are redacted.
    func options(for state: State) throws(StateEncodingError) -> Options {
        var options = Options()
        options.encoding.redaction = paths
        options.encoding.valueLimit = protection.valueLimit
        if properties.isEmpty { return options }
        let plain = try StateEncoder(state)
        for property in properties {
            let pointer = plain.presumedPointer(for: property).flatMap { try? JSONPointer(parsing: $0) }
            if pointer == nil { options.lostProperty = String(describing: property) }
            options.encoding.redaction?.insert(pointer ?? JSONPointer())
        }
        return options
    }
}
