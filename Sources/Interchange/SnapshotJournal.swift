public import JSONCore
public import JournalFormat

/// Makes a journal of snapshots: whole states, one JSON text each, as loggers without differences write them.
///
/// The first snapshot opens one store; each later one is a commit whose patch is the difference from the one before. What a
/// snapshot does not say is taken from its place: the commit's location is the line of the file that it came from.
public struct SnapshotJournal {
    /// The journal's lines so far; whoever writes them takes them out by `removeAll()` as often as it likes.
    public var lines = LineBuilder()

    private let store: String
    private let file: String
    private let time: Timestamp
    private var last: JSONValue?
    private var seq = CommitNumber.zero
    private var keyframes = KeyframeRule()

    /// Begins a journal.
    ///
    /// - Parameters:
    ///   - id: the run's id.
    ///   - store: what the one store is called.
    ///   - file: where the snapshots come from, for the locations of the commits.
    ///   - time: the time of every record, since snapshots have none.
    public init(id: String, store: String = "state", file: String, time: Timestamp) {
        self.store = store
        self.file = file
        self.time = time
        lines.journal(JournalHeader(id: id, time: time, recorder: "state-inspect"))
    }

    /// Adds the next snapshot.
    ///
    /// - Parameters:
    ///   - text: one JSON text.
    ///   - line: its line in the file, from 1.
    /// - Throws: `JSONError` where it is none; the journal is as it was.
    /// - Complexity: O(*n*) to parse the snapshot, and that of the difference.
    public mutating func add(_ text: UnsafeRawBufferPointer, line: Int) throws(JSONError) {
        let state = try JSONParser.parse(text, order: .ascending)
        let at = SourceLocation(file: file, line: line, column: 1, function: "")
        let before = lines.bytes.count
        defer { last = state }
        guard let last else {
            Array(state.text().utf8).withUnsafeBytes {
                lines.store(seq: seq, store: store, type: "snapshot", time: time, at: at, state: $0)
            }
            return
        }
        seq = seq.next
        let patch = JSONPatch.difference(from: last, to: state)
        Array(patch.json.text().utf8).withUnsafeBytes {
            lines.commit(
                seq: seq, store: store, version: seq.rawValue, time: time, at: at, patch: $0)
        }
        keyframes.passed(bytes: lines.bytes.count - before, isKeyframe: false)
        if keyframes.isDue { addKeyframe(state) }
    }

    /// Ends the journal.
    public mutating func finish() {
        lines.end(seq: seq, time: time, totals: totals)
    }

    private var totals: Totals {
        var totals = Totals()
        if seq > .zero { totals.commits = [Totals.StoreCommits(store: store, count: seq.rawValue)] }
        if last != nil { totals.open = [store] }
        return totals
    }

    private mutating func addKeyframe(_ state: JSONValue) {
        let before = lines.bytes.count
        lines.beginKeyframe(seq: seq)
        Array(state.text().utf8).withUnsafeBytes { lines.state(of: store, $0) }
        lines.endKeyframe(totals: totals)
        keyframes.passed(bytes: lines.bytes.count - before, isKeyframe: true)
    }
}
