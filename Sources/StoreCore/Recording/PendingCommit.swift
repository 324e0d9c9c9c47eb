internal import JSONCore
internal import JournalFormat
internal import StateEncoding

/// A commit on its way through the recorder's queue, and what became of it; a subclass knows the type of the state.
@usableFromInline
class PendingCommit: @unchecked Sendable {
    // Unchecked: `ticket`, `number` and `time` are set under the queue's lock before anybody else sees the object. What comes
    // of it is set by the holder of the writing lock, before the recorder's `writtenTicket` count is raised past the ticket, and
    // read by others only after they saw that count.

    let track: any StoreTrack
    let version: Int
    let location: SourceLocation
    let name: String
    let action: CommitAction?
    let cause: CommitNumber?
    /// Whether its changes are delivered, and may be asked for the patch.
    let wantsPatch: Bool
    private unowned let recorder: Recorder

    @usableFromInline var ticket = 0
    var number = CommitNumber.zero
    var time = Timestamp(microseconds: .min)

    /// Whether its line is in the journal, and not only a gap; for the holder of the writing lock.
    private(set) var isKept = false
    private var isEmpty = false
    private var patch: [UInt8] = []

    init(
        track: any StoreTrack, recorder: Recorder, version: Int, location: SourceLocation, name: String,
        action: CommitAction?, cause: CommitNumber?, wantsPatch: Bool
    ) {
        self.track = track
        self.recorder = recorder
        self.version = version
        self.location = location
        self.name = name
        self.action = action
        self.cause = cause
        self.wantsPatch = wantsPatch
    }

    /// Has the store's track take on the new state, and appends the patch.
    func advance(appendingPatchTo bytes: inout [UInt8]) throws(StateEncodingError) {}

    /// Has the store's track take on the new state without a patch.
    func hold() {}

    /// Whether the recorder is done with it: its line is written, or known to be lost.
    var isWritten: Bool { recorder.isWritten(ticket) }

    /// Whether subscribers may see it: once its line is written, but in the background at once.
    var mayBeDelivered: Bool { recorder.isInBackground || isWritten }

    /// Notes the patch that was written for it.
    func keep(patch bytes: ArraySlice<UInt8>) {
        isKept = true
        isEmpty = bytes.count == 2  // `[]`
        if wantsPatch { patch = Array(bytes) }
    }

    /// The patch in the journal, where it was kept and is written by now.
    var keptPatch: [UInt8]? { isWritten && isKept && wantsPatch ? patch : nil }

    /// The paths that its patch writes to; nil where that is not known: its line is not in the journal, or not yet, or nobody
    /// wanted the patch when it was written.
    ///
    /// - Complexity: O(the patch).
    var writtenPaths: WrittenPaths? {
        guard isWritten, isKept, wantsPatch || isEmpty else { return nil }
        return WrittenPaths(patch: isEmpty ? [] : patch)
    }
}

/// A commit to a store with a given type of state.
final class PendingStateCommit<State: Encodable & Sendable>: PendingCommit, @unchecked Sendable {
    // Unchecked: adds constants to what its superclass explains, and a variable of the holder of the writing lock.
    private let held: HeldState<State>
    private let stateTrack: StateTrack<State>
    /// The state that the track held before, whose end may run code of the app: it is to go away with this object, which nobody
    /// lets go under a lock.
    @exclusivity(unchecked) private var replaced: HeldState<State>?

    init(
        _ state: State, track: StateTrack<State>, recorder: Recorder, version: Int, location: SourceLocation,
        name: String, action: CommitAction?, cause: CommitNumber?, wantsPatch: Bool
    ) {
        held = HeldState(state)
        stateTrack = track
        super.init(
            track: track, recorder: recorder, version: version, location: location, name: name, action: action,
            cause: cause, wantsPatch: wantsPatch)
    }

    override func advance(appendingPatchTo bytes: inout [UInt8]) throws(StateEncodingError) {
        replaced = stateTrack.held
        try stateTrack.advance(to: held, appendingPatchTo: &bytes)
    }

    override func hold() {
        replaced = stateTrack.held
        stateTrack.hold(held)
    }
}

/// The paths that one patch writes to, found once for all derived values that want to know.
struct WrittenPaths: Sendable {
    private struct Place: Sendable {
        let path: Range<Int>
        let isInserting: Bool
    }

    private var texts: [UInt8] = []
    private var places: [Place] = []

    /// - Parameter patch: a whole JSON array, as the recorder wrote it.
    /// - Complexity: O(the patch), once; nothing is built of its values.
    init(patch: [UInt8]) {
        patch.withUnsafeBytes { bytes in
            var walk = PatchWalk(bytes)
            while let operation = walk.next() {
                _ = operation.anyPlace { path, isInserting in
                    places.append(Place(path: texts.count..<(texts.count + path.count), isInserting: isInserting))
                    texts.append(contentsOf: path)
                    return false
                }
            }
        }
    }

    /// Whether one of them is equal to, above or below what a set reads.
    func touches(_ set: PathSet) -> Bool {
        texts.withUnsafeBytes { texts in
            places.contains { place in
                set.mayBeTouched(at: UnsafeRawBufferPointer(rebasing: texts[place.path]), inserting: place.isInserting)
            }
        }
    }
}
