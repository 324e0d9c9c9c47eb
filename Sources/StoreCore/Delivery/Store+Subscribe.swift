internal import JSONCore
internal import Synchronization

extension Store {
    /// Calls a closure with the state now, and after each commit that changes it; another one when the store ends.
    public func subscribe(
        on context: DeliveryContext, buffering: ChangesBuffering?, initially: Bool,
        onEnd: (@Sendable () -> Void)?, _ receive: @escaping @Sendable (Changes<State>) -> Void
    ) -> Subscription {
        subscribe(
            on: context, buffering: buffering, initially: initially, comparesItself: false, onEnd: onEnd, receive)
    }

    /// Calls a closure with every later version, also with those that the store's comparison takes for equal: for code that
    /// compares what it reads itself.
    package func subscribeToEach(_ receive: @escaping @Sendable (Changes<State>) -> Void) -> Subscription {
        subscribe(on: .inline, initially: false, comparesItself: true, onEnd: nil, receive)
    }

    func subscribe(
        on context: DeliveryContext, buffering: ChangesBuffering? = nil, initially: Bool, comparesItself: Bool,
        onEnd: (@Sendable () -> Void)?,
        _ receive: @escaping @Sendable (Changes<State>) -> Void
    ) -> Subscription {
        let delivery = delivery
        let outstanding = delivery.outstanding
        let (subscriber, node) = listen { line, node in
            let subscriber = Subscriber(
                after: node, isStarting: initially, comparesItself: comparesItself, on: context, buffering: buffering,
                outstanding: outstanding, onEnd: onEnd, receive)
            line.add(subscriber)
            return (subscriber, node)
        }
        if initially { subscriber.start(with: node) }
        // Not the store, weakly: each retain of one that is weakly referenced costs several times as much.
        return Subscription(of: subscriber) {
            subscriber.cancel()
            delivery.line.withLock { $0.remove(subscriber) }
            // A transform may release a subscription to its own store, or to one of another network.
            DeferredRelease.run { delivery.stopListeningIfUnused() }
        }
    }

    /// Returns when everything committed until then is delivered, and nothing is left to do: for tests.
    ///
    /// That holds for every subscriber, also on the main actor and on queues, and for what subscribers themselves
    /// commit to this store. A sequence of ``changes(initially:buffering:)`` has received a version when it is in its
    /// buffer. A commit of a single thread needs no waiting if all subscribers are inline: it is delivered when it
    /// returns, unless a subscriber made it. While other threads keep committing this may not return. There is no
    /// variant that blocks its thread: the main actor would never deliver then.
    public func waitUntilDelivered() async {
        var seen: Int
        repeat {
            seen = version
            await published.withLock { _ in knownDelivery }?.waitUntilIdle()
        } while seen != version
    }

    /// - Parameter body: called under the delivery's lock with the version that deliveries continue from.
    func listen<Result: Sendable>(
        _ body: @Sendable (inout DeliveryLine, Changes<State>) -> Result
    ) -> Result {
        let delivery = delivery
        return published.withLock { origin in
            origin.hasListeners = true
            published.info.isHeard.store(true, ordering: .relaxed)
            // No other thread publishes meanwhile.
            let node = delivery.node(at: unsafe Borrowed(published.place), origin)
            return delivery.line.withLock { line in body(&line, delivery.state(line.listen(from: node))) }
        }
    }
}
