internal import Platform
public import StateEncoding

/// What happens to changes that come faster than a sequence's consumer takes them, or a subscriber receives them.
public enum ChangesBuffering: Sendable, Hashable {
    /// All are kept: every version comes, once and in order. Memory grows with what the consumer has not taken.
    case unbounded
    /// Only this many of the newest are kept, at least one. The versions in between are left out: each change has the
    /// one taken before it as its ``Changes/previous``, so that `ifChanged` misses nothing.
    case newest(Int)

    package var limit: Int {
        switch self {
        case .unbounded: return .max
        case .newest(let count):
            requirement(count > 0, "'.newest(\(count))' would keep nothing: keep at least one")
            return count
        }
    }
}

/// Changes as an `AsyncSequence`; made by ``Subscribable/changes(initially:buffering:)``.
///
/// It is for one consumer: two that iterate over it share the changes. It ends with the task that awaits it, or with the
/// store or atom. That of a derived value keeps the value and its stores alive, and so ends with its task only. The subscription ends when the last copy of the sequence and its
/// iterators is released.
public struct ChangesSequence<State: Sendable>: AsyncSequence, Sendable {
    /// What it is a sequence of.
    public typealias Element = Changes<State>
    /// It does not throw.
    public typealias Failure = Never

    private let channel: ChangesChannel<State>
    private let subscription: Subscription

    init(
        initially: Bool, buffering: ChangesBuffering,
        _ subscribe: (
            _ initially: Bool, _ push: @escaping @Sendable (Changes<State>) -> Void,
            _ end: @escaping @Sendable () -> Void
        ) -> Subscription
    ) {
        let channel = ChangesChannel<State>(buffering)
        self.channel = channel
        subscription = subscribe(initially, { channel.push($0) }, { channel.finish(dropping: false) })
    }

    /// Takes one change after another.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let channel: ChangesChannel<State>
        fileprivate let subscription: Subscription

        /// The next change; nil at the end.
        public mutating func next() async -> Changes<State>? { await next(isolation: nil) }

        /// The next change, on the caller's actor; nil at the end.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> Changes<State>? {
            let (channel, subscription) = (channel, subscription)
            return await withTaskCancellationHandler(
                operation: { await channel.next() },
                onCancel: {
                    subscription.cancel()
                    channel.finish(dropping: true)
                },
                isolation: actor)
        }
    }

    /// Continues where the last iterator stopped.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(channel: channel, subscription: subscription) }
}

extension ChangesSequence: OpaqueToDump {}
