import JSONCore

/// One change as people read it: a path and what happened there.
struct Change: Sendable, Equatable {
    /// What happened at a path.
    enum Effect: Sendable, Equatable {
        case added(JSONValue)
        case removed(JSONValue?)
        case replaced(old: JSONValue?, new: JSONValue)
        case moved(from: String)
    }

    /// The path, beginning with the store's name unless one store is looked at.
    let path: String

    /// What happened there.
    let effect: Effect
}
