package import JSONCore

/// One change as people read it: a path and what happened there.
package struct Change: Sendable, Equatable {
    /// What happened at a path.
    package enum Effect: Sendable, Equatable {
        case added(JSONValue)
        case removed(JSONValue?)
        case replaced(old: JSONValue?, new: JSONValue)
        case moved(from: String)
    }

    /// The path, beginning with the store's name unless one store is looked at.
    package let path: String

    /// What happened there.
    package let effect: Effect

    /// What happened at a path.
    package init(path: String, effect: Effect) { (self.path, self.effect) = (path, effect) }
}
