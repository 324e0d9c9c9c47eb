internal import Synchronization

/// The stored properties of a store that are read under observation: each read is notified of the next change of its
/// property.
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

    private let properties = Mutex<[Path: Property]>([:])

    /// Notes a read of the property at a key path that may be tracked.
    ///
    /// Only a stored property can be compared in states that the reader never saw: an element may be gone there, an optional
    /// nil, a computed property may fail.
    ///
    /// - Parameter listen: makes sure that commits are delivered; called where the property was not tracked before.
    /// - Returns: false where the property cannot be compared, and nothing was noted.
    func noteRead<Value>(of path: KeyPath<State, Value>, _ listen: () -> Void) -> Bool {
        // Asked first: the arguments of other key paths are the app's, and so is their hashing.
        guard MemoryLayout<State>.offset(of: path) != nil else { return false }
        guard let property = property(at: path) else { return false }
        if property.point.noteRead() {
            listen()
            property.point.noteTold()
        }
        return true
    }

    /// The property at a key path; nil where its values cannot be compared.
    private func property<Value>(at path: KeyPath<State, Value>) -> Property? {
        let key = Path(path: path)
        if let known = properties.withLock({ $0[key] }) { return known }
        guard let comparison = ObservedProperties.comparison(at: path) else { return nil }
        return properties.withLock { properties in
            if let known = properties[key] { return known }
            let made = Property(comparison: comparison)
            properties[key] = made
            return made
        }
    }

    /// Reports those that differ in two states to what tracks them.
    ///
    /// One that is reported stays: a tracking closure that is under way registers its reads at its end only, and is to be notified
    /// of the change after next.
    ///
    /// - Complexity: a comparison of each stored property that was ever tracked, of which a type has so many.
    func report(_ previous: State, _ current: State) {
        for property in properties.withLock({ Array($0.values) })
        where !property.comparison.isEqual(previous, current) {
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
