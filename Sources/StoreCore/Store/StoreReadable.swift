/// What is read, subscribed to and derived from as a ``Store`` is: a store itself, an ``Atom``, a store of actions.
@dynamicMemberLookup
public protocol StoreReadable<State>: Subscribable where Subject == State {
    /// The type of the state.
    associatedtype State: Sendable

    /// The store with the state.
    var store: Store<State> { get }
}

extension StoreReadable {
    /// A property of the state, from any thread; tracked on its own, as by ``Store/subscript(_:)``.
    @inlinable
    public subscript<Value>(path: any KeyPath<State, Value> & Sendable) -> Value { store.read(path) }

    /// A property of the state by its name alone, which no member of the type itself has.
    @inlinable
    public subscript<Value>(dynamicMember path: any KeyPath<State, Value> & Sendable) -> Value { store.read(path) }

    /// A property as an input of a derived value, where one is wanted: ``Store/input(_:)``.
    ///
    ///     Derived(cart[\.total], session[\.user]) { total, user in total > 0 && user != nil }
    @_disfavoredOverload
    public subscript<Value: Equatable & Sendable>(path: any KeyPath<State, Value> & Sendable) -> DerivedInput<Value> {
        store.input(path)
    }

    /// The version that was delivered last, and the one before it, from any thread.
    ///
    ///     store.latest.ifChanged(\.title) { title in … }
    ///
    /// In a subscriber it is what is being delivered. The first read has no ``Changes/previous``, and counts as changed; where
    /// another thread is delivering it may be older than the state. From the first read on the store keeps two states, and
    /// its commits cost as much as with a subscriber.
    public var latest: Changes<State> { store.readLatest() }

    /// Calls a closure with the state now, and after each commit that changes it; another one when the store ends.
    public func subscribe(
        on context: DeliveryContext, buffering: ChangesBuffering?, initially: Bool,
        onEnd: (@Sendable () -> Void)?, _ receive: @escaping @Sendable (Changes<State>) -> Void
    ) -> Subscription {
        store.subscribe(on: context, buffering: buffering, initially: initially, onEnd: onEnd, receive)
    }
}

extension Store: StoreReadable {
    /// Itself.
    public var store: Store<State> { self }
}
