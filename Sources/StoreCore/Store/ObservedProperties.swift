internal import Synchronization

/// The properties of a store that are read under observation, each told of its own changes.
final class ObservedProperties<State: Sendable>: Sendable {
    /// One of them.
    struct Property: Sendable {
        let point = ObservationPoint()
        let comparison: any StateComparison<State>
    }

    /// Where one is.
    private struct Path: Hashable, @unchecked Sendable {
        // Unchecked: the paths that come here are Sendable, or made of such; their types forget it.
        let path: AnyKeyPath
    }

    /// So many are told apart: each costs a comparison a commit, and key paths with indexes in them are ever new ones.
    static var limit: Int { 256 }

    private let properties = Mutex<[Path: Property]>([:])

    /// The property at a key path; nil where it cannot be told from others.
    func property<Value>(at path: KeyPath<State, Value>) -> Property? {
        guard let comparison = ObservedProperties.comparison(at: path) else { return nil }
        let path = Path(path: path)
        return properties.withLock { properties in
            if let known = properties[path] { return known }
            if properties.count == ObservedProperties.limit { return nil }
            let made = Property(comparison: comparison)
            properties[path] = made
            return made
        }
    }

    /// Tells the observers of those that differ in two states.
    func tell(_ previous: State, _ current: State) {
        for property in properties.withLock({ Array($0.values) }) where !property.comparison.isEqual(previous, current)
        {
            property.point.tell()
        }
    }

    /// Compares states at a path; nil where its values are not Equatable, which is known at run time only.
    private static func comparison<Value>(at path: KeyPath<State, Value>) -> (any StateComparison<State>)? {
        func make<Known: Equatable>(_: Known.Type) -> (any StateComparison<State>)? {
            guard let path = path as? KeyPath<State, Known> else { return nil }
            return PathComparison(path: path)
        }
        guard let type = Value.self as? any Equatable.Type else { return nil }
        return make(type)
    }
}

/// Tells whether two states are equal in something.
protocol StateComparison<State>: Sendable {
    associatedtype State

    func isEqual(_ left: State, _ right: State) -> Bool
}

/// Compares states at a path.
private struct PathComparison<State, Value: Equatable>: StateComparison, @unchecked Sendable {
    // Unchecked: the paths that come here are Sendable, or made of such; their types forget it.
    let path: KeyPath<State, Value>

    func isEqual(_ left: State, _ right: State) -> Bool { left[keyPath: path] == right[keyPath: path] }
}
