internal import JournalFormat
internal import Platform

/// Where a repository's data comes from, besides the store that holds its state: the four parts that a user gives.
public struct RepositorySource<Key: Sendable, Value: Sendable>: Sendable {
    /// Asks the origin, a server mostly.
    let fetch: @Sendable (Key) async throws -> Value
    /// Reads what was kept, nil where nothing was; nil without a cache.
    let readCache: (@Sendable (Key) async throws -> Value?)?
    /// Keeps a value; nil without a cache.
    let writeCache: (@Sendable (Key, Value) async throws -> Void)?
    /// Forgets what was kept of a key, or of all where that is nil; nil without a cache.
    let clearCache: (@Sendable (Key?) async throws -> Void)?
    /// Whether a value is still good; nil where any is.
    let isValid: (@Sendable (Key, Value, RepositoryHolding) async -> Bool)?
    /// The time, since whenever.
    let now: @Sendable () -> Duration
    /// Is told what the cache did not do.
    let onError: (@Sendable (RepositoryCacheError<Key>) -> Void)?

    /// Says where the data comes from.
    ///
    /// - Parameters:
    ///   - fetch: asks the origin. Requests at one time for one key share one call.
    ///   - readCache: reads what was kept, nil for nothing; asked once for a key that the store holds nothing of. What it
    ///     throws counts as nothing.
    ///   - writeCache: keeps what was fetched or written; for one key one call at a time, in the order of the states. What it
    ///     throws changes nothing: the value is there all the same.
    ///   - clearCache: forgets what was kept of a key, of all where it is given nil: for what is removed from the repository.
    ///   - isValid: whether a value is still good, so that it is not fetched again; by default any is. It is given the value's
    ///     age, and how many values there are.
    ///   - clock: measures the age.
    ///   - onError: told what the cache threw. It is a warning in the journal, too; without a journal and without this, a line
    ///     on standard error.
    public init(
        fetch: @escaping @Sendable (Key) async throws -> Value,
        readCache: (@Sendable (Key) async throws -> Value?)? = nil,
        writeCache: (@Sendable (Key, Value) async throws -> Void)? = nil,
        clearCache: (@Sendable (Key?) async throws -> Void)? = nil,
        isValid: (@Sendable (Key, Value, RepositoryHolding) async -> Bool)? = nil,
        clock: some Clock<Duration> = ContinuousClock(),
        onError: (@Sendable (RepositoryCacheError<Key>) -> Void)? = nil
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

    /// Tells what the cache did not do, to whom it concerns.
    func report(_ error: RepositoryCacheError<Key>, to part: any StatePart, at location: SourceLocation) {
        onError?(error)
        let words = "the cache did not \(error.operation.rawValue)"
        if part.warn(words, about: error.key.map { "\($0)" } ?? "*", error.error, at: location) { return }
        if onError == nil { FileDescriptor.writeToStandardError("StateStore: warning: \(error)\n") }
    }
}

/// What a repository knows of a value that it holds, for who says whether it is valid.
public struct RepositoryHolding: Sendable, Hashable {
    /// How long ago it was fetched or written; nil of one that came from the cache, which alone may know.
    public let age: Duration?
    /// How many keys the repository holds, this one among them.
    public let count: Int
}

/// What the cache of a repository did not do.
public struct RepositoryCacheError<Key: Sendable>: Error, CustomStringConvertible {
    /// What was asked of it.
    public enum Operation: String, Sendable {
        /// It was read.
        case read = "give"
        /// A value was to be kept.
        case write = "take"
        /// A value, or all, was to be forgotten.
        case clear = "forget"
    }

    /// The key; nil where all were to be forgotten.
    public let key: Key?
    /// What was asked of the cache.
    public let operation: Operation
    /// What it threw.
    public let error: any Error

    /// The error in words.
    public var description: String {
        "the cache did not \(operation.rawValue) \(key.map { "'\($0)'" } ?? "its values"): \(error)"
    }
}
