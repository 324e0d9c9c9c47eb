public import StateEncoding

/// The values of a store, atom or derived value as an `AsyncSequence`: a ``ChangesSequence`` without the changes around
/// them.
///
/// It is for one consumer, and ends as that does.
public struct ValuesSequence<Value: Sendable>: AsyncSequence, Sendable {
    /// What it is a sequence of.
    public typealias Element = Value
    /// It does not throw.
    public typealias Failure = Never

    private let changes: ChangesSequence<Value>

    init(_ changes: ChangesSequence<Value>) { self.changes = changes }

    /// Makes a sequence of what a subscription is delivered.
    ///
    /// - Parameters:
    ///   - buffering: what happens to values that come faster than they are taken.
    ///   - subscribe: subscribes; given what takes each change.
    public init(
        buffering: ChangesBuffering,
        _ subscribe: (_ push: @escaping @Sendable (Changes<Value>) -> Void) -> Subscription
    ) {
        changes = ChangesSequence(initially: true, buffering: buffering) { _, push, _ in subscribe(push) }
    }

    /// Takes one value after another.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var changes: ChangesSequence<Value>.AsyncIterator

        /// The next value; nil at the end.
        public mutating func next() async -> Value? { await next(isolation: nil) }

        /// The next value, on the caller's actor; nil at the end.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> Value? {
            await changes.next(isolation: actor)?.current
        }
    }

    /// Continues where the last iterator stopped.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(changes: changes.makeAsyncIterator()) }
}

extension ValuesSequence: OpaqueToDump {}
