internal import JournalFormat
internal import StoreCore
internal import Synchronization

/// One request for a key, shared by all callers that ask for the key while it runs.
final class Request<Value: Sendable>: Sendable {
    /// Where the request was made: the place of its commits.
    let location: CommitLocation
    let result = Promise<Result<Value, any Error>>()
    private let task = Mutex<(task: Task<Void, Never>?, isCancelled: Bool)>((nil, false))

    init(at location: CommitLocation) { self.location = location }

    /// The result, once it is there; an error at once if the waiting task is cancelled, which leaves the request running.
    var value: Value {
        get async throws {
            guard let result = await result.valueUnlessCancelled else { throw CancellationError() }
            return try result.get()
        }
    }

    func attach(_ new: Task<Void, Never>) {
        let isCancelled = task.withLock { task -> Bool in
            task.task = new
            return task.isCancelled
        }
        if isCancelled { new.cancel() }
    }

    /// Cancels the request, whose value is not needed any more.
    func cancel() {
        let running = task.withLock { task -> Task<Void, Never>? in
            task.isCancelled = true
            return task.task
        }
        running?.cancel()
    }
}

/// What happened to a request whose value needs no fetch.
enum RequestEnding: Sendable {
    case ended
    /// A newer write or request came in between.
    case superseded
    case mustFetch
}

/// What a repository knows of its keys besides their states; under a lock that is taken inside the store's, never the
/// other way round.
struct RequestTable<Key: Hashable & Codable & Sendable, Value: Encodable & Equatable & Sendable>: Sendable {
    private struct Row: Sendable {
        var request: Request<Value>?
        /// Whether the request has to fetch, whatever the cache holds.
        var mustFetch = false
        /// Whether the content is what an update expects, and not yet what the origin said.
        var showsGuess = false
        var cacheWrite: Task<Void, Never>?
        /// The end of the last update.
        var update: Promise<Void>?
        /// How often the key was removed during updates of it, which then come too late.
        var removals = 0

        var isEmpty: Bool { request == nil && cacheWrite == nil && update == nil }
    }

    private var rows: [Key: Row] = [:]
    /// How many unneeded keys are kept; nil for all.
    private let keeping: Int?
    /// The keys that an observer, a derived value or a view holds, and the order of those with nothing running; only with a
    /// limit.
    private var kept = KeptKeys<Key>()
    /// When the values were fetched or written, in a repository that checks their age.
    private var times: [Key: Duration] = [:]
    /// The last time that the whole cache was cleared.
    private var clearing: Task<Void, Never>?
    /// The removed keys that the cache still has, since it threw; and whether it may still have any key.
    private var uncleared: Set<Key> = []
    private var isUncleared = false
    /// With more uncleared keys than this, the cache is not read for any.
    private static var maximumUncleared: Int { 1_000 }

    init(keeping: Int?) { self.keeping = keeping }

    /// Changes the row of a key, which exists only while it is not empty.
    private mutating func change<Result>(_ key: Key, _ body: (inout Row) -> Result) -> Result {
        var row = rows[key] ?? Row()
        let result = body(&row)
        rows[key] = row.isEmpty ? nil : row
        return result
    }

    var count: Int { rows.count }

    var requests: [Request<Value>] { rows.values.compactMap(\.request) }

    mutating func join(
        _ key: Key, isForced: Bool, at location: CommitLocation
    ) -> (request: Request<Value>, isNew: Bool) {
        kept.use(key)
        return change(key) { row in
            if let request = row.request {
                row.mustFetch = row.mustFetch || isForced
                return (request, false)
            }
            let request = Request<Value>(at: location)
            row.request = request
            row.mustFetch = isForced
            return (request, true)
        }
    }

    func isCurrent(_ request: Request<Value>, for key: Key) -> Bool { rows[key]?.request === request }

    /// Ends a request whose value needs no fetch, unless another caller asked for one.
    mutating func endUnfetched(_ request: Request<Value>, for key: Key) -> RequestEnding {
        defer { retireIfIdle(key) }
        return change(key) { row in
            guard row.request === request else { return .superseded }
            if row.mustFetch { return .mustFetch }
            row.request = nil
            return .ended
        }
    }

    mutating func finish(_ key: Key) -> Request<Value>? {
        defer { retireIfIdle(key) }
        return change(key) { row in row.request.take() }
    }

    /// The keys with a running request: all, or at most the given one.
    func requested(_ key: Key?) -> [Key] {
        if let key { return rows[key]?.request == nil ? [] : [key] }
        return rows.compactMap { $0.value.request == nil ? nil : $0.key }
    }

    // MARK: Contents and caches

    func showsGuess(of key: Key) -> Bool { rows[key]?.showsGuess ?? false }

    mutating func setShowsGuess(_ showsGuess: Bool, of key: Key) { change(key) { $0.showsGuess = showsGuess } }

    func time(of key: Key) -> Duration? { times[key] }

    mutating func setTime(_ time: Duration, of key: Key) { times[key] = time }

    /// The last write to the cache that concerns a key; a read of the cache waits for it.
    func pendingWrite(of key: Key) -> Task<Void, Never>? { rows[key]?.cacheWrite ?? clearing }

    mutating func enqueueWrite(of key: Key, _ write: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
        let clearing = clearing
        return change(key) { row in
            let previous = row.cacheWrite ?? clearing
            let task = Task {
                await previous?.value
                await write()
            }
            row.cacheWrite = task
            return task
        }
    }

    /// Clears the whole cache after all earlier writes to it, and before later ones.
    mutating func enqueueClearing(_ clear: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
        let previous = rows.values.compactMap(\.cacheWrite) + [clearing].compactMap(\.self)
        let task = Task {
            for write in previous { await write.value }
            await clear()
        }
        clearing = task
        for key in rows.keys { change(key) { $0.cacheWrite = nil } }
        return task
    }

    /// Removes a clearing that has ended, unless another one was queued.
    mutating func endClearing(_ task: Task<Void, Never>) { if clearing == task { clearing = nil } }

    /// Removes a write to the cache that has ended, unless another one was queued.
    mutating func endWrite(of key: Key, _ task: Task<Void, Never>) {
        change(key) { row in if row.cacheWrite == task { row.cacheWrite = nil } }
    }

    /// Whether the cache has no removed value of a key, which must not come back.
    func trustsCache(of key: Key) -> Bool { !isUncleared && !uncleared.contains(key) }

    /// Marks a key, or all for nil, whose removed value the cache still has.
    mutating func distrustCache(of key: Key?) {
        if let key { uncleared.insert(key) }
        if key == nil || uncleared.count > Self.maximumUncleared { (uncleared, isUncleared) = ([], true) }
    }

    /// Marks a key that the cache has removed or written anew, or nil where it has removed all.
    mutating func trustCache(of key: Key?) {
        if let key { uncleared.remove(key) } else { (uncleared, isUncleared) = ([], false) }
    }

    /// Queues an update after the last one of its key.
    ///
    /// - Returns: what to wait for, and how often the key was removed until now.
    mutating func enqueueUpdate(
        of key: Key, ending end: Promise<Void>
    ) -> (previous: Promise<Void>?, removals: Int) {
        kept.use(key)
        return change(key) { row in
            defer { row.update = end }
            return (row.update, row.removals)
        }
    }

    func removals(of key: Key) -> Int { rows[key]?.removals ?? 0 }

    mutating func endUpdate(of key: Key, _ end: Promise<Void>) {
        let wasRemoved = removals(of: key) > 0
        change(key) { row in if row.update === end { row.update = nil } }
        if !wasRemoved { retireIfIdle(key) }
    }

    // MARK: Keys that nothing holds

    /// Keeps a key, known or not, until it is released as often.
    mutating func hold(_ key: Key) { kept.hold(key) }

    /// - Parameter isKnown: whether the key has anything to forget.
    mutating func release(_ key: Key, isKnown: Bool) { if kept.release(key), isKnown { retireIfIdle(key) } }

    mutating func releaseRead(_ key: Key) { kept.releaseRead(key) }

    private mutating func retireIfIdle(_ key: Key) {
        guard keeping != nil, rows[key]?.request == nil, rows[key]?.update == nil else { return }
        kept.retire(key)
    }

    /// Forgets the keys beyond the limit, those that were unneeded for the longest time first.
    mutating func forgetSurplus(of states: inout LoadingStates<Key, Value>) {
        guard let keeping else { return }
        while let key = kept.popJustRead(beyond: keeping) { if states[key] != nil { retireIfIdle(key) } }
        while let key = kept.popIdle(beyond: keeping) {
            times[key] = nil
            states[key] = nil
        }
    }

    // MARK: Removing

    /// - Returns: its request, which is not needed any more.
    mutating func remove(_ key: Key) -> Request<Value>? {
        times[key] = nil
        kept.use(key)
        return change(key) { row in
            row.showsGuess = false
            row.removals += 1
            return row.request.take()
        }
    }

    mutating func removeAll() -> [Request<Value>] {
        times = [:]
        kept.removeUnheld()
        return Array(rows.keys).compactMap { remove($0) }
    }
}
