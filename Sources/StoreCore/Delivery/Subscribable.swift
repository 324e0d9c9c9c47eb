/// What can be subscribed to: a ``Store``, an ``Atom``, a ``Derived`` value.
///
/// All of them take the same contexts (the delivering thread, the main actor, a queue), and all of them are sequences,
/// of changes and of values.
public protocol Subscribable<Subject>: AnyObject, Sendable {
    /// The type of what changes.
    associatedtype Subject: Sendable

    /// Calls a closure with the current value, and whenever it differs from the one before.
    ///
    /// - Parameters:
    ///   - context: where the closure runs.
    ///   - buffering: what happens to values that come faster than they are received; by default what the context does:
    ///     each is kept where the closure may run on the thread that commits, else the newest 1,024 are.
    ///   - initially: whether the closure is called at once.
    ///   - receive: called never twice at a time.
    /// - Returns: what keeps the subscription alive.
    func subscribe(
        on context: DeliveryContext, buffering: ChangesBuffering?, initially: Bool,
        _ receive: @escaping @Sendable (Changes<Subject>) -> Void
    ) -> Subscription

    /// Calls a closure with the current value, and whenever it differs, on the thread that delivers; another one when
    /// nothing can come any more.
    ///
    /// - Parameters:
    ///   - initially: whether the closure is called at once.
    ///   - onEnd: called when the store ends. A derived value keeps its stores, so it calls this never.
    ///   - receive: called never twice at a time.
    /// - Returns: what keeps the subscription alive.
    func subscribe(
        initially: Bool, onEnd: @escaping @Sendable () -> Void,
        _ receive: @escaping @Sendable (Changes<Subject>) -> Void
    ) -> Subscription
}

extension Subscribable {
    /// Calls a closure of the main actor with the current value, and after each change.
    ///
    ///     store.subscribe(on: MainActor.self, atOnce: true) { changes in label.text = changes.title }
    ///
    /// For code that only the main actor may run.
    ///
    /// - Parameters:
    ///   - isAtOnce: whether it is called in the present turn where subscription and commits are made on the main actor, as with
    ///     ``DeliveryContext/mainActorAtOnce``; else it is called in a later turn, as with ``DeliveryContext/mainActor``.
    ///   - buffering: what happens to values that come faster than they are received; by default each is kept if at once,
    ///     else the newest 1,024 are.
    ///   - initially: whether the closure is called with the current value.
    ///   - receive: called never twice at a time.
    /// - Returns: what keeps the subscription alive.
    public func subscribe(
        on actor: MainActor.Type, atOnce isAtOnce: Bool = false, buffering: ChangesBuffering? = nil,
        initially: Bool = true, _ receive: @escaping @MainActor (Changes<Subject>) -> Void
    ) -> Subscription {
        subscribe(
            on: .mainActor(atOnce: isAtOnce), buffering: buffering, initially: initially,
            DeliveryContext.onMainActor(receive))
    }

    /// The current value, and each change of it, as an `AsyncSequence`, which ends with the store or atom.
    ///
    /// That of a ``Derived`` value keeps the value and its stores, and so ends with the task that awaits it only.
    ///
    /// - Parameters:
    ///   - initially: whether the first element is the current value.
    ///   - buffering: what happens to changes that come faster than they are taken.
    /// - Returns: a sequence that is subscribed from now on, not only when it is iterated over.
    public func changes(
        initially: Bool = true, buffering: ChangesBuffering = .unbounded
    ) -> ChangesSequence<Subject> {
        ChangesSequence(initially: initially, buffering: buffering) { initially, push, end in
            subscribe(initially: initially, onEnd: end, push)
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
}

extension Store: Subscribable {
    /// Calls a closure with the state now, and after each commit that changes it; another one when the store ends.
    public func subscribe(
        initially: Bool, onEnd: @escaping @Sendable () -> Void, _ receive: @escaping @Sendable (Changes<State>) -> Void
    ) -> Subscription { subscribe(on: .inline, initially: initially, onEnd: onEnd, receive) }
}

extension Atom: Subscribable {
    /// Calls a closure with the value now, and after each commit that changes it; another one when the atom ends.
    public func subscribe(
        initially: Bool, onEnd: @escaping @Sendable () -> Void, _ receive: @escaping @Sendable (Changes<Value>) -> Void
    ) -> Subscription { store.subscribe(initially: initially, onEnd: onEnd, receive) }
}

extension Derived: Subscribable {
    /// Calls a closure with the value now, and whenever it differs; the value keeps its stores, so there is no end.
    public func subscribe(
        initially: Bool, onEnd: @escaping @Sendable () -> Void, _ receive: @escaping @Sendable (Changes<Value>) -> Void
    ) -> Subscription { subscribe(on: .inline, initially: initially, receive) }
}
