internal import JournalFormat
internal import StateEncoding

extension Recorder {
    /// Begins to record a store that exists: from now on, as when a user shakes the phone to report a bug.
    ///
    ///     recorder.attach(cart)
    ///
    /// The journal gets a `store` record with the state at this time and this line of source; what was committed before is
    /// not in it, and its versions count from here. Derived values that read the store are in the journal if they are
    /// made after this. The store is recorded until ``detach(_:)``, the recorder's end or its own.
    ///
    /// A store has one recorder. One that this recorder records already goes on as it is. One that another recorder
    /// records, which is still open, stays with that, and one whose state is not Encodable stays unrecorded: both are
    /// reported to `onError`. A closed recorder records nothing. Inside the closure of a commit, a transform or an
    /// `encode(to:)` the call traps, as a commit does.
    ///
    /// - Returns: whether this recorder records the store now.
    /// - Complexity: that of encoding the state; commits of other threads to the store wait for its copy only.
    @discardableResult
    public func attach<State: Sendable>(
        _ store: Store<State>, fileID: StaticString = #fileID, line: Int = #line, column: Int = #column,
        function: StaticString = #function
    ) -> Bool {
        ThreadActivity.requireNone("'attach'")
        guard let form = prepare(StateTraits<State>.known.form, of: store.name) else { return false }
        let location = CommitLocation(file: fileID, line: line, column: column, function: function)
        switch store.attach(to: self, by: form, at: location) {
        case .begun(let ticket): waitUntilWritten(ticket)
        case .unchanged: break
        case .closed: return false
        case .refused(let other):
            report(.attached(store: store.name, journal: other.path))
            return false
        }
        return true
    }

    /// Ends the recording of a store, which goes on unrecorded; its `close` record is in the journal when this returns.
    ///
    /// A store that this recorder does not record stays as it is. What the recorder redacts is not redacted in patches of
    /// later ``Changes``. Inside the closure of a commit, a transform or an `encode(to:)` the call traps.
    public func detach<State: Sendable>(_ store: Store<State>) {
        ThreadActivity.requireNone("'detach'")
        if let track = store.detach(from: self) { closeAndWait(track) }
    }
}
