internal import JournalFormat
public import StateEncoding

/// Something that a derived value can read: a property of a store, an atom, another derived value.
public protocol DerivedReadable<Value>: Sendable {
    /// The type of what is read.
    associatedtype Value: Sendable

    /// The value as an input.
    var input: DerivedInput<Value> { get }
}

/// One input of a derived value, with the comparison that tells whether it changed.
///
/// It comes from ``Store/input(_:)``, ``Store/input(_:by:)``, ``Derived/input(by:)`` and ``Atom``, and is handed to
/// ``Derived``. It keeps its store alive.
public struct DerivedInput<Value: Sendable>: DerivedReadable {
    let node: DerivedNode
    /// Reads the value, under the network's lock.
    @usableFromInline let read: @Sendable () -> Value
    let stores: [any DerivedStore]
    let origins: [DerivedInputOrigin]

    /// Itself.
    public var input: DerivedInput<Value> { self }
}

/// A store that derived values read, whatever its state.
protocol DerivedStore: AnyObject, Sendable {
    var derivedSource: DerivedSource { get }
    /// Counts what is delivered and not received yet.
    var outstandingDeliveries: OutstandingDeliveries { get }
    /// Makes sure that there is a state to read, and later deliveries go on from it; under the network's lock.
    func wakeDerived() -> StateMoment
    /// Notes that one listener is gone.
    func stopListeningIfUnused()
}

extension Store: DerivedStore {
    var derivedSource: DerivedSource { delivery.graph }
    var outstandingDeliveries: OutstandingDeliveries { delivery.outstanding }

    func wakeDerived() -> StateMoment { delivery.graph.wake { listen { _, node in node } } }
}

extension Store {
    /// A property as an input of a derived value over several stores, which changes when it is not equal to the one before.
    ///
    ///     Derived("canBuy", cart.input(\.total), session.input(\.user)) { total, user in total > 0 && user != nil }
    ///
    /// - Complexity: for a stored property, a commit costs one comparison of its bytes, and `==` where those differ. A
    ///   computed one is computed after each commit.
    public func input<Value: Equatable & Sendable>(
        _ path: any KeyPath<State, Value> & Sendable
    ) -> DerivedInput<Value> {
        input(delivery.graph.property(at: path))
    }

    /// A property as an input, which changes when a comparison of the caller's says so.
    ///
    /// - Parameters:
    ///   - path: the property.
    ///   - isEqual: whether two values count as equal. The first is the one that was last taken for a change, so many small
    ///     steps add up. It is not asked about values whose bytes are the same.
    public func input<Value: Sendable>(
        _ path: any KeyPath<State, Value> & Sendable, by isEqual: @escaping @Sendable (Value, Value) -> Bool
    ) -> DerivedInput<Value> {
        input(StateProperty(path, of: delivery.graph, isCustom: true, isEqual: isEqual))
    }

    private func input<Value: Sendable>(_ property: StateProperty<State, Value>) -> DerivedInput<Value> {
        let origin = DerivedInputOrigin.property(
            property.pointer, recording: recorded.map { ($0.recorder, $0.track) })
        return DerivedInput(node: property, read: property.read, stores: [self], origins: [origin])
    }
}

extension DerivedInput: OpaqueToDump {}
