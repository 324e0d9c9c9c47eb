internal import StateEncoding
internal import Synchronization

/// The stored properties of a store that are read under observation: each read is notified of the next change of its
/// property.
final class ObservedProperties<State: Sendable>: Sendable {
    /// Whether two states are equal in a property.
    typealias Comparison = @Sendable (State, State) -> Bool

    /// One property.
    struct Property: Sendable {
        let point = ObservationPoint()
        let isEqual: Comparison
    }

    /// A key path as the key of a table.
    private struct Path: Hashable, @unchecked Sendable {
        // Unchecked: the paths are Sendable, or made of such ones, which their types do not say.
        let path: AnyKeyPath
    }

    private let properties = Mutex<[Path: Property]>([:])

    /// Registers a read of the property at a key path that may be tracked.
    ///
    /// Only a stored property can be compared in states that the reader never saw: an element may be missing there, an
    /// optional nil, a computed property may trap.
    ///
    /// - Parameter listen: makes sure that commits are delivered; called if the property was not tracked before.
    /// - Returns: false if the property cannot be compared; then nothing was registered.
    func registerAccess<Value>(to path: KeyPath<State, Value>, _ listen: () -> Void) -> Bool {
        // Checked first: the arguments of other key paths are the app's, and so is their hashing.
        guard let offset = MemoryLayout<State>.offset(of: path), let property = property(at: path, offset) else {
            return false
        }
        if property.point.registerAccess() {
            listen()
            property.point.markNotifying()
        }
        return true
    }

    /// The property at a key path; nil if its values cannot be compared.
    private func property<Value>(at path: KeyPath<State, Value>, _ offset: Int) -> Property? {
        let key = Path(path: path)
        if let known = properties.withLock({ $0[key] }) { return known }
        guard let isEqual = ObservedProperties.comparison(of: Value.self, at: offset) else { return nil }
        return properties.withLock { properties in
            if let known = properties[key] { return known }
            let made = Property(isEqual: isEqual)
            properties[key] = made
            return made
        }
    }

    /// Notifies what tracks the properties that differ in two states.
    ///
    /// A property stays in the table after that: a tracking closure that is running registers its reads only at its
    /// end, and is to be notified of the change after next.
    ///
    /// - Complexity: for each stored property that was ever tracked a comparison of its bytes, and `==` where those differ.
    func report(_ previous: State, _ current: State) {
        for property in properties.withLock({ Array($0.values) })
        where !property.isEqual(previous, current) {
            property.point.notify()
        }
    }

    /// Compares what two states store at an offset; nil where it is not Equatable, which is known at run time only.
    private static func comparison<Value>(of type: Value.Type, at offset: Int) -> Comparison? {
        func make<Known: Equatable>(_: Known.Type) -> Comparison {
            let layout = ByteLayout.of(Known.self)
            return { left, right in
                withUnsafePointer(to: left) { left in
                    withUnsafePointer(to: right) { right in
                        let (before, after) = (UnsafeRawPointer(left) + offset, UnsafeRawPointer(right) + offset)
                        return layout.same(before, after)
                            || before.assumingMemoryBound(to: Known.self).pointee
                                == after.assumingMemoryBound(to: Known.self).pointee
                    }
                }
            }
        }
        return (type as? any Equatable.Type).map { make($0) }
    }
}
