internal import JournalFormat
internal import StoreCore
internal import Synchronization

extension Repository {
    /// Forgets a key: in the store, in the cache, and what is under way for it.
    ///
    ///     await tweets.remove(42)
    ///
    /// Its observers hear `failed` with ``LoadingError/removed``, and stay: when somebody asks for the key again, they hear of that,
    /// too. A fetch that is under way is cancelled, and who waits for it is thrown that error; so is an update that ends later. It
    /// returns once the cache has forgotten the key; the observers hear before.
    public func remove(
        _ key: Key, fileID: String = #fileID, line: Int = #line, column: Int = #column, function: String = #function
    ) async {
        let location = SourceLocation(file: fileID, line: line, column: column, function: function)
        await finish(clear(key, named: "remove", at: location), of: key)
    }

    /// Forgets all keys, as when somebody logs out: nothing of what was there comes back.
    ///
    /// Their observers hear `failed` with ``LoadingError/removed``, as with ``remove(_:fileID:line:column:function:)``. It returns
    /// once the cache is empty; the observers hear before.
    public func removeAll(
        fileID: String = #fileID, line: Int = #line, column: Int = #column, function: String = #function
    ) async {
        let location = SourceLocation(file: fileID, line: line, column: column, function: function)
        guard let cleared = clear(nil, named: "removeAll", at: location) else { return }
        await cleared.value
        table.withLock { $0.endClearing(cleared) }
    }

    /// Takes a key out of the store, all where it is nil.
    ///
    /// - Returns: what has the cache forget it; nil without a cache.
    private func clear(_ key: Key?, named name: String, at location: SourceLocation) -> Task<Void, Never>? {
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

    /// Makes the state of a key loading whose cache is being asked: where there was no state, its observers heard of no removal.
    private func showRequests(of key: Key?, named name: String, at location: SourceLocation) {
        let states = part.value
        let unseen = table.withLock { $0.requested(key) }.filter { states[$0] == nil }
        if unseen.isEmpty { return }
        write(named: name, at: location) { states, table in
            for key in unseen where states[key] == nil && !table.requested(key).isEmpty {
                states[key] = .loading(content: nil)
            }
        }
    }

    /// Has the cache forget a key, all where it is nil, behind what was written to it before.
    private func enqueueClearing(
        of key: Key?, _ table: inout RequestTable<Key, Value>, at location: SourceLocation
    ) -> Task<Void, Never>? {
        guard let clearCache = source.clearCache else { return nil }
        let clear: @Sendable () async -> Void = { [part, source] in
            do {
                try await clearCache(key)
            } catch {
                source.report(RepositoryCacheError(key: key, operation: .clear, error: error), to: part, at: location)
            }
        }
        return key.map { table.enqueueWrite(of: $0, clear) } ?? table.enqueueClearing(clear)
    }
}
