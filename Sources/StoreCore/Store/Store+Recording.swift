internal import JournalFormat
internal import StateEncoding
public import Synchronization

extension Store {
    typealias Recording = (recorder: Recorder, track: StateTrack<State>)

    /// Whether a recorder writes its commits.
    @inlinable
    public var isRecorded: Bool { hasRecording.load(ordering: .relaxed) }

    /// What records it; nil while it is not recorded.
    public var recorder: Recorder? { currentRecording?.recorder }

    /// Whether a part of its state is kept out of the journal; then messages elsewhere must not quote its values
    /// either.
    public var isRedacted: Bool { currentRecording?.track.hasRedactions ?? false }

    /// What records it, from any thread.
    var currentRecording: Recording? { published.withLock { _ in recording } }

    var protection: StateProtection? { currentRecording?.track.protection }

    /// Exchanges what records it; the caller holds the commit lock.
    ///
    /// - Returns: the recording before, to be released outside of the lock: it holds a state.
    private func exchangeRecording(_ next: Recording?) -> Recording? {
        let last = published.withLock { _ in
            defer {
                recording = next
                knownDelivery?.derivedSource.track = next?.track
            }
            return recording
        }
        hasRecording.store(next != nil, ordering: .relaxed)
        published.info.journal.withLock { $0 = next?.recorder.path }
        return last
    }

    /// What became of the wish to record it.
    enum Attachment {
        case begun(ticket: Int)
        case unchanged
        case refused(by: Recorder)
        case closed
    }

    /// Begins a recording with the present state, unless another recorder that is open has one.
    func attach(to recorder: Recorder, by form: EncodableForm<State>, at location: CommitLocation) -> Attachment {
        // The last recording, if there is one, is released outside of the lock.
        let (attachment, last) = commitLock.withLock { _ -> (Attachment, Recording?) in
            if let present = recording?.recorder, present.isOpen {
                return (present === recorder ? .unchanged : .refused(by: present), nil)
            }
            let opened = recorder.enqueueOpening(
                of: published.stateUnderLock, version: version, wanted: name, by: form, at: location)
            guard let opened else { return (.closed, nil) }
            return (.begun(ticket: opened.ticket), exchangeRecording((recorder, opened.track)))
        }
        withExtendedLifetime(last) {}
        return attachment
    }

    /// - Returns: the recorder's track of it, for the `close` record; nil if that does not record it.
    func detach(from recorder: Recorder) -> StateTrack<State>? {
        let last = commitLock.withLock { _ in recording?.recorder === recorder ? exchangeRecording(nil) : nil }
        return last?.track
    }
}
