public import StateEncoding
internal import Synchronization

/// Keeps a subscription alive: it ends with ``cancel()``, or when the last reference to this object is released.
///
///     private var subscriptions: Set<Subscription> = []
///     store.subscribe { … }.store(in: &subscriptions)
public final class Subscription: Sendable {
    private struct Ending: Sendable {
        let end: @Sendable () -> Void
        /// What receives; nil for a subscription that the app made of a closure of its own.
        let subscriber: Subscriber?
    }

    private let ending: Mutex<Ending?>

    /// Makes a subscription that ends by a closure, called once.
    public convenience init(_ end: @escaping @Sendable () -> Void) { self.init(of: nil, end) }

    init(of subscriber: Subscriber?, _ end: @escaping @Sendable () -> Void) {
        ending = Mutex(Ending(end: end, subscriber: subscriber))
    }

    /// Makes a subscription that ends another one, and then does something else.
    package convenience init(with inner: Subscription, _ end: @escaping @Sendable () -> Void) {
        self.init(of: inner.subscriber) {
            inner.cancel()
            end()
        }
    }

    private var subscriber: Subscriber? { ending.withLock { $0?.subscriber } }

    deinit { cancel() }

    /// Ends the subscription; a second time it does nothing.
    ///
    /// On the delivering thread, nothing is delivered to it any more. A delivery that another thread has begun may
    /// still run when this returns.
    public func cancel() {
        ending.withLock { $0.take() }?.end()
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

extension Subscription {
    /// Keeps it alive for as long as an object lives.
    ///
    ///     cart.subscribe(\.title) { [weak self] title in self?.label.text = title }.store(while: self)
    ///
    /// Nothing is received once the object is gone: what comes next ends the subscription, as ``cancel()`` does. So the closure
    /// must not hold the object itself.
    ///
    /// Where nothing comes any more, and for one that was made by ``init(_:)``, it ends at some later call of this function.
    ///
    /// - Parameter object: is not kept alive.
    public func store(while object: some AnyObject & Sendable) {
        let owner = SubscriptionOwner(object)
        SubscriptionOwner.keep(self, by: owner)
        subscriber?.end(with: owner)
    }
}

final class SubscriptionOwner: Sendable {
    private struct Kept: Sendable {
        var subscriptions: [ObjectIdentifier: (owner: SubscriptionOwner, subscription: Subscription)] = [:]
        /// With so many the next look is taken for those whose object is gone.
        var limit = 64
    }

    private static let kept = Mutex(Kept())

    private weak let object: (any AnyObject & Sendable)?

    init(_ object: any AnyObject & Sendable) { self.object = object }

    /// Whether the object is gone; then the subscription is ended.
    func endIfGone() -> Bool {
        if object != nil { return false }
        let known = SubscriptionOwner.kept.withLock { $0.subscriptions.removeValue(forKey: ObjectIdentifier(self)) }
        known?.subscription.cancel()
        return true
    }

    static func keep(_ subscription: Subscription, by owner: SubscriptionOwner) {
        // Released outside the lock: what ends is code of the app.
        let ended = kept.withLock { kept in
            kept.subscriptions[ObjectIdentifier(owner)] = (owner, subscription)
            guard kept.subscriptions.count >= kept.limit else { return [Subscription]() }
            let gone = kept.subscriptions.values.filter { $0.owner.object == nil }
            for (owner, _) in gone { kept.subscriptions[ObjectIdentifier(owner)] = nil }
            kept.limit = max(64, kept.subscriptions.count * 2)
            return gone.map(\.subscription)
        }
        for subscription in ended { subscription.cancel() }
    }
}

extension Subscription: OpaqueToDump {}
