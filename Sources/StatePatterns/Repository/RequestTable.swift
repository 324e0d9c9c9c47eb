internal import JournalFormat
internal import StoreCore
internal import Synchronization

/// One request for a key, which all who want the key at that time share.
final class Request<Value: Sendable>: Sendable {
    /// Where the request was made: what its commits are recorded with.
    let location: SourceLocation
    /// What came of it.
    let result = Promise<Result<Value, any Error>>()
    private let task = Mutex<(task: Task<Void, Never>?, isCancelled: Bool)>((nil, false))

    init(at location: SourceLocation) { self.location = location }

    /// Hands over the task that the request runs in.
    func attach(_ new: Task<Void, Never>) {
        let isCancelled = task.withLock { task -> Bool in
            task.task = new
            return task.isCancelled
        }
        if isCancelled { new.cancel() }
    }

    /// Cancels the request, whose value nobody wants any more.
    func cancel() {
        let running = task.withLock { task -> Task<Void, Never>? in
            task.isCancelled = true
            return task.task
        }
        running?.cancel()
    }
}

/// What becomes of a request whose value needs no fetch.
enum RequestEnding: Sendable {
    /// It has ended.
    case ended
    /// Something newer came in between.
    case superseded
    /// Somebody wants a fetch all the same.
    case mustFetch
}

/// What a repository knows of its keys besides their states; held under a lock that is taken inside the store's, never the
/// other way round.
struct RequestTable<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Row: Sendable {
        var request: Request<Value>?
        /// Whether the request has to fetch, whatever the cache holds.
        var mustFetch = false
        /// What there was before a failure.
        var lastContent: Value?
        /// The last write to the cache.
        var cacheWrite: Task<Void, Never>?
        /// The end of the last update.
        var update: Promise<Void>?
        /// How often the key was removed while there were updates of it, which then come too late.
        var removals = 0

        /// Whether there is nothing to remember.
        var isEmpty: Bool { request == nil && lastContent == nil && cacheWrite == nil && update == nil }
    }

    private var rows: [Key: Row] = [:]
    /// How many keys are kept that nobody needs; nil for all.
    private let keeping: Int?
    /// How many observers a key has, and which keys have none and nothing under way; only where there is a limit.
    private var observers: [Key: Int] = [:]
    private var idle = LRUOrder<Key>()
    /// When the values were fetched or written, of a repository that asks how old they are.
    private var times: [Key: Duration] = [:]
    /// The last time that the whole cache was cleared.
    private var clearing: Task<Void, Never>?

    init(keeping: Int?) { self.keeping = keeping }

    /// Changes the row of a key, which is there only while there is something in it.
    private mutating func change<Result>(_ key: Key, _ body: (inout Row) -> Result) -> Result {
        var row = rows[key] ?? Row()
        let result = body(&row)
        rows[key] = row.isEmpty ? nil : row
        return result
    }

    /// How many keys there is something to remember of.
    var count: Int { rows.count }

    /// All requests that are under way.
    var requests: [Request<Value>] { rows.values.compactMap(\.request) }

    /// The request for a key, a new one where there is none.
    ///
    /// - Parameter isForced: whether it has to fetch.
    mutating func join(
        _ key: Key, isForced: Bool, at location: SourceLocation
    ) -> (request: Request<Value>, isNew: Bool) {
        idle.remove(key)
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

    /// Whether a request is still the one for its key: nothing newer came in between.
    func isCurrent(_ request: Request<Value>, for key: Key) -> Bool { rows[key]?.request === request }

    /// Ends a request whose value needs no fetch, if nobody wants one all the same.
    mutating func endUnfetched(_ request: Request<Value>, for key: Key) -> RequestEnding {
        defer { retireIfIdle(key) }
        return change(key) { row in
            guard row.request === request else { return .superseded }
            if row.mustFetch { return .mustFetch }
            row.request = nil
            return .ended
        }
    }

    /// Ends the request for a key, whatever it is.
    mutating func finish(_ key: Key) -> Request<Value>? {
        defer { retireIfIdle(key) }
        return change(key) { row in row.request.take() }
    }

    /// The keys that are being asked for, or whether one is.
    func requested(_ key: Key?) -> [Key] {
        if let key { return rows[key]?.request == nil ? [] : [key] }
        return rows.compactMap { $0.value.request == nil ? nil : $0.key }
    }

    // MARK: Contents and caches

    /// What there was before a failure; nil where the state has content of its own.
    func lastContent(of key: Key) -> Value? { rows[key]?.lastContent }

    mutating func keepContent(_ content: Value?, of key: Key) { change(key) { $0.lastContent = content } }

    /// When the value of a key was fetched or written.
    func time(of key: Key) -> Duration? { times[key] }

    mutating func setTime(_ time: Duration, of key: Key) { times[key] = time }

    /// The last write to the cache that concerns a key: who reads the cache waits for it.
    func pendingWrite(of key: Key) -> Task<Void, Never>? { rows[key]?.cacheWrite ?? clearing }

    /// Puts a write to the cache behind the last one.
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

    /// Clears the whole cache behind all writes to it, and before those that come.
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

    /// Forgets that the whole cache was cleared, unless it is again.
    mutating func endClearing(_ task: Task<Void, Never>) { if clearing == task { clearing = nil } }

    /// Forgets a write to the cache that has ended, unless another one is behind it.
    mutating func endWrite(of key: Key, _ task: Task<Void, Never>) {
        change(key) { row in if row.cacheWrite == task { row.cacheWrite = nil } }
    }

    /// Puts an update behind the last one of its key.
    ///
    /// - Returns: what to wait for, and how often the key was removed until now.
    mutating func enqueueUpdate(
        of key: Key, ending end: Promise<Void>
    ) -> (previous: Promise<Void>?, removals: Int) {
        idle.remove(key)
        return change(key) { row in
            defer { row.update = end }
            return (row.update, row.removals)
        }
    }

    /// How often a key was removed while there were updates of it.
    func removals(of key: Key) -> Int { rows[key]?.removals ?? 0 }

    mutating func endUpdate(of key: Key, _ end: Promise<Void>) {
        let wasRemoved = removals(of: key) > 0
        change(key) { row in if row.update === end { row.update = nil } }
        if !wasRemoved { retireIfIdle(key) }
    }

    // MARK: Keys that nobody needs

    /// Counts an observer more.
    mutating func addObserver(of key: Key) {
        observers[key, default: 0] += 1
        idle.remove(key)
    }

    /// Counts an observer less.
    ///
    /// - Parameter isKnown: whether there is something of the key to forget.
    mutating func removeObserver(of key: Key, isKnown: Bool) {
        let left = (observers[key] ?? 1) - 1
        observers[key] = left > 0 ? left : nil
        if isKnown { retireIfIdle(key) }
    }

    private mutating func retireIfIdle(_ key: Key) {
        guard keeping != nil, observers[key] == nil, rows[key]?.request == nil, rows[key]?.update == nil else { return }
        idle.append(key)
    }

    /// Forgets the keys that are too many, those that were not needed for the longest time.
    mutating func takeSurplus() -> [Key] {
        guard let keeping, idle.count > keeping else { return [] }
        var surplus: [Key] = []
        while idle.count > keeping, let key = idle.popFirst() {
            times[key] = nil
            change(key) { $0.lastContent = nil }
            surplus.append(key)
        }
        return surplus
    }

    // MARK: Removing

    /// Forgets a key.
    ///
    /// - Returns: its request, which nobody wants any more.
    mutating func remove(_ key: Key) -> Request<Value>? {
        times[key] = nil
        idle.remove(key)
        return change(key) { row in
            row.lastContent = nil
            row.removals += 1
            return row.request.take()
        }
    }

    /// Forgets all keys.
    mutating func removeAll() -> [Request<Value>] {
        times = [:]
        idle = LRUOrder()
        return Array(rows.keys).compactMap { remove($0) }
    }
}
