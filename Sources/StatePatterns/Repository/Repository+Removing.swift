internal import JournalFormat
internal import StoreCore
internal import Synchronization

extension Repository {
    /// Removes a key from the store and the cache, with all that is running for it.
    ///
    ///     await tweets.remove(42)
    ///
    /// Its observers receive `failed` with ``LoadingError/removed``, and stay: they receive later states when the key
    /// is asked for again. A running fetch is cancelled, and its callers are thrown that error; so is an update that
    /// ends later. This returns once the cache has removed the key; the observers are notified before.
    public func remove(
        _ key: Key, fileID: StaticString = #fileID, line: Int = #line, column: Int = #column,
        function: StaticString = #function
    ) async {
        let location = CommitLocation(file: fileID, line: line, column: column, function: function)
        await finish(clear(key, named: "remove", at: location), of: key)
    }

    /// Removes all keys, as at a log-out: nothing of what was there comes back, neither from requests, updates and writes
    /// to the cache that are running, nor from the cache, also if it could not be cleared.
    ///
    /// Their observers receive `failed` with ``LoadingError/removed``, as with
    /// ``remove(_:fileID:line:column:function:)``. This returns once the cache is empty; the observers are notified
    /// before.
    public func removeAll(
        fileID: StaticString = #fileID, line: Int = #line, column: Int = #column, function: StaticString = #function
    ) async {
        let location = CommitLocation(file: fileID, line: line, column: column, function: function)
        guard let cleared = clear(nil, named: "removeAll", at: location) else { return }
        await cleared.value
        table.withLock { $0.endClearing(cleared) }
    }

    /// Removes a key from the store, or all keys for nil.
    ///
    /// - Returns: the task that removes it from the cache; nil without a cache.
    private func clear(_ key: Key?, named name: String, at location: CommitLocation) -> Task<Void, Never>? {
        showRequests(of: key, named: name, at: location)
        var (requests, cleared): ([Request<Value>], Task<Void, Never>?) = ([], nil)
        write(named: name, at: location) { states, table in
            if let key {
                requests = [table.remove(key)].compactMap(\.self)
                states[key] = nil
            } else {
                requests = table.removeAll()
                states.removeAll()
            }
            cleared = enqueueClearing(of: key, &table, at: location)
        }
        for request in requests {
            request.cancel()
            request.result.resolve(.failure(LoadingError.removed))
        }
        return cleared
    }

    /// Makes the state of a key loading while its cache is being read: without a state, its observers would not be
    /// notified of the removal.
    private func showRequests(of key: Key?, named name: String, at location: CommitLocation) {
        let states = part.value
        let unseen = table.withLock { $0.requested(key) }.filter { states[$0] == nil }
        if unseen.isEmpty { return }
        write(named: name, at: location) { states, table in
            for key in unseen where states[key] == nil && !table.requested(key).isEmpty {
                states[key] = .loading(content: nil)
            }
        }
    }

    /// Removes a key from the cache, or all keys for nil, after earlier writes.
    private func enqueueClearing(
        of key: Key?, _ table: inout RequestTable<Key, Value>, at location: CommitLocation
    ) -> Task<Void, Never>? {
        guard let clearCache = source.clearCache else { return nil }
        let clear: @Sendable () async -> Void = { [weak self, part, source] in
            do {
                try await clearCache(key)
                self?.table.withLock { $0.trustCache(of: key) }
            } catch {
                self?.table.withLock { $0.distrustCache(of: key) }
                source.report(RepositoryCacheError(key: key, operation: .clear, error: error), to: part, at: location)
            }
        }
        return key.map { table.enqueueWrite(of: $0, clear) } ?? table.enqueueClearing(clear)
    }
}
