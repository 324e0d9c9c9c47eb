/// Where a repository's data comes from, besides the store that holds its state: the four parts that a user gives.
public struct RepositorySource<Key: Sendable, Value: Sendable>: Sendable {
    /// Asks the origin, a server mostly.
    let fetch: @Sendable (Key) async throws -> Value
    /// Reads what was kept, nil where nothing was; nil without a cache.
    let readCache: (@Sendable (Key) async throws -> Value?)?
    /// Keeps a value; nil without a cache.
    let writeCache: (@Sendable (Key, Value) async throws -> Void)?
    /// Whether a value is still good; nil where any is.
    let isValid: (@Sendable (Key, Value) async -> Bool)?

    /// Says where the data comes from.
    ///
    /// - Parameters:
    ///   - fetch: asks the origin. Requests at one time for one key share one call.
    ///   - readCache: reads what was kept, nil for nothing; asked once for a key that the store holds nothing of. What it
    ///     throws counts as nothing, and is a warning in the journal.
    ///   - writeCache: keeps what was fetched or written; for one key one call at a time, in the order of the states. What it
    ///     throws is a warning in the journal: the value is there all the same.
    ///   - isValid: whether a value is still good, so that it is not fetched again; by default any is.
    public init(
        fetch: @escaping @Sendable (Key) async throws -> Value,
        readCache: (@Sendable (Key) async throws -> Value?)? = nil,
        writeCache: (@Sendable (Key, Value) async throws -> Void)? = nil,
        isValid: (@Sendable (Key, Value) async -> Bool)? = nil
    ) {
        self.fetch = fetch
        self.readCache = readCache
        self.writeCache = writeCache
        self.isValid = isValid
    }
}
