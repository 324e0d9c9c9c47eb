internal import JSONCore
internal import JournalFormat
internal import StateEncoding

/// A commit in the recorder's queue, and its outcome; a subclass knows the type of the state.
@usableFromInline
class PendingCommit: @unchecked Sendable {
    // Unchecked: `ticket`, `number` and `time` are set under the queue's lock before any other thread sees the object.
    // The outcome is set by the holder of the writing lock, before the recorder's `writtenTicket` is raised past the
    // ticket, and read by others only after they saw that.

    let track: StoreTrack
    /// The store's version, counted from the beginning of its recording.
    let version: Int
    let location: CommitLocation
    /// Its name; nil for that of the function.
    let name: String?
    let action: CommitAction?
    let cause: CommitNumber?
    let undoes: CommitNumber?
    let trace: TraceContext?
    /// Whether its changes are delivered, so that their patch may be read.
    let wantsPatch: Bool
    /// Unowned, since its queue holds this: whatever else does holds the recorder, too.
    unowned let recorder: Recorder

    @usableFromInline var ticket = 0
    var number = CommitNumber.zero
    var time = Timestamp(microseconds: .min)

    /// Whether its line is in the journal, and not only a gap; set under the writing lock.
    private(set) var isKept = false
    private var isEmpty = false
    private var patch: [UInt8] = []

    init(
        track: StoreTrack, recorder: Recorder, version: Int, location: CommitLocation, name: String?,
        action: CommitAction?, cause: CommitNumber?, undoes: CommitNumber? = nil, trace: TraceContext? = nil,
        wantsPatch: Bool
    ) {
        self.track = track
        self.recorder = recorder
        self.version = version
        self.location = location
        self.name = name
        self.action = action
        self.cause = cause
        self.undoes = undoes
        self.trace = trace
        self.wantsPatch = wantsPatch
    }

    func advance(appendingPatchTo bytes: inout [UInt8]) throws(StateEncodingError) {}

    /// Moves the store's track to the new state, without a patch.
    func moveWithoutPatch() {}

    /// Whether the recorder has finished it: its line is written, or known to be lost.
    var isWritten: Bool { recorder.isWritten(ticket) }

    /// Whether subscribers may see it: once its line is written; in the background, at once.
    ///
    /// In a forked child nothing is written any more.
    var mayBeDelivered: Bool { recorder.isInBackground || isWritten || recorder.isForkedChild }

    func keep(patch bytes: ArraySlice<UInt8>) {
        isKept = true
        isEmpty = bytes.count == 2  // `[]`
        if wantsPatch { patch = Array(bytes) }
    }

    /// The patch in the journal, if it was kept and is written by now.
    var keptPatch: [UInt8]? { isWritten && isKept && wantsPatch ? patch : nil }

    /// The paths that its patch writes to; nil if they are not known: its line is not in the journal, or not yet, or
    /// the patch was not kept when it was written.
    ///
    /// - Complexity: O(the patch).
    var writtenPaths: WrittenPaths? {
        guard isWritten, isKept, wantsPatch || isEmpty else { return nil }
        return WrittenPaths(patch: isEmpty ? [] : patch)
    }
}

final class PendingStateCommit<State: Sendable>: PendingCommit, @unchecked Sendable {
    // Unchecked: adds constants to what its superclass explains, and a variable for the holder of the writing lock.
    private let next: SharedState<State>
    private let stateTrack: StateTrack<State>
    /// The state that the track held before.
    ///
    /// Its deinitializers are code of the app, so it is released with this object, which is never released under a
    /// lock.
    @safe @exclusivity(unchecked) private var replaced: SharedState<State>?

    init(
        _ state: State, track: StateTrack<State>, recorder: Recorder, version: Int, location: CommitLocation,
        name: String?, action: CommitAction?, cause: CommitNumber?, undoes: CommitNumber? = nil,
        trace: TraceContext? = nil, wantsPatch: Bool
    ) {
        next = track.sharedType.init(state)
        stateTrack = track
        super.init(
            track: track, recorder: recorder, version: version, location: location, name: name, action: action,
            cause: cause, undoes: undoes, trace: trace,
            wantsPatch: wantsPatch)
    }

    override func advance(appendingPatchTo bytes: inout [UInt8]) throws(StateEncodingError) {
        replaced = stateTrack.current
        try stateTrack.advance(to: next, appendingPatchTo: &bytes)
    }

    override func moveWithoutPatch() {
        replaced = stateTrack.current
        stateTrack.move(to: next)
    }
}

/// The paths that one patch writes to, found once for all derived values that ask.
struct WrittenPaths: Sendable {
    /// What of a patch says where it writes.
    private static let members: PathSet.Node = {
        var set = PathSet.nothing
        for member in ["op", "path", "from"] { set.insert([.each, .key(member)]) }
        return set.pruningNode
    }()

    private var places: [(path: String, isInserting: Bool)] = []

    /// - Parameter patch: a whole JSON array, as the recorder wrote it.
    /// - Complexity: O(the patch), once; nothing is built of its values.
    init(patch: [UInt8]) {
        let operations = patch.withBytes { try? JSONParser.parse($0, pruning: WrittenPaths.members) }
        for case .object(let operation) in operations?.array ?? [] {
            for member in ["path", "from"] {
                guard case .string(let path)? = operation[member] else { continue }
                places.append((path, isInserting: operation["op"] != .string("replace")))
            }
        }
    }

    /// Whether one of them is equal to, above or below a path of a set.
    func touches(_ set: PathSet) -> Bool {
        places.contains { place in
            place.path.withBytes { set.mayBeTouched(at: $0, inserting: place.isInserting) }
        }
    }
}
