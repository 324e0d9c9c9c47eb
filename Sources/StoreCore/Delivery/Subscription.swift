public import StateEncoding
internal import Synchronization

/// Keeps a subscription alive: it ends with ``cancel()``, or when the last reference to this object is released.
///
///     private var subscriptions: Set<Subscription> = []
///     store.subscribe { … }.store(in: &subscriptions)
public final class Subscription: Sendable {
    private let ending: Mutex<(@Sendable () -> Void)?>

    /// Makes a subscription that ends by a closure, called once.
    public init(_ end: @escaping @Sendable () -> Void) { ending = Mutex(end) }

    deinit { cancel() }

    /// Ends the subscription; a second time it does nothing.
    ///
    /// On the delivering thread, nothing is delivered to it any more. A delivery that another thread has begun may
    /// still run when this returns.
    public func cancel() {
        let end = ending.withLock { end in
            defer { end = nil }
            return end
        }
        end?()
    }
}

extension Subscription: Hashable {
    /// Whether both are the same subscription.
    public static func == (left: Subscription, right: Subscription) -> Bool { left === right }

    /// Hashes its identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

    /// Puts it into a set, which keeps it alive.
    public func store(in set: inout Set<Subscription>) { set.insert(self) }

    /// Puts it at the end of a collection, which keeps it alive.
    public func store(in collection: inout some RangeReplaceableCollection<Subscription>) { collection.append(self) }
}

extension Subscription: OpaqueToDump {}
