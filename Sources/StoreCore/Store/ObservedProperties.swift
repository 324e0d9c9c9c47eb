internal import Synchronization

/// The stored properties of a store that are read under observation: each read is notified of the next change of its property.
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
        guard MemoryLayout<State>.offset(of: path) != nil, let comparison = ObservedProperties.comparison(at: path)
        else { return false }
        let path = Path(path: path)
        while true {
            let property = properties.withLock { properties in
                if let known = properties[path] { return known }
                let made = Property(comparison: comparison)
                properties[path] = made
                return made
            }
            if property.point.noteRead() {
                listen()
                property.point.noteTold()
            }
            // One that was reported meanwhile is not reported again: then the read is noted with the one in its place.
            if properties.withLock({ $0[path]?.point === property.point }) { return true }
        }
    }

    /// Reports those that differ in two states to who tracks them, once: tracking ends with the first change.
    func report(_ previous: State, _ current: State) {
        let differing = properties.withLock { Array($0) }.filter { !$0.value.comparison.isEqual(previous, current) }
        if differing.isEmpty { return }
        // Taken out first: a read that comes from here on finds another one.
        properties.withLock { properties in
            for (path, property) in differing where properties[path]?.point === property.point {
                properties[path] = nil
            }
        }
        for (_, property) in differing { property.point.tell() }
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
