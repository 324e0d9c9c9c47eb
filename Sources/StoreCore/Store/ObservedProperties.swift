internal import StateEncoding
internal import Synchronization

/// The stored properties of a store that are read under observation: each read is notified of the next change of its
/// property.
final class ObservedProperties<State: Sendable>: Sendable {
    typealias Comparison = @Sendable (State, State) -> Bool

    final class Property: Sendable {
        let point = ObservationPoint()
        let isEqual: Comparison

        init(isEqual: @escaping Comparison) { self.isEqual = isEqual }
    }

    /// A key path, and how what it leads to is compared, as the key of a table.
    private struct Place: Hashable, @unchecked Sendable {
        // Unchecked: the paths are Sendable, or made of such ones, which their types do not say.
        let path: AnyKeyPath
        let isByContent: Bool
    }

    /// Nil is the key of all key paths whose values cannot be compared.
    private let properties = Mutex<[Place?: Property]>([:])

    private var others: Property {
        if let known = known(nil) { return known }
        let (layout, isPlain) = (ByteLayout.of(State.self), PlainTypes.contains(State.self))
        return add(nil) { isPlain && layout.holdsSame($0, $1) }
    }

    /// Registers a read of the property at a key path that may be tracked.
    ///
    /// Only a stored property can be compared in states that the reader never saw: an element may be missing there, an
    /// optional nil, a computed property may trap. Of anything else, each commit that changes a byte counts.
    ///
    /// - Parameters:
    ///   - isByContent: whether it is compared by all that it holds, since only a part of it is read, which its `==` may
    ///     leave out.
    ///   - listen: makes sure that commits are delivered; called if the property was not tracked before.
    func registerAccess<Value>(
        to path: KeyPath<State, Value>, byContent isByContent: Bool = false, _ listen: () -> Void
    ) {
        // Checked first: the arguments of other key paths are the app's, and so is their hashing.
        let known = MemoryLayout<State>.offset(of: path).flatMap { property(at: path, $0, isByContent) }
        let point = (known ?? others).point
        if point.registerAccess() {
            listen()
            point.markNotifying()
        }
    }

    /// The property at a key path; nil if its values cannot be compared.
    private func property<Value>(at path: KeyPath<State, Value>, _ offset: Int, _ isByContent: Bool) -> Property? {
        let key = Place(path: path, isByContent: isByContent)
        if let known = known(key) { return known }
        let comparison =
            isByContent
            ? ObservedProperties.contentComparison(of: Value.self, at: offset)
            : ObservedProperties.comparison(of: Value.self, at: offset)
        return comparison.map { add(key, $0) }
    }

    private func known(_ key: Place?) -> Property? { properties.withLock { $0[key] } }

    private func add(_ key: Place?, _ comparison: @escaping Comparison) -> Property {
        properties.withLock { properties in
            if let known = properties[key] { return known }
            let made = Property(isEqual: comparison)
            properties[key] = made
            return made
        }
    }

    /// Notifies what tracks the properties that differ from what was seen of them.
    ///
    /// A property stays in the table after that: a tracking closure that is running registers its reads only at its
    /// end, and is to be notified of the change after next.
    ///
    /// - Complexity: for each stored property that was ever tracked a comparison of its bytes, and `==` where those differ.
    func report(_ previous: Changes<State>, _ current: Changes<State>) {
        let known = properties.withLock { Array($0.values) }
        for property in known {
            property.point.report(previous, current) { seen, _ in
                property.isEqual(seen.of(State.self).current, current.current)
            }
        }
    }

    private static func contentComparison<Value>(of type: Value.Type, at offset: Int) -> Comparison {
        let content = ContentComparison.of(Value.self)
        return { left, right in
            withAddress(of: left) { left in
                withAddress(of: right) { right in content.same(left + offset, right + offset) }
            }
        }
    }

    /// Compares what two states store at an offset; nil where it is not Equatable, which is known at run time only.
    private static func comparison<Value>(of type: Value.Type, at offset: Int) -> Comparison? {
        func make<Known: Equatable>(_: Known.Type) -> Comparison {
            let layout = ByteLayout.of(Known.self)
            return { left, right in
                withAddress(of: left) { left in
                    withAddress(of: right) { right in
                        let (before, after) = (left + offset, right + offset)
                        return layout.same(before, after)
                            || before.value(as: Known.self) == after.value(as: Known.self)
                    }
                }
            }
        }
        return (type as? any Equatable.Type).map { make($0) }
    }
}
