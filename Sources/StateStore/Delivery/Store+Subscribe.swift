internal import Synchronization

extension Store {
    /// Calls a closure with the state now, and after each commit that changes it: each version once, in order.
    ///
    /// A commit that the closure makes, to this store or another, runs at once and is recorded with its cause; it is
    /// delivered when the current delivery is done. Subscribing and cancelling inside the closure are safe.
    ///
    /// - Parameters:
    ///   - initially: whether the closure is called at once with the state as it was delivered last.
    ///   - sink: called on the thread that delivers, in the order of subscription, never by two threads at a time.
    /// - Returns: what keeps the subscription alive.
    public func subscribe(
        initially: Bool = true, _ sink: @escaping @Sendable (Changes<State>) -> Void
    ) -> Subscription {
        let (sink, node) = listen { line, node in
            let sink = Sink(after: node.version, isStarting: initially, sink)
            line.add(sink)
            return (sink, node)
        }
        if initially { sink.start(with: Changes(node, previous: nil)) }
        return Subscription { [weak self] in
            sink.cancel()
            self?.delivery.line.withLock { $0.remove(sink) }
            self?.stopListeningIfUnheard()
        }
    }

    /// Makes sure that commits are delivered from now on.
    ///
    /// - Parameter body: called under the delivery's lock with the version that the deliveries go on from.
    func listen<Result: Sendable>(
        _ body: @Sendable (inout DeliveryLine<State>, StateNode<State>) -> Result
    ) -> Result {
        published.withLock { snapshot in
            snapshot.hasListeners = true
            let node = StateNode(
                state: snapshot.state, version: snapshot.version, location: snapshot.location, cause: snapshot.cause)
            return delivery.line.withLock { line in body(&line, line.listen(from: node)) }
        }
    }

    func stopListeningIfUnheard() {
        delivery.graph.whileUnasked {
            published.withLock { snapshot in
                if delivery.line.withLock({ $0.stopListening() }) { snapshot.hasListeners = false }
            }
        }
    }
}
