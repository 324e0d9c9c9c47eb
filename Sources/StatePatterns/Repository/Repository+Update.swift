internal import JournalFormat
internal import StoreCore
internal import Synchronization

extension Repository {
    /// Writes to the origin, and puts the result into the store and the cache, for every observer of the key.
    ///
    ///     try await tweets.update(42) { tweet in tweet = try await api.like(tweet.id) }
    ///
    /// Nothing changes before the closure returns. A fetch that is running then is outdated: its value is dropped, and
    /// its callers get this one. Updates of one key run one after another; one inside another of the same key never
    /// ends.
    ///
    /// - Parameters:
    ///   - key: what to change.
    ///   - change: changes the value, which is fetched first if there is none.
    /// - Returns: the new value, once the cache has it.
    /// - Throws: what the closure throws, or the origin: then nothing changes. ``LoadingError/removed`` if the key was
    ///   removed meanwhile: then the result is dropped.
    @discardableResult
    public func update(
        _ key: Key, fileID: String = #fileID, line: Int = #line, column: Int = #column, function: String = #function,
        _ change: @Sendable (inout Value) async throws -> Void
    ) async throws -> Value {
        let location = SourceLocation(file: fileID, line: line, column: column, function: function)
        let end = Promise<Void>()
        let (previous, removals) = table.withLock { $0.enqueueUpdate(of: key, ending: end) }
        defer {
            table.withLock { $0.endUpdate(of: key, end) }
            end.resolve(())
        }
        await previous?.value
        var value = try await content(of: key, at: location)
        try await change(&value)
        guard await replace(key, with: value, ifRemoved: removals, named: "update", at: location) else {
            throw LoadingError.removed
        }
        return value
    }

    /// Puts a value that came from elsewhere, as from a list, into the store and the cache, for every observer of its
    /// key.
    ///
    /// It returns once the cache has the value; the observers have it before.
    public func set(
        _ value: Value, for key: Key, fileID: String = #fileID, line: Int = #line, column: Int = #column,
        function: String = #function
    ) async {
        let location = SourceLocation(file: fileID, line: line, column: column, function: function)
        await replace(key, with: value, ifRemoved: nil, named: "set", at: location)
    }

    /// The content, valid or not; fetched if there is none.
    private func content(of key: Key, at location: SourceLocation) async throws -> Value {
        if let content = part.value[key]?.content ?? table.withLock({ $0.lastContent(of: key) }) { return content }
        return try await request(key, isForced: false, at: location).result.value.get()
    }

    /// - Parameter removals: how often the key had been removed when the change began; nil if that does not matter.
    /// - Returns: false if it was removed since.
    @discardableResult
    private func replace(
        _ key: Key, with value: Value, ifRemoved removals: Int?, named name: String, at location: SourceLocation
    ) async -> Bool {
        if let removals, table.withLock({ $0.removals(of: key) }) != removals { return false }
        var (superseded, written, isReplaced): (Request<Value>?, Task<Void, Never>?, Bool) = (nil, nil, false)
        write(named: name, at: location) { states, table in
            // Checked again under the store's lock; a key that was removed just now leaves a commit without changes.
            if let removals, table.removals(of: key) != removals { return }
            isReplaced = true
            superseded = table.finish(key)
            written = complete(key, value, &states, &table, at: location)
        }
        superseded?.cancel()
        await finish(written, of: key)
        superseded?.result.resolve(.success(value))
        return isReplaced
    }
}
