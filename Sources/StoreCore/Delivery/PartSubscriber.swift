internal import StateEncoding

/// A subscriber of one part of a store's state, to which its owner delivers the commits that touched the part.
///
/// For an owner with an index over thousands of subscribers, few of which a commit concerns: a plain subscription would
/// run a comparison at each commit. Like one, it receives each version once, in order, never two at a time.
package final class PartSubscriber<State: Sendable, Part: Sendable>: Sendable {
    private let subscriber: Subscriber
    private let part: @Sendable (State) -> Part?
    private let place: @Sendable (State) -> [String?]
    /// What the subscriber was given last, with nothing before it.
    private let last: Locked<Changes<Part>>

    fileprivate init(
        _ subscriber: Subscriber, after node: Changes<Part>, part: @escaping @Sendable (State) -> Part?,
        place: @escaping @Sendable (State) -> [String?]
    ) {
        self.subscriber = subscriber
        last = Locked(node)
        self.part = part
        self.place = place
    }

    /// Delivers a commit of the store, if the part is there; called in the store's own delivery of it.
    package func deliver(_ changes: Changes<State>) {
        guard let value = part(changes.current) else { return }
        let node = Changes(value, version: changes.version, location: changes.location, cause: changes.cause)
        let protection: StateProtection? = changes.protection.map { $0.below(place(changes.current)) }
        let before = last.modify { last in
            defer { last = node }
            return last
        }
        subscriber.deliver(node.copy(after: before, for: CommitReference.current, protection: protection))
    }

    /// What cancels it, and then does something else; what waits for it is dropped.
    package func subscription(_ end: @escaping @Sendable () -> Void) -> Subscription {
        Subscription(of: subscriber) { [subscriber] in
            subscriber.cancel()
            end()
        }
    }
}

extension Store {
    /// - Parameters:
    ///   - part: the part of a state; nil if it is not there. It runs under the store's lock once, and only looks up.
    ///   - initial: what is delivered first if the part is not there.
    ///   - place: the names of the members that lead to it in the recorded state, nil for an unknown one: what is
    ///     redacted there is redacted in ``Changes/patch``, too.
    ///   - buffering: what happens to versions that come faster than they are received; nil for what the context does.
    ///   - register: enters the subscriber into the caller's index. It runs under the store's lock: every commit from then on
    ///     is to be delivered, none before.
    ///   - receive: called at once with the part, then with each version that is delivered; never twice at a time.
    package func addSubscriber<Part: Sendable, Registration: Sendable>(
        of part: @escaping @Sendable (State) -> Part?, or initial: Part,
        at place: @escaping @Sendable (State) -> [String?], on context: DeliveryContext = .inline,
        buffering: ChangesBuffering? = nil, register: (PartSubscriber<State, Part>) -> Registration,
        _ receive: @escaping @Sendable (Changes<Part>) -> Void
    ) -> (subscriber: PartSubscriber<State, Part>, registration: Registration) {
        let outstanding = delivery.outstanding
        let (subscriber, node, added) = published.withLock { origin in
            let node = Changes(
                part(published.stateUnderLock) ?? initial, version: origin.version, location: origin.location,
                cause: origin.cause)
            let subscriber = Subscriber(
                after: node, isStarting: true, on: context, buffering: buffering, outstanding: outstanding,
                receive)
            let partSubscriber = PartSubscriber(subscriber, after: node, part: part, place: place)
            return (subscriber, node, (subscriber: partSubscriber, registration: register(partSubscriber)))
        }
        subscriber.start(with: node)
        return added
    }
}

extension PartSubscriber: OpaqueToDump {}
