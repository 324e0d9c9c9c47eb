/// What can be subscribed to: a ``Store``, a part of one (``Scope``), an ``Atom``, a ``Derived`` value, a store of actions.
///
/// All of them take the same contexts (the delivering thread, an actor, a queue), and all of them are sequences, of changes
/// and of values.
public protocol Subscribable<Subject>: Sendable {
    /// The type of what changes.
    associatedtype Subject: Sendable

    /// Calls a closure with the current value, and whenever it differs from the one before: what the other functions are made of.
    ///
    /// - Parameters:
    ///   - context: where the closure runs.
    ///   - buffering: what happens to values that come faster than they are received; nil for what the context does.
    ///   - initially: whether the closure is called at once.
    ///   - onEnd: called when the store ends. A derived value keeps its stores, so it calls this never.
    ///   - receive: called never twice at a time.
    /// - Returns: what keeps the subscription alive.
    func subscribe(
        on context: DeliveryContext, buffering: ChangesBuffering?, initially: Bool,
        onEnd: (@Sendable () -> Void)?, _ receive: @escaping @Sendable (Changes<Subject>) -> Void
    ) -> Subscription
}

extension Subscribable {
    /// Calls a closure with the value now, and after each commit that changes it: each version once, in order.
    ///
    ///     store.subscribe { changes in label.text = changes.title }
    ///
    /// Where the closure runs is decided by where it is written. One of the main actor, as in a view model, is called on the main
    /// actor: before this returns and before a commit returns, if these are made there, else in a later turn of it
    /// (``DeliveryContext/mainActorAtOnce``). One of another actor is called in a later turn of that. Any other is called on the
    /// thread that delivers, in the order of subscription (``DeliveryContext/inline``).
    ///
    /// A commit that the closure makes, to this store or another, runs at once and is recorded with its cause; it is delivered
    /// after the current delivery. Subscribing and cancelling inside the closure are safe.
    ///
    /// - Parameters:
    ///   - buffering: what happens to values that come faster than they are received; by default what the context does:
    ///     each is kept where the closure may run on the thread that commits, else the newest 1,024 are.
    ///   - initially: whether the closure is called with the current value.
    ///   - receive: called never twice at a time.
    /// - Returns: what keeps the subscription, and a derived value, alive.
    public func subscribe(
        buffering: ChangesBuffering? = nil, initially: Bool = true,
        @_inheritActorContext _ receive: @escaping @isolated(any) @Sendable (Changes<Subject>) -> Void
    ) -> Subscription {
        subscribe(
            on: .running(receive.isolation), buffering: buffering, initially: initially, onEnd: nil,
            DeliveryContext.unisolated(receive))
    }

    /// Calls a closure in a context of the caller's, as ``subscribe(buffering:initially:_:)`` does in that of the closure.
    ///
    ///     store.subscribe(on: .queue(saving)) { changes in save(changes.current) }
    ///
    /// - Parameters:
    ///   - context: where the closure runs. A closure of an actor (`{ @MainActor changes in … }`) runs in a context of that actor only:
    ///     another one traps.
    ///   - buffering: what happens to values that come faster than they are received; by default what the context does.
    ///   - initially: whether the closure is called with the current value.
    ///   - receive: called never twice at a time.
    /// - Returns: what keeps the subscription, and a derived value, alive.
    public func subscribe(
        on context: DeliveryContext, buffering: ChangesBuffering? = nil, initially: Bool = true,
        _ receive: @escaping @isolated(any) @Sendable (Changes<Subject>) -> Void
    ) -> Subscription {
        subscribe(
            on: context.allowing(receive.isolation), buffering: buffering, initially: initially, onEnd: nil,
            DeliveryContext.unisolated(receive))
    }

    /// The current value, and each change of it, as an `AsyncSequence`, which ends with the store or atom.
    ///
    ///     for await changes in store.changes() { changes.ifChanged(\.title) { print($0) } }
    ///
    /// That of a ``Derived`` value keeps the value and its stores, and so ends with the task that awaits it only. Commits in the
    /// loop's body have no cause by themselves, since the body runs outside of any delivery: put
    /// ``Changes/causing(isolation:_:)`` around it.
    ///
    /// - Parameters:
    ///   - initially: whether the first element is the current value.
    ///   - buffering: what happens to changes that come faster than they are taken.
    /// - Returns: a sequence that is subscribed from now on, not only when it is iterated over.
    public func changes(
        initially: Bool = true, buffering: ChangesBuffering = .unbounded
    ) -> ChangesSequence<Subject> {
        ChangesSequence(initially: initially, buffering: buffering) { initially, push, end in
            subscribe(on: .inline, buffering: nil, initially: initially, onEnd: end, push)
        }
    }

    /// The current value, and each later one, as an `AsyncSequence` of plain values, which ends as
    /// ``changes(initially:buffering:)`` does.
    ///
    ///     for await count in badge.values() { print(count) }
    ///
    /// - Parameters:
    ///   - initially: whether the first element is the current value.
    ///   - buffering: what happens to values that come faster than they are taken: by default only the newest is kept.
    /// - Returns: a sequence that is subscribed from now on, not only when it is iterated over.
    public func values(
        initially: Bool = true, buffering: ChangesBuffering = .newest(1)
    ) -> ValuesSequence<Subject> {
        ValuesSequence(changes(initially: initially, buffering: buffering))
    }

    /// Waits for a value that meets a condition, the current one or one that is delivered later.
    ///
    ///     await store.wait { $0.isLoaded }
    ///
    /// - Returns: the first such value; nil where the store ends, or the task is cancelled, before there is one.
    @discardableResult
    public func wait(until isMet: @Sendable (Subject) -> Bool) async -> Subject? {
        for await changes in changes() where isMet(changes.current) { return changes.current }
        return nil
    }

    /// Sets a value of a store now, and whenever this one differs.
    ///
    ///     badge.assign(to: screen.binding(\.badge)).store(in: &subscriptions)
    ///
    /// - Parameter target: each set is a commit, with this change as its cause and the place where the binding was made.
    /// - Returns: what keeps the subscription, and the other store, alive.
    public func assign(to target: StoreBinding<Subject>) -> Subscription {
        subscribe(on: .inline, buffering: nil, initially: true, onEnd: nil) { target.wrappedValue = $0.current }
    }
}
