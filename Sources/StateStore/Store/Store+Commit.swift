internal import JournalFormat
internal import Synchronization

extension Store {
    /// Changes the state: the only way to write it.
    ///
    /// The closure runs under the store's lock on a copy of the state. When it returns, the copy is the state, its line is in
    /// the journal, and, unless another thread is at it or a sink made the commit, it is delivered. When it throws, state and
    /// version stay as they were, and the journal has an `abort`.
    ///
    ///     let id = store.commit { state in state.add(apple) }
    ///
    /// - Parameters:
    ///   - name: the commit's name in the journal; by default the function that it is made in.
    ///   - body: changes the state, and may return a value. It must not commit to any store: that traps.
    /// - Returns: what the closure returned.
    /// - Throws: what the closure throws.
    /// - Complexity: two locks and a copy of the state besides the closure; with a recorder, what changed is encoded and
    ///   written, with listeners the state is delivered to each.
    @discardableResult
    public func commit<Result, Failure: Error>(
        name: String? = nil, fileID: String = #fileID, line: Int = #line, column: Int = #column,
        function: String = #function, _ body: (inout State) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let location = SourceLocation(file: fileID, line: line, column: column, function: function)
        return try perform(body, named: name, at: location)
    }

    /// The one entry of everything that writes; its location cannot be left out.
    func perform<Result, Failure: Error>(
        _ body: (inout State) throws(Failure) -> Result, named name: String?, at location: SourceLocation
    ) throws(Failure) -> Result {
        ThreadActivity.requireCommitAllowed(at: location)
        var outcome: (result: Result, ticket: Int, hasListeners: Bool)?
        do throws(Failure) {
            try commitLock.withLock { _ throws(Failure) in
                outcome = try change(body, named: name, at: location)
            }
        } catch {
            if let (recorder, track) = recorded {
                recorder.recordAbort(of: track, at: location, name: name ?? location.function, error: error)
            }
            throw error
        }
        guard let outcome else { preconditionFailure("a commit ended without a result") }
        if outcome.ticket > 0 { recorded?.recorder.settle(outcome.ticket) }
        if outcome.hasListeners { delivery.drain() }
        return outcome.result
    }

    /// What happens under the store's lock: the change, its number and its place in the line of deliveries.
    private func change<Result, Failure: Error>(
        _ body: (inout State) throws(Failure) -> Result, named name: String?, at location: SourceLocation
    ) throws(Failure) -> (result: Result, ticket: Int, hasListeners: Bool) {
        var state = state
        let result = try ThreadActivity.during(.committing(location)) { () throws(Failure) in try body(&state) }
        let isFollowed = recorded != nil || published.withLock(\.hasListeners)
        let cause = isFollowed ? CommitReference.current : nil
        let pending = enqueue(state, named: name, at: location, cause: cause)
        let hasListeners = publish(state, at: location, cause: cause, pending: pending)
        return (result, pending?.ticket ?? 0, hasListeners)
    }

    /// Puts the new state into the recorder's queue, if there is one.
    private func enqueue(
        _ state: State, named name: String?, at location: SourceLocation, cause: CommitReference?
    ) -> PendingCommit? {
        guard let (recorder, track) = recorded else { return nil }
        let (version, hasListeners) = published.withLock { ($0.version, $0.hasListeners) }
        let pending = PendingStateCommit(
            state, track: track, recorder: recorder, version: version + 1, location: location,
            name: name ?? location.function, cause: cause?.number(in: recorder.identity), wantsPatch: hasListeners)
        return recorder.enqueue(pending) ? pending : nil
    }

    /// Makes the new state the one that everybody sees.
    ///
    /// - Returns: whether somebody listens.
    private func publish(
        _ state: consuming State, at location: SourceLocation, cause: CommitReference?, pending: PendingCommit?
    ) -> Bool {
        // The old state goes away outside the lock, which readers wait for.
        let old: Snapshot
        let hasListeners: Bool
        (old, hasListeners) = published.withLock { [state] snapshot in
            let old = snapshot
            snapshot.state = state
            snapshot.version += 1
            snapshot.location = location
            snapshot.cause = cause
            if snapshot.hasListeners {
                let node = StateNode(state: state, version: snapshot.version, location: location, cause: cause)
                delivery.line.withLock { $0.enqueue(DeliveryLine.Item(node: node, recorded: pending)) }
            }
            return (old, snapshot.hasListeners)
        }
        _ = old
        return hasListeners
    }
}
