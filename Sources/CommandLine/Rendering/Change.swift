package import JSONCore

package struct Change: Sendable, Equatable {
    package enum Effect: Sendable, Equatable {
        case added(JSONValue)
        case removed(JSONValue?)
        case replaced(old: JSONValue?, new: JSONValue)
        case moved(from: String)
    }

    /// The path, beginning with the store's name unless one store is looked at.
    package let path: String
    package let effect: Effect

    package init(path: String, effect: Effect) { (self.path, self.effect) = (path, effect) }
}
