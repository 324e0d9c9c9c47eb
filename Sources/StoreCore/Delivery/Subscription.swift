internal import Synchronization

/// Keeps a subscription alive: it ends with ``cancel()``, or when the last reference to this object goes away.
public final class Subscription: Sendable {
    private let ending: Mutex<(@Sendable () -> Void)?>

    /// Makes one that ends by a closure, called once.
    public init(_ end: @escaping @Sendable () -> Void) { ending = Mutex(end) }

    deinit { cancel() }

    /// Ends the subscription; a second time it does nothing.
    ///
    /// On the thread that delivers, nothing is delivered to it any more. A delivery that another thread has begun may still be
    /// running when this returns.
    public func cancel() {
        let end = ending.withLock { end in
            defer { end = nil }
            return end
        }
        end?()
    }
}
