internal import JSONCore
internal import JournalFormat
internal import Synchronization

extension Store {
    /// Changes the state: the only way to write it.
    ///
    /// The closure runs under the store's lock on a copy of the state. When it returns, the copy becomes the state, its
    /// line is in the journal, and it is delivered, unless another thread is delivering or a subscriber made the
    /// commit. When it throws, state and version stay as they were, and the journal has an `abort`.
    ///
    ///     let id = store.commit { state in state.add(apple) }
    ///
    /// Where several threads commit, a commit delivers nothing after its own version, and may return before that is
    /// delivered, if another thread is delivering. While more than 1,024 versions wait for their delivery, it returns
    /// up to a second later, so that subscribers that are slower than the commits can catch up. A commit of a
    /// subscriber never waits.
    ///
    /// - Parameters:
    ///   - name: the commit's name in the journal; by default the function that it is made in.
    ///   - body: changes the state, and may return a value. It must not commit to any store: that traps.
    /// - Returns: what the closure returned.
    /// - Throws: what the closure throws.
    /// - Complexity: two locks and a copy of the state besides the closure; with a recorder, what changed is encoded and
    ///   written, with listeners the state is delivered to each.
    @discardableResult
    @inlinable
    public func commit<Result, Failure: Error>(
        name: String? = nil, fileID: StaticString = #fileID, line: Int = #line, column: Int = #column,
        function: StaticString = #function, _ body: (inout State) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let location = CommitLocation(file: fileID, line: line, column: column, function: function)
        return try perform(body, named: name, action: nil, at: location)
    }

    /// For the compiler's message alone.
    @available(*, unavailable, renamed: "commit(name:_:)")
    public func commit<Result, Failure: Error>(
        _ name: String, _ body: (inout State) throws(Failure) -> Result
    ) throws(Failure) -> Result { try commit(name: name, body) }

    /// Changes the state, as a commit of the caller's caller.
    ///
    /// - Parameter location: the line that is recorded as the commit's place.
    @discardableResult
    @inlinable
    package func commit<Result, Failure: Error>(
        asAt location: CommitLocation, name: String? = nil, _ body: (inout State) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try perform(body, named: name, action: nil, at: location)
    }

    // From here to `publish` everything is inlinable: the app's module knows the type of the state, so a commit without
    // recorder and subscribers costs its locks and a copy. Unspecialised, it costs ten times as much.

    /// The one entry of everything that writes; its location cannot be left out.
    ///
    /// - Parameters:
    ///   - name: the commit's name in the journal; nil for the function of its location.
    ///   - action: what a reducer answers with this commit; nil for none.
    ///   - receipt: is filled with what the commit did; nil where nothing needs it.
    @inlinable
    func perform<Result, Failure: Error>(
        _ body: (inout State) throws(Failure) -> Result, named name: String?, action: CommitAction?,
        at location: CommitLocation, receipt: CommitReceipt<State>? = nil
    ) throws(Failure) -> Result {
        ThreadActivity.requireCommitAllowed(at: location)
        var after = AfterCommit()
        var outcome: Swift.Result<Result, Failure>?
        // The unneeded state is released outside the lock: its deinitializers are code of the app, which may commit.
        _ = commitLock.withLock { _ in
            var state = published.stateUnderLock
            do throws(Failure) {
                let result = try change(
                    &state, by: body, named: name, action: action, at: location, receipt: receipt, after: &after)
                outcome = .success(result)
            } catch {
                outcome = .failure(error)
            }
            return state
        }
        switch outcome {
        case .success(let result):
            if after.ticket > 0 { waitUntilWritten(after) }
            if after.hasListeners { deliver(after) }
            return result
        case .failure(let error):
            recordAbort(error, named: name, at: location)
            throw error
        case nil: preconditionFailure("a commit ended without a result")
        }
    }

    /// What happens under the store's lock: the change, its number and its place in the line of deliveries.
    ///
    /// - Parameter state: a copy of the state; afterwards, the one to be released.
    @inlinable
    func change<Result, Failure: Error>(
        _ state: inout State, by body: (inout State) throws(Failure) -> Result, named name: String?,
        action: CommitAction?, at location: CommitLocation, receipt: CommitReceipt<State>?, after: inout AfterCommit
    ) throws(Failure) -> Result {
        let result = try ThreadActivity.duringCommit(at: location) { () throws(Failure) in
            let result = try body(&state)
            if let adjust { adjust(&state, published.stateUnderLock) }
            return result
        }
        let isRecorded = isRecorded
        let cause = isRecorded ? CommitReference.current : nil
        let pending =
            isRecorded
            ? enqueue(state, named: name, action: action, at: location, cause: cause, receipt: receipt, after: &after)
            : nil
        if let receipt { captureBefore(receipt) }
        publish(&state, named: name, at: location, cause: cause, pending: pending, after: &after)
        if let receipt { captureAfter(receipt, pending) }
        return result
    }

    @usableFromInline
    func enqueue(
        _ state: State, named name: String?, action: CommitAction?, at location: CommitLocation,
        cause: CommitReference?, receipt: CommitReceipt<State>?, after: inout AfterCommit
    ) -> PendingCommit? {
        guard let (recorder, track) = recording else { return nil }
        // Only commits raise the version, and this one has the lock. A subscriber that is added now does without the
        // patch.
        let version = published.withLock(\.version)
        let pending = track.commitType.init(
            state, track: track, recorder: recorder, version: version + 1 - track.baseVersion, location: location,
            name: receipt?.takesBack?.name ?? name, action: action,
            cause: cause?.number(in: recorder.identity),
            undoes: receipt?.takesBack?.commit.flatMap { $0.recorder == recorder.identity ? $0.number : nil },
            trace: recorder.context.flatMap { context in ThreadActivity.duringCommit(at: location) { context() } },
            wantsPatch: published.info.isHeard.load(ordering: .relaxed))
        guard recorder.enqueue(pending) else { return nil }
        after.recorder = recorder
        after.ticket = pending.ticket
        return pending
    }

    /// Makes the new state the one that readers see, and exchanges it for the old one, which is thus released outside
    /// the readers' lock.
    @inlinable
    func publish(
        _ state: inout State, named name: String?, at location: CommitLocation, cause: CommitReference?,
        pending: PendingCommit?, after: inout AfterCommit
    ) {
        published.withLock { origin in
            published.exchange(&state)
            origin.version += 1
            origin.location = location
            origin.cause = cause
            if origin.hasListeners { putInLine(&origin, named: name, pending, &after) }
        }
    }

    /// Puts a version into the line of deliveries; the caller holds the lock that the version is under.
    @usableFromInline
    func putInLine(
        _ origin: inout StateOrigin, named name: String?, _ pending: PendingCommit?, _ after: inout AfterCommit
    ) {
        guard let delivery = knownDelivery else { return }
        // A commit without recorder and listeners does not look for its cause.
        if pending == nil { origin.cause = CommitReference.current }
        let node = delivery.node(at: unsafe Borrowed(published.place), origin)
        after.version = origin.version
        after.hasTurn = delivery.admit(DeliveryLine.Item(node: node, recorded: pending))
        guard delivery.hasHistories else { return }
        for history in delivery.histories {
            history.append(
                node.copy(), named: name ?? node.location.function, pending.map { CommitReference.Entry($0) })
        }
    }

    /// Makes sure that a version is delivered, by this thread or another one.
    @usableFromInline
    func deliver(_ after: AfterCommit) { knownDelivery?.drain(through: after.version, hasTurn: after.hasTurn) }

    @usableFromInline
    func waitUntilWritten(_ after: AfterCommit) { after.recorder?.waitUntilWritten(after.ticket) }

    @usableFromInline
    func recordAbort(_ error: any Error, named name: String?, at location: CommitLocation) {
        guard let (recorder, track) = currentRecording else { return }
        recorder.recordAbort(of: track, at: location, name: name ?? location.function, error: error)
    }
}

/// What is left to do for a commit after its store's lock is released.
@usableFromInline
struct AfterCommit {
    /// What records the commit; the store may have another recorder, or none, by now.
    @usableFromInline var recorder: Recorder?
    /// The record to wait for; 0 for none.
    @usableFromInline var ticket = 0
    /// The version to be delivered; 0 without listeners.
    @usableFromInline var version = 0
    /// Whether the line was idle, so that the commit delivers it without a look at that.
    @usableFromInline var hasTurn = false

    @inlinable var hasListeners: Bool { version > 0 }

    @inlinable
    init() {}
}
