internal import JournalFormat
public import StateEncoding

/// Something that a derived value can read: a property of a store, an atom, another derived value.
public protocol DerivedReadable<Value>: Sendable {
    /// The type of what is read.
    associatedtype Value: Sendable

    /// The value as an input.
    var input: DerivedInput<Value> { get }
}

/// One input of a derived value, with the comparison that decides whether it changed.
///
/// It comes from ``Store/input(_:)``, of which `store[\.title]` is short, ``Store/input(_:by:)``, ``Derived/input(by:)`` and ``Atom``, and is passed to
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

/// A store that derived values read, without the type of its state.
protocol DerivedStore: AnyObject, Sendable {
    var derivedSource: DerivedSource { get }
    var outstandingDeliveries: OutstandingDeliveries { get }
    /// Makes sure that there is a state to read, from which later deliveries continue; under the network's lock.
    func activateDerived() -> StateVersion
    func stopListeningIfUnused()
}

extension Store: DerivedStore {
    var derivedSource: DerivedSource { delivery.graph }
    var outstandingDeliveries: OutstandingDeliveries { delivery.outstanding }

    func stopListeningIfUnused() { delivery.stopListeningIfUnused() }

    func activateDerived() -> StateVersion { delivery.graph.activate { listen { _, node in node } } }
}

extension Store {
    /// A property as an input of a derived value over several stores, which changes when it is not equal to the one before.
    ///
    ///     Derived(cart[\.total], session[\.user]) { total, user in total > 0 && user != nil }
    ///
    /// `cart[\.total]` is the same, in the call of an initializer of ``Derived`` or wherever an input is wanted.
    ///
    /// - Complexity: for a stored property, a commit costs one comparison of its bytes, and `==` where those differ. A
    ///   computed one is computed after each commit.
    public func input<Value: Equatable & Sendable>(
        _ path: any KeyPath<State, Value> & Sendable
    ) -> DerivedInput<Value> {
        input(delivery.graph.property(at: path))
    }

    /// A property as an input, which changes by a comparison of the caller's.
    ///
    /// - Parameters:
    ///   - path: the property.
    ///   - isEqual: whether two values count as equal. The first is the one that last counted as a change, so many
    ///     small steps add up. It is not called for values whose bytes are the same.
    public func input<Value: Sendable>(
        _ path: any KeyPath<State, Value> & Sendable, by isEqual: @escaping @Sendable (Value, Value) -> Bool
    ) -> DerivedInput<Value> {
        input(StateProperty(path, of: delivery.graph, isEqual: isEqual))
    }

    /// A property at a key path that was made of two that are Sendable, which the type of what `appending` returns does not
    /// say.
    ///
    /// - Parameter hold: makes what keeps the property from being removed, for as long as a derived value has it.
    package func input<Value: Sendable>(
        sending path: KeyPath<State, Value>, by isEqual: @escaping @Sendable (Value, Value) -> Bool,
        holding hold: (() -> Subscription)?
    ) -> DerivedInput<Value> {
        let path = unsafe unsafeBitCast(path, to: (any KeyPath<State, Value> & Sendable).self)
        return input(StateProperty(path, of: delivery.graph, holding: hold?(), isEqual: isEqual))
    }

    private func input<Value: Sendable>(_ property: StateProperty<State, Value>) -> DerivedInput<Value> {
        let origin = DerivedInputOrigin.property(
            property.pointer, recording: currentRecording.map { ($0.recorder, $0.track) })
        return DerivedInput(node: property, read: property.read, stores: [self], origins: [origin])
    }
}

extension DerivedInput: OpaqueToDump {}
