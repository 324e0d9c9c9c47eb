internal import JournalFormat
internal import Platform
internal import StoreCore

/// Where a repository's data comes from: the four parts that a user gives besides the store.
public struct RepositorySource<Key: Sendable, Value: Sendable>: Sendable {
    /// Asks the origin, a server mostly.
    let fetch: @Sendable (Key) async throws -> Value
    /// Reads the kept value, nil if there is none; nil without a cache.
    let readCache: (@Sendable (Key) async throws -> Value?)?
    /// Keeps a value; nil without a cache.
    let writeCache: (@Sendable (Key, Value) async throws -> Void)?
    /// Removes the kept value of a key, or all of them for nil; nil without a cache.
    let clearCache: (@Sendable (Key?) async throws -> Void)?
    /// Whether a value is still valid; nil if every value is.
    let isValid: (@Sendable (Key, Value, RepositoryHolding) async -> Bool)?
    /// The time since some fixed moment.
    let now: @Sendable () -> Duration
    let onError: (@Sendable (RepositoryCacheError<Key>) -> Void)?

    /// Says where the data comes from, without a cache.
    ///
    /// - Parameters:
    ///   - fetch: asks the origin. Requests at one time for one key share one call.
    ///   - isValid: whether a value is still valid, so that it is not fetched again; by default every value is. It is
    ///     given the value's age, and the number of values.
    ///   - clock: measures the age.
    public init(
        fetch: @escaping @Sendable (Key) async throws -> Value,
        isValid: (@Sendable (Key, Value, RepositoryHolding) async -> Bool)? = nil,
        clock: some Clock<Duration> = ContinuousClock()
    ) {
        self.init(fetch, readCache: nil, writeCache: nil, clearCache: nil, isValid, clock, onError: nil)
    }

    /// Says where the data comes from, with a cache.
    ///
    /// A cache that is read has to say how it is cleared, or what was removed at a log-out would come back from it.
    ///
    /// - Parameters:
    ///   - fetch: asks the origin. Requests at one time for one key share one call.
    ///   - readCache: reads the kept value, nil for none; called once for a key that the store holds nothing of. An
    ///     error counts as no value.
    ///   - writeCache: keeps what was fetched or written; for one key one call at a time, in the order of the states.
    ///     An error changes nothing: the value is there all the same. Nil for a cache that something else fills.
    ///   - clearCache: removes the kept value of a key, or all of them for nil, when they are removed from the
    ///     repository: after the writes that were queued before, and before those that come later. After an error the
    ///     value is not read from the cache until it was written anew, nor is any one until all could be removed.
    ///   - isValid: whether a value is still valid, so that it is not fetched again; by default every value is. It is
    ///     given the value's age, and the number of values.
    ///   - clock: measures the age.
    ///   - onError: called with errors of the cache. Each is a warning in the journal, too; without a journal and
    ///     without this, a line on standard error.
    public init(
        fetch: @escaping @Sendable (Key) async throws -> Value,
        readCache: @escaping @Sendable (Key) async throws -> Value?,
        writeCache: (@Sendable (Key, Value) async throws -> Void)? = nil,
        clearCache: @escaping @Sendable (Key?) async throws -> Void,
        isValid: (@Sendable (Key, Value, RepositoryHolding) async -> Bool)? = nil,
        clock: some Clock<Duration> = ContinuousClock(),
        onError: (@Sendable (RepositoryCacheError<Key>) -> Void)? = nil
    ) {
        self.init(
            fetch, readCache: readCache, writeCache: writeCache, clearCache: clearCache, isValid, clock,
            onError: onError)
    }

    private init(
        _ fetch: @escaping @Sendable (Key) async throws -> Value,
        readCache: (@Sendable (Key) async throws -> Value?)?,
        writeCache: (@Sendable (Key, Value) async throws -> Void)?,
        clearCache: (@Sendable (Key?) async throws -> Void)?,
        _ isValid: (@Sendable (Key, Value, RepositoryHolding) async -> Bool)?, _ clock: some Clock<Duration>,
        onError: (@Sendable (RepositoryCacheError<Key>) -> Void)?
    ) {
        self.fetch = fetch
        self.readCache = readCache
        self.writeCache = writeCache
        self.clearCache = clearCache
        self.isValid = isValid
        let start = clock.now
        now = { start.duration(to: clock.now) }
        self.onError = onError
    }

    /// Reports an error of the cache to the app's handler and the journal, else on standard error.
    func report(_ error: RepositoryCacheError<Key>, to part: any StatePart, at location: CommitLocation) {
        onError?(error)
        let isRecorded = part.warn(at: location) { isRedacted in
            isRedacted ? error.quietDescription : error.description
        }
        if isRecorded { return }
        if onError == nil { FileDescriptor.writeToStandardError("StateStore: warning: \(error)\n") }
    }
}

/// What a repository knows of a value, for the decision whether it is valid.
public struct RepositoryHolding: Sendable, Hashable {
    /// How long ago it was fetched or written; nil of one that came from the cache, which alone may know.
    public let age: Duration?
    /// How many keys the repository holds, this one among them.
    public let count: Int
}

/// An error of a repository's cache.
public struct RepositoryCacheError<Key: Sendable>: Error, CustomStringConvertible {
    /// The operation that failed.
    public enum Operation: String, Sendable {
        /// Reading a value.
        case read
        /// Writing a value.
        case write
        /// Removing one value, or all.
        case clear
    }

    /// The key; nil if all were to be removed.
    public let key: Key?
    /// The operation that failed.
    public let operation: Operation
    /// The error that the cache threw.
    public let error: any Error

    /// The error in words.
    public var description: String { "\(attempt(on: key.map { "'\($0)'" } ?? "")) failed: \(error)" }

    /// The error without the key and the words of what was thrown, which may be redacted.
    fileprivate var quietDescription: String { "\(attempt(on: "a value")) failed: \(type(of: error))" }

    private func attempt(on value: String) -> String {
        if key == nil { return "clearing the cache" }
        return switch operation {
        case .read: "reading \(value) from the cache"
        case .write: "writing \(value) to the cache"
        case .clear: "removing \(value) from the cache"
        }
    }
}
