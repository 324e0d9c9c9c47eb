internal import JournalFormat
internal import StoreCore
internal import Synchronization

extension Repository {
    /// Writes to the origin, and puts the result into the store and the cache, for every observer of the key.
    ///
    ///     try await tweets.update(42, optimistically: { $0.isLiked = true }) { tweet in
    ///         tweet = try await api.like(tweet.id)
    ///     }
    ///
    /// Without a guess nothing changes before the closure returns. A fetch that is running then is outdated: its value
    /// is dropped, and its callers get this one. Updates of one key run one after another; so one inside another of the
    /// same key would wait for itself, and traps with both places.
    ///
    /// - Parameters:
    ///   - key: what to change.
    ///   - guess: changes the value to what the result is expected to be. Every observer receives that when the update
    ///     begins, and the value from before again if the update fails, unless a fetch or a `set` replaced it meanwhile.
    ///     The cache never has it.
    ///   - change: changes the value, or the guess if there is one; the value is fetched first if there is none.
    /// - Returns: the new value, once the cache has it.
    /// - Throws: what the closure throws, or the origin: then nothing changes, or the guess is taken back.
    ///   ``LoadingError/removed`` if the key was removed meanwhile: then the result is dropped.
    @discardableResult
    public func update(
        _ key: Key, optimistically guess: (@Sendable (inout Value) -> Void)? = nil, fileID: StaticString = #fileID,
        line: Int = #line, column: Int = #column, function: StaticString = #function,
        _ change: @Sendable (inout Value) async throws -> Void
    ) async throws -> Value {
        let location = CommitLocation(file: fileID, line: line, column: column, function: function)
        let update = RunningUpdate(of: key, in: self, at: location)
        update.requireNotNested()
        let end = Promise<Void>()
        let (previous, removals) = table.withLock { $0.enqueueUpdate(of: key, ending: end) }
        defer {
            update.hasEnded.store(true, ordering: .relaxed)
            table.withLock { $0.endUpdate(of: key, end) }
            end.resolve(())
        }
        await previous?.value
        let before = try await content(of: key, at: location)
        var value = before
        if let guess {
            guess(&value)
            show(value, of: key, ifRemoved: removals, at: location)
        }
        do {
            try await RunningUpdate.$current.withValue(update) { try await change(&value) }
        } catch {
            if guess != nil { takeBack(to: before, of: key, at: location) }
            throw error
        }
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
        _ value: Value, for key: Key, fileID: StaticString = #fileID, line: Int = #line, column: Int = #column,
        function: StaticString = #function
    ) async {
        let location = CommitLocation(file: fileID, line: line, column: column, function: function)
        await replace(key, with: value, ifRemoved: nil, named: "set", at: location)
    }

    /// The content, valid or not; fetched if there is none.
    private func content(of key: Key, at location: CommitLocation) async throws -> Value {
        if let content = part.value[key]?.content { return content }
        return try await request(key, isForced: false, at: location).value
    }

    // MARK: A guess, which changes the content alone: whether the key is loading or has failed is not its concern.

    private func show(_ guess: Value, of key: Key, ifRemoved removals: Int, at location: CommitLocation) {
        write(named: "guess", at: location) { states, table in
            guard let state = states[key], table.removals(of: key) == removals else { return }
            states[key] = state.map { _ in guess }
            table.setShowsGuess(true, of: key)
        }
    }

    private func takeBack(to value: Value, of key: Key, at location: CommitLocation) {
        write(named: "takeBack", at: location) { states, table in
            guard let state = states[key], table.showsGuess(of: key) else { return }
            states[key] = state.map { _ in value }
            table.setShowsGuess(false, of: key)
        }
    }

    /// - Parameter removals: how often the key had been removed when the change began; nil if that does not matter.
    /// - Returns: false if it was removed since.
    @discardableResult
    private func replace(
        _ key: Key, with value: Value, ifRemoved removals: Int?, named name: String, at location: CommitLocation
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

/// An update of one key, which its closure must not update again: that would wait for itself.
private final class RunningUpdate: Sendable {
    /// The update whose closure the current task runs.
    @TaskLocal static var current: RunningUpdate?

    /// Whether it is over, although a task that its closure started may go on.
    let hasEnded = Atomic(false)
    private let location: CommitLocation
    private let isOfSameKey: @Sendable (RunningUpdate) -> Bool
    private let repository: ObjectIdentifier
    private let key: any Sendable
    /// The task that it runs in; another task may wait for it.
    private let task = unsafe withUnsafeCurrentTask { unsafe $0?.hashValue }
    private let outer = RunningUpdate.current

    init<Key: Hashable & Codable & Sendable, Value: Encodable & Equatable & Sendable>(
        of key: Key, in repository: Repository<Key, Value>, at location: CommitLocation
    ) {
        self.location = location
        self.key = key
        self.repository = ObjectIdentifier(repository)
        isOfSameKey = { other in (other.key as? Key) == key }
    }

    /// Traps if an update of the same key, which runs in the same task, is not over.
    func requireNotNested() {
        var other = outer
        while let update = other {
            if update.repository == repository, update.task == task, isOfSameKey(update),
                !update.hasEnded.load(ordering: .relaxed)
            {
                // Not `preconditionFailure`: a release build would drop the text, which is all that helps.
                fatalError(
                    "the update at \(place) is inside an update of the same key at \(update.place): it would wait for itself"
                )
            }
            other = update.outer
        }
    }

    private var place: String { "\(location.file):\(location.line):\(location.column) '\(location.function)'" }
}
