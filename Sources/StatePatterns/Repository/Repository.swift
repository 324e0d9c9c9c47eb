internal import JournalFormat
internal import Platform
public import StateEncoding
public import StoreCore
internal import Synchronization

/// Data by key, observed without regard to its source: the store, a cache, or the origin.
///
///     let tweets = Repository("tweets", source: RepositorySource(fetch: { id in try await api.tweet(id) }))
///     let subscription = tweets.observe(42) { state in show(state) }
///
/// A store holds the ``LoadingState`` of every key that was asked for, so each transition is a commit, recorded with
/// the line that asked. Valid content is delivered at once. Callers that ask for a key at the same time share one
/// fetch. What ``update(_:optimistically:fileID:line:column:function:_:)`` writes reaches every observer of the key,
/// wherever it is shown.
///
/// A fetch continues when the last observer cancels: its value is for the next one. It is cancelled when the repository
/// ends. Not for pages of a list, nor for data of a single screen: there a ``Store`` with an async function is less.
///
/// - Complexity: a transition costs the logarithm of the number of keys, and one look at each observer's key.
public final class Repository<
    Key: Hashable & Codable & Sendable, Value: Encodable & Equatable & Sendable
>: Sendable {
    /// The states of the keys that were asked for.
    public typealias States = LoadingStates<Key, Value>

    let part: any StatePart<States>
    let source: RepositorySource<Key, Value>
    let table: Mutex<RequestTable<Key, Value>>
    private let hasLimit: Bool
    private let observation = KeyedObservation<Key>()

    /// Makes a repository that holds its states in a store of its own.
    ///
    /// - Parameters:
    ///   - name: the store's name in journals.
    ///   - recorder: what records the transitions; nil for none.
    ///   - keeping: how many keys without running requests that nothing holds are kept; nil for all. A transition that
    ///     exceeds it forgets those that were not asked for, written or held for the longest time. A key is held by its
    ///     observers, by derived values that have it as an input, and by a view that has read it; so many that views
    ///     held until they were notified are kept beside. The cache keeps its own.
    ///   - source: where the data comes from.
    public convenience init(
        _ name: String, recorder: Recorder? = .current, keeping: Int? = nil, source: RepositorySource<Key, Value>,
        fileID: StaticString = #fileID, line: Int = #line, column: Int = #column, function: StaticString = #function
    ) {
        // A transition always changes a state, so they are not compared.
        let store = Store(
            States(), name: name, recorder: recorder, comparing: { _, _ in false }, fileID: fileID, line: line,
            column: column, function: function)
        self.init(in: store, at: \.self, keeping: keeping, source: source)
    }

    /// Makes a repository that fetches, without a cache, and takes each value for valid.
    ///
    ///     let tweets = Repository("tweets") { id in try await api.tweet(id) }
    public convenience init(
        _ name: String, recorder: Recorder? = .current, keeping: Int? = nil, fileID: StaticString = #fileID,
        line: Int = #line, column: Int = #column, function: StaticString = #function,
        fetch: @escaping @Sendable (Key) async throws -> Value
    ) {
        self.init(
            name, recorder: recorder, keeping: keeping, source: RepositorySource(fetch: fetch), fileID: fileID,
            line: line, column: column, function: function)
    }

    /// Makes a repository that holds its states in a store of the app's.
    ///
    /// - Parameters:
    ///   - store: the state holder.
    ///   - path: where in it the states are; only the repository writes there.
    ///   - keeping: how many keys without running requests that nothing holds are kept; nil for all.
    ///   - source: where the data comes from.
    public init<State: Sendable>(
        in store: Store<State>, at path: any WritableKeyPath<State, States> & Sendable, keeping: Int? = nil,
        source: RepositorySource<Key, Value>
    ) {
        if let keeping {
            requirement(keeping >= 0, "'Repository(keeping: \(keeping))' cannot keep fewer keys than none")
        }
        table = Mutex(RequestTable(keeping: keeping))
        hasLimit = keeping != nil
        part = StorePart(store, path)
        self.source = source
    }

    deinit {
        for request in table.withLock(\.requests) {
            request.cancel()
            request.result.resolve(.failure(CancellationError()))
        }
    }

    // MARK: Reading

    /// The current state of a key; nil if it was never asked for.
    ///
    /// Read inside `withObservationTracking`, or in the `body` of a SwiftUI view, it is tracked: the next change of this
    /// key's state notifies the reader, and of no other's. Until then the key is kept.
    ///
    /// - Complexity: O(log *n*). Once a key was read under observation, each transition looks for the keys that changed,
    ///   which costs the logarithm of their number, too.
    public func state(of key: Key) -> LoadingState<Value>? {
        observation.registerAccess(to: key, holding: { hasLimit ? holdRead(key) : nil }) { [part, observation] in
            part.observeChanges { [weak observation] old, new in
                guard let observation else { return }
                for key in new.changedKeys(since: old) { observation.notify(key) }
            }
        }
        return part.value[key]
    }

    /// The state of a key as an input of a derived value: nil while it was not asked for.
    ///
    ///     let title = Derived(tweets.input(42), named: "title") { state in state?.content?.text ?? "…" }
    ///
    /// A derived value asks for no key: observe or validate it. The key is kept for as long as the input, or a derived
    /// value that has it, lives. The journal does not say which key it reads.
    ///
    /// - Complexity: a commit of the store looks up the key and compares its state.
    public func input(_ key: Key) -> DerivedInput<LoadingState<Value>?> {
        part.input(\.[key], holding: hasLimit ? { self.hold(key) } : nil)
    }

    /// Calls a closure with the state of a key, and whenever it differs from the one before.
    ///
    /// Content that the store holds is delivered before this returns. For a key that was never asked for, the first
    /// state depends on the cache: completed, or loading if it has nothing valid; without a cache it is loading.
    /// Invalid content is fetched.
    ///
    /// - Parameters:
    ///   - key: what to observe.
    ///   - buffering: what happens to states that come faster than they are received; by default what the context does:
    ///     each is kept where the closure may run on the thread that commits, else the newest 1,024 are.
    ///   - receive: called with one state at a time, where it is written: one of the main actor on the main actor, any other on
    ///     the thread that delivers. A state of a key that was removed is `failed` with ``LoadingError/removed``.
    /// - Returns: what keeps the observation, but not this repository, alive.
    public func observe(
        _ key: Key, buffering: ChangesBuffering? = nil, fileID: StaticString = #fileID, line: Int = #line,
        column: Int = #column, function: StaticString = #function,
        @_inheritActorContext _ receive: @escaping @isolated(any) @Sendable (LoadingState<Value>) -> Void
    ) -> Subscription {
        observe(
            key, on: .running(receive.isolation), buffering: buffering, fileID: fileID, line: line, column: column,
            function: function, receive)
    }

    /// Calls a closure with the state of a key, and whenever it differs from the one before, in a context of the caller's.
    public func observe(
        _ key: Key, on context: DeliveryContext, buffering: ChangesBuffering? = nil,
        fileID: StaticString = #fileID, line: Int = #line, column: Int = #column, function: StaticString = #function,
        _ receive: @escaping @isolated(any) @Sendable (LoadingState<Value>) -> Void
    ) -> Subscription {
        let (context, receive) = (context.allowing(receive.isolation), DeliveryContext.unisolated(receive))
        let location = CommitLocation(file: fileID, line: line, column: column, function: function)
        let hold = hasLimit ? self.hold(key) : nil
        let (request, start) = prepare(key, isForced: false, at: location)
        // The part that waits for the source begins after the subscription, which thus misses nothing of it.
        defer { start?() }
        let wasThere = Mutex(false)
        let subscription = part.observe({ states in states[key] }, on: context, buffering: buffering) {
            [weak self] state in
            // While the cache is being read there is nothing to report; later a missing state means that the key was
            // removed.
            let isKnown = wasThere.withLock { wasThere in
                wasThere = wasThere || state != nil || self?.isAwaited(request, for: key) == false
                return wasThere
            }
            if isKnown { receive(state ?? .failed(error: .removed)) }
        }
        guard let hold else { return subscription }
        return Subscription(with: subscription) { hold.cancel() }
    }

    private func isAwaited(_ request: Request<Value>, for key: Key) -> Bool {
        table.withLock { $0.isCurrent(request, for: key) }
    }

    /// Keeps a key for an observer or a derived value, which holds the result.
    private func hold(_ key: Key) -> Subscription {
        table.withLock { $0.hold(key) }
        return Subscription { [weak self] in
            guard let self else { return }
            let isKnown = part.value[key] != nil
            table.withLock { $0.release(key, isKnown: isKnown) }
        }
    }

    /// Keeps a key for a view, whose tracked read holds the result.
    ///
    /// The read ends under a lock of the Observation framework, so this only counts.
    private func holdRead(_ key: Key) -> Subscription {
        table.withLock { $0.hold(key) }
        return Subscription { [weak self] in self?.table.withLock { $0.releaseRead(key) } }
    }

    /// The states of a key as a sequence that does not end.
    ///
    /// - Parameters:
    ///   - key: what to observe.
    ///   - buffering: what happens to states that come faster than they are taken: by default only the newest is kept.
    /// - Returns: a sequence for one reader; its end ends the observation.
    public func states(
        of key: Key, buffering: ChangesBuffering = .newest(1), fileID: StaticString = #fileID, line: Int = #line,
        column: Int = #column, function: StaticString = #function
    ) -> AsyncStream<LoadingState<Value>> {
        let policy: AsyncStream<LoadingState<Value>>.Continuation.BufferingPolicy =
            switch buffering {
            case .unbounded: .unbounded
            case .newest: .bufferingNewest(buffering.limit)
            }
        let (stream, continuation) = AsyncStream.makeStream(of: LoadingState<Value>.self, bufferingPolicy: policy)
        let subscription = observe(key, fileID: fileID, line: line, column: column, function: function) { state in
            continuation.yield(state)
        }
        continuation.onTermination = { _ in subscription.cancel() }
        return stream
    }

    /// The valid value of a key, from the first of these that has it: the store, the cache, the origin.
    ///
    /// - Throws: what the origin threw; `CancellationError` at once if the caller is cancelled. The fetch, which others may
    ///   wait for, continues.
    public func value(
        for key: Key, fileID: StaticString = #fileID, line: Int = #line, column: Int = #column,
        function: StaticString = #function
    ) async throws -> Value {
        let location = CommitLocation(file: fileID, line: line, column: column, function: function)
        return try await request(key, isForced: false, at: location).value
    }

    // MARK: Requests

    /// Fetches a key, valid or not.
    ///
    /// - Returns: the request, which may be awaited.
    @discardableResult
    public func refresh(
        _ key: Key, fileID: StaticString = #fileID, line: Int = #line, column: Int = #column,
        function: StaticString = #function
    ) -> RepositoryRequest<Value> {
        let location = CommitLocation(file: fileID, line: line, column: column, function: function)
        return RepositoryRequest(request: request(key, isForced: true, at: location))
    }

    /// Fetches a key unless there is a valid value.
    ///
    /// - Returns: the request, which may be awaited.
    @discardableResult
    public func validate(
        _ key: Key, fileID: StaticString = #fileID, line: Int = #line, column: Int = #column,
        function: StaticString = #function
    ) -> RepositoryRequest<Value> {
        let location = CommitLocation(file: fileID, line: line, column: column, function: function)
        return RepositoryRequest(request: request(key, isForced: false, at: location))
    }
}

/// A request to a repository, shared by all callers that ask for the key while it runs.
public struct RepositoryRequest<Value: Sendable>: Sendable {
    let request: Request<Value>

    /// The result of the request, once state and cache have it.
    ///
    /// - Throws: what the origin threw; `CancellationError` if the repository ended before, or at once if the caller is
    ///   cancelled, which does not cancel the request.
    public var value: Value { get async throws { try await request.value } }
}

extension Repository: OpaqueToDump {}

extension RepositoryRequest: OpaqueToDump {}
