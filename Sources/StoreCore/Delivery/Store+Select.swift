internal import Synchronization

extension StoreReadable {
    /// Calls a closure with a part of the state now, and whenever that differs from the one before.
    ///
    ///     cart.subscribe(\.items) { items in show(items) }.store(while: self)
    ///
    /// The closure runs where it is written, as with ``Subscribable/subscribe(buffering:initially:_:)``: it is called there for
    /// parts that differ, and not for each commit. Use a ``Derived`` value if the selection is expensive or several subscribers
    /// share it.
    ///
    /// - Parameters:
    ///   - select: computes the part from the state alone; called once for each commit, on the thread that delivers.
    ///   - buffering: what happens to parts that come faster than they are received; by default what the context does.
    ///   - initially: whether the closure is called with the part as it is.
    ///   - receive: called never twice at a time.
    /// - Returns: what keeps the subscription alive.
    public func subscribe<Selection: Equatable & Sendable>(
        _ select: @escaping @Sendable (State) -> Selection, buffering: ChangesBuffering? = nil, initially: Bool = true,
        @_inheritActorContext _ receive: @escaping @isolated(any) @Sendable (Selection) -> Void
    ) -> Subscription {
        store.subscribe(
            to: select, by: { $0 == $1 }, on: .running(receive.isolation), buffering: buffering, initially: initially,
            DeliveryContext.unisolated(receive))
    }

    /// Calls a closure with a property now, and whenever it differs: for a path that code is given.
    public func subscribe<Value: Equatable & Sendable>(
        _ path: any KeyPath<State, Value> & Sendable, buffering: ChangesBuffering? = nil, initially: Bool = true,
        @_inheritActorContext _ receive: @escaping @isolated(any) @Sendable (Value) -> Void
    ) -> Subscription {
        subscribe({ $0[keyPath: path] }, buffering: buffering, initially: initially, receive)
    }

    /// Calls a closure with a part of the state, in a context of the caller's.
    public func subscribe<Selection: Equatable & Sendable>(
        _ select: @escaping @Sendable (State) -> Selection, on context: DeliveryContext,
        buffering: ChangesBuffering? = nil, initially: Bool = true,
        _ receive: @escaping @isolated(any) @Sendable (Selection) -> Void
    ) -> Subscription {
        subscribe(select, by: { $0 == $1 }, on: context, buffering: buffering, initially: initially, receive)
    }

    /// Calls a closure with a part of the state now, and whenever that differs from the one before by a comparison of the
    /// caller's.
    ///
    /// - Parameter isEqual: whether the part delivered last and the new one count as equal.
    public func subscribe<Selection: Sendable>(
        _ select: @escaping @Sendable (State) -> Selection,
        by isEqual: @escaping @Sendable (Selection, Selection) -> Bool, on context: DeliveryContext = .inline,
        buffering: ChangesBuffering? = nil, initially: Bool = true,
        _ receive: @escaping @isolated(any) @Sendable (Selection) -> Void
    ) -> Subscription {
        store.subscribe(
            to: select, by: isEqual, on: context.allowing(receive.isolation), buffering: buffering,
            initially: initially, DeliveryContext.unisolated(receive))
    }

    /// A part of the state now, and whenever it differs from the one before, as an `AsyncSequence`.
    ///
    ///     for await title in cart.values(\.title) { print(title) }
    ///
    /// - Parameters:
    ///   - select: computes the part from the state, and from nothing else.
    ///   - initially: whether the first element is the part as it is.
    ///   - buffering: what happens to values that come faster than they are taken: by default only the newest is kept.
    /// - Returns: a sequence that is subscribed from now on, and ends with its task or the store.
    public func values<Selection: Equatable & Sendable>(
        _ select: @escaping @Sendable (State) -> Selection, initially: Bool = true,
        buffering: ChangesBuffering = .newest(1)
    ) -> ValuesSequence<Selection> {
        ValuesSequence(
            ChangesSequence(initially: initially, buffering: buffering) { initially, push, end in
                store.subscribe(to: select, by: { $0 == $1 }, on: .inline, initially: initially, onEnd: end, push)
            })
    }
}

extension Store {
    fileprivate func subscribe<Selection: Sendable>(
        to select: @escaping @Sendable (State) -> Selection,
        by isEqual: @escaping @Sendable (Selection, Selection) -> Bool, on context: DeliveryContext,
        buffering: ChangesBuffering?, initially: Bool, _ receive: @escaping @Sendable (Selection) -> Void
    ) -> Subscription {
        subscribe(to: select, by: isEqual, on: context, buffering: buffering, initially: initially, onEnd: nil) {
            (changes: Changes<Selection>) in receive(changes.current)
        }
    }

    func subscribe<Selection: Sendable>(
        to select: @escaping @Sendable (State) -> Selection,
        by isEqual: @escaping @Sendable (Selection, Selection) -> Bool, on context: DeliveryContext,
        buffering: ChangesBuffering? = nil, initially: Bool, onEnd: (@Sendable () -> Void)?,
        _ receive: @escaping @Sendable (Changes<Selection>) -> Void
    ) -> Subscription {
        let selection = SelectionSubscriber(
            select, isEqual, on: context, buffering: buffering, initially: initially, outstanding: delivery.outstanding,
            receive)
        let subscription = subscribe(on: .inline, initially: true, comparesItself: true, onEnd: onEnd) {
            selection.receive($0)
        }
        return Subscription(with: subscription) { selection.cancel() }
    }
}

private final class SelectionSubscriber<State: Sendable, Selection: Sendable>: Sendable {
    private let select: @Sendable (State) -> Selection
    private let isEqual: @Sendable (Selection, Selection) -> Bool
    private let context: DeliveryContext
    private let buffering: ChangesBuffering?
    private let isInitial: Bool
    private let outstanding: OutstandingDeliveries
    private let deliver: @Sendable (Changes<Selection>) -> Void
    private let content = Mutex<SelectionContent?>(nil)
    // Kept, since generic code asks the runtime for it each time, which costs as much as making the object.
    private let changesType = Changes<Selection>.self

    init(
        _ select: @escaping @Sendable (State) -> Selection,
        _ isEqual: @escaping @Sendable (Selection, Selection) -> Bool, on context: DeliveryContext,
        buffering: ChangesBuffering?, initially: Bool, outstanding: OutstandingDeliveries,
        _ receive: @escaping @Sendable (Changes<Selection>) -> Void
    ) {
        self.select = select
        self.isEqual = isEqual
        self.context = context
        self.buffering = buffering
        isInitial = initially
        self.outstanding = outstanding
        self.deliver = receive
    }

    /// Takes what the store delivers, one at a time; the state at the subscription comes first.
    func receive(_ changes: Changes<State>) {
        let selection = select(changes.current)
        // Compared outside the lock: the app's comparison may take its time.
        let known = content.withLock(\.self)
        let last = known.map { $0.last.of(Selection.self) }
        if let last, isEqual(last.current, selection) { return }
        let node = changesType.init(
            selection, version: changes.version, location: changes.location, cause: changes.cause)
        guard let known else { return begin(at: node) }
        content.withLock { $0 = SelectionContent(last: node, subscriber: known.subscriber) }
        known.subscriber.deliver(node.copy(after: last, for: CommitReference.current))
    }

    func cancel() { content.withLock(\.self)?.subscriber.cancel() }

    private func begin(at node: Changes<Selection>) {
        let subscriber = Subscriber(
            after: node, isStarting: isInitial, on: context, buffering: buffering, outstanding: outstanding, deliver)
        content.withLock { $0 = SelectionContent(last: node, subscriber: subscriber) }
        if isInitial { subscriber.start(with: node) }
    }
}

/// Outside of the generic class, so that a delivery need not ask the runtime for its type.
private struct SelectionContent: Sendable {
    /// `Changes` of the selection's type, with nothing before them.
    var last: StateVersion
    let subscriber: Subscriber
}
