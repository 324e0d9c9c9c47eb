internal import StateEncoding

/// What a recorder keeps out of the states of one store; none of it changes, so that any thread may encode by it.
///
/// An object, so that each `Changes` holds it by one reference.
final class StateProtection: Sendable {
    let protection: Protection
    /// The store's name in the journal, and the one that it asked for.
    let name: String
    let wanted: String
    /// The members that lead from the store's state to this one; nil for one that is not known, which may be any.
    private let place: [String?]
    /// Whether all of it is kept out by now; nil if paths and properties decide.
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

    /// What paths redact; nil where they redact nothing.
    var paths: RedactionPaths? {
        if isSecret?() ?? false { return RedactionPaths([[]], key: protection.key) }
        var paths = protection.paths(inStore: name, wanted: wanted)
        for member in place where !paths.isMatch {
            paths = member.map { paths.below(member: $0) } ?? paths.belowAnyMember()
        }
        return paths.isEmpty ? nil : paths
    }

    /// How states are encoded so that none says what it must not.
    var options: EncodingOptions {
        EncodingOptions(redaction: paths, types: protection.types, valueLimit: protection.valueLimit)
    }

    func below(_ place: [String?]) -> StateProtection {
        StateProtection(
            protection: protection, name: name, wanted: wanted, place: self.place + place, isSecret: isSecret)
    }
}
