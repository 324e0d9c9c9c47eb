internal import Diagnostics
internal import JournalFormat
internal import StateEncoding
internal import Synchronization

/// What stores and derived values put into the queue: their births and deaths, outcomes, and commits that threw.
extension Recorder {
    /// - Parameter form: how its states become JSON; nil where they cannot, which is reported.
    /// - Returns: nil once the recorder is closed, and without a form.
    func open<State: Sendable>(
        _ initial: State, wanted name: String, by form: EncodableForm<State>?, at location: CommitLocation
    ) -> StateTrack<State>? {
        ThreadActivity.requireOutsideEncoding("making the store '\(name)'")
        guard let form = prepare(form, of: name),
            let opened = enqueueOpening(of: initial, version: 0, wanted: name, by: form, at: location)
        else { return nil }
        waitUntilWritten(opened.ticket)
        return opened.track
    }

    /// What is done outside of all locks before a store is opened, since it runs code of the app: what its type redacts
    /// itself is found, and a state without a form is reported, once for each type.
    func prepare<State: Sendable>(_ form: EncodableForm<State>?, of name: String) -> EncodableForm<State>? {
        if form != nil {
            protection.types.search(State.self)
        } else if unrecordable.withLock({ $0.insert(ObjectIdentifier(State.self)).inserted }) {
            let error = StateEncodingError(path: "", type: "\(State.self)", reason: .notEncodable)
            report(.encoding(store: name, path: error.path, type: error.type, problem: error.diagnostic))
        }
        return form
    }

    /// - Returns: nil once the recorder is closed.
    func enqueueOpening<State: Sendable>(
        of state: State, version: Int, wanted name: String, by form: EncodableForm<State>, at location: CommitLocation
    ) -> (track: StateTrack<State>, ticket: Int)? {
        withQueue { queue in
            let track = StateTrack(
                name: queue.takeStoreName(name), wanted: name, location: location, initial: state, version: version,
                form: form, protection: protection, encoding: encoding)
            return (track, queue.append(.open(track, queue.time)))
        }
    }

    /// Ends the recording of a store that is released, on any thread and under any lock.
    func close(_ track: StoreTrack) {
        recordWithoutWaiting(isTimed: true) { queue in queue.ending(of: track) }
    }

    /// Ends the recording of a store that goes on; its line is written when this returns.
    func closeAndWait(_ track: StoreTrack) {
        record("detach") { queue in queue.append(queue.ending(of: track)) }
    }

    func recordAbort(of track: StoreTrack, at location: CommitLocation, name: String, error: any Error) {
        // An error may quote what the closure worked on.
        let text = track.hasRedactions ? String(describing: type(of: error)) : String(describing: error)
        record("commit") { queue in
            queue.append(.abort(track, queue.time, location, name: name, error: text))
        }
    }

    // MARK: Derived values

    /// Declares a derived value, and finds the places of its inputs, once earlier commits are encoded.
    ///
    /// In the background it does not wait: a view makes derived values while it is shown.
    func declare(_ declaration: DerivedDeclaration) -> DerivedDeclaration {
        record("derived", isSmall: true, isTimed: false) { queue in
            declaration.ticket = queue.append(.derived(declaration))
            return declaration.ticket
        }
        return declaration
    }

    /// The name of a derived value in the journal, known once its line is composed.
    ///
    /// In the background it waits for that, except inside of what the recorder calls, where it is the wanted name.
    func name(of declaration: DerivedDeclaration) -> String {
        if isInBackground, ThreadActivity.current == nil, !isForkedChild {
            writeNow(declaration.ticket)
        }
        return isWritten(declaration.ticket) ? declaration.name : declaration.wanted
    }

    /// Whether a derived value may reveal something redacted, as far as was committed until now.
    ///
    /// In the background that is known once the queue is encoded; inside of what the recorder calls it is taken as
    /// true.
    func isSecret(_ declaration: DerivedDeclaration) -> Bool {
        if isInBackground, declaration.readsRedactedStore, !isForkedChild {
            if ThreadActivity.current != nil { return true }
            writeNow(queue.withLock(\.ticket))
        }
        return declaration.isSecret || declaration.readsSecretElsewhere(protection.types)
    }

    func forget(_ declaration: DerivedDeclaration) {
        recordWithoutWaiting(isTimed: false) { _ in .forget(declaration) }
    }

    func record(_ outcomes: [QueuedOutcome], of commit: PendingCommit) {
        if outcomes.isEmpty { return }
        record("delivery", isTimed: false) { queue in queue.append(.outcome(commit, outcomes)) }
    }
}
