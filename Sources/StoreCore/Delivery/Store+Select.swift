internal import Synchronization

extension Store {
    /// Calls a closure with a part of the state now, and whenever that differs from the one before.
    ///
    ///     let items = cart.subscribe(select: \.items) { items in show(items) }
    ///
    /// Use a ``Derived`` value where the selection is expensive or several subscribers share it.
    ///
    /// - Parameters:
    ///   - select: computes the part from the state, and from nothing else; once for each commit.
    ///   - initially: whether the closure is called at once with the part as it is.
    ///   - sink: called on the thread that delivers.
    /// - Returns: what keeps the subscription alive.
    public func subscribe<Selection: Equatable & Sendable>(
        select: @escaping @Sendable (State) -> Selection, initially: Bool = true,
        _ sink: @escaping @Sendable (Selection) -> Void
    ) -> Subscription {
        subscribe(select: select, by: ==, initially: initially, sink)
    }

    /// Calls a closure with a part of the state now, and whenever that differs from the one before by a comparison of the
    /// caller's.
    ///
    /// - Parameter isEqual: whether the part that was delivered last and the new one count as equal.
    public func subscribe<Selection: Sendable>(
        select: @escaping @Sendable (State) -> Selection,
        by isEqual: @escaping @Sendable (Selection, Selection) -> Bool,
        initially: Bool = true, _ sink: @escaping @Sendable (Selection) -> Void
    ) -> Subscription {
        let skipper = Skipper(isEqual)
        return subscribe(initially: true) { changes in
            guard let selection = skipper.take(select(changes.current)) else { return }
            if initially || changes.previous != nil { sink(selection) }
        }
    }
}

/// Remembers a value, and lets through what differs from it.
final class Skipper<Value: Sendable>: Sendable {
    private let last = Mutex<Value?>(nil)
    private let isEqual: @Sendable (Value, Value) -> Bool

    init(_ isEqual: @escaping @Sendable (Value, Value) -> Bool) { self.isEqual = isEqual }

    /// The value, and remembers it; nil where it is equal to the last one.
    func take(_ value: Value) -> Value? {
        // Compared outside the lock: the app's comparison may take its time. Deliveries come one at a time.
        if let last = last.withLock(\.self), isEqual(last, value) { return nil }
        // The one before goes away outside the lock.
        var old: Value? = value
        last.withLock { swap(&$0, &old) }
        return value
    }
}
