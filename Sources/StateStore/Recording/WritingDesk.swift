internal import Diagnostics
internal import JournalFormat

/// What the holder of the recorder's writing lock works with: the trees of all open stores, the lines being composed, the file.
struct WritingDesk: Sendable {
    /// Lines are handed to the file in pieces of about this many bytes, so that a long queue is written in bounded memory.
    private static let pieceSize = 64 << 10

    let writer: JournalWriter
    var lines = LineBuilder()
    /// The last commit that was taken from the queue.
    private(set) var position: CommitNumber = .zero
    /// The open stores, in the order of their births.
    private(set) var tracks: [any StoreTrack] = []
    private var declarations: [DerivedDeclaration] = []
    private var isKeyframeDue = false
    private var endsWithCommit = false

    /// Why something is missing from the file; nil where the file has everything.
    private var lossReason: String?
    private var lastAttempt: ContinuousClock.Instant?
    private let retryInterval: Duration
    private var lastTime: Timestamp

    /// What went wrong since it was asked last, for the app's handler.
    private(set) var problems: [RecorderError] = []
    private var hasReportedWriting = false
    private var unencodable: Set<String> = []

    init(_ writer: JournalWriter, start: Timestamp, retryInterval: Duration) {
        self.writer = writer
        lastTime = start
        self.retryInterval = retryInterval
    }

    mutating func takeProblems() -> [RecorderError] {
        defer { problems = [] }
        return problems
    }

    // MARK: The queue

    /// Encodes and writes records in the order of the queue.
    mutating func write(_ batch: [QueuedRecord]) {
        for record in batch {
            compose(record)
            if lines.bytes.count >= WritingDesk.pieceSize { flush() }
        }
        flush()
    }

    private mutating func compose(_ record: QueuedRecord) {
        endsWithCommit = false
        switch record {
        case .open(let track, let time): open(track, at: time)
        case .close(let track, let time): close(track, at: time)
        case .derived(let declaration): declare(declaration)
        case .commit(let commit): compose(commit)
        case .outcome(let commit, let outcomes):
            guard commit.isKept, isWhole() else { return }
            lines.outcome(seq: position, commit: commit.number, derived: outcomes)
        case .abort(let track, let time, let location, let name, let error):
            lastTime = time
            guard isWhole(), track.isEncoded else { return }
            lines.abort(seq: position, store: track.name, time: time, at: location, name: name, error: error)
        case .mark(let time, let location, let text, let level):
            lastTime = time
            guard isWhole() else { return }
            lines.mark(seq: position, time: time, at: location, text: text, level: level)
        }
    }

    private mutating func open(_ track: any StoreTrack, at time: Timestamp) {
        lastTime = time
        let isWhole = isWhole()
        tracks.append(track)
        guard restart(track), isWhole else { return }
        _ = composeOpening(of: track)
    }

    private mutating func close(_ track: any StoreTrack, at time: Timestamp) {
        lastTime = time
        let isWhole = isWhole()
        tracks.removeAll { $0 === track }
        unencodable.remove(track.name)
        guard track.isEncoded, isWhole else { return }
        lines.close(seq: position, store: track.name, time: time)
    }

    private mutating func declare(_ declaration: DerivedDeclaration) {
        let isWhole = isWhole()
        declaration.resolve()
        declarations.append(declaration)
        guard isWhole else { return }
        compose(declaration)
    }

    private mutating func compose(_ declaration: DerivedDeclaration) {
        lines.derived(
            seq: position, name: declaration.name, inputs: declaration.pointers, from: declaration.from,
            at: declaration.location)
    }

    // MARK: Commits

    private mutating func compose(_ commit: PendingCommit) {
        lastTime = commit.time
        let track = commit.track
        guard track.isEncoded, isWhole() else { return hold(commit) }
        lines.beginCommit(
            seq: commit.number, store: track.name, version: commit.version, time: commit.time, at: commit.location,
            name: commit.name, action: commit.action.map { encode($0, of: track) }, cause: commit.cause)
        let patchStart = lines.bytes.count
        do {
            try commit.advance(appendingPatchTo: &lines.bytes)
        } catch {
            lines.abandonRecord()
            return lose(commit, error)
        }
        commit.keep(patch: lines.bytes[patchStart...])
        lines.endRecord()
        position = commit.number
        endsWithCommit = true
        if isKeyframeDue { flush() }
    }

    /// The action as its record has it; without the payload where that has no JSON form, which is reported.
    private mutating func encode(_ action: CommitAction, of track: any StoreTrack) -> EncodedAction {
        guard let payload = action.payload else { return EncodedAction(type: action.type) }
        var bytes: [UInt8] = []
        do {
            try ThreadActivity.during(.encoding(type: action.type)) { () throws(StateEncodingError) in
                try ValueEncoder.append(payload, to: &bytes)
            }
        } catch {
            report(error, of: track)
            return EncodedAction(type: action.type)
        }
        return EncodedAction(type: action.type, payload: bytes)
    }

    /// Takes a commit that cannot be kept: there is no line to build on, in the file or in the store's tree.
    private mutating func hold(_ commit: PendingCommit) {
        flush()
        position = commit.number
        if commit.track.isEncoded {
            var unused: [UInt8] = []
            do { try commit.advance(appendingPatchTo: &unused) } catch { report(error, of: commit.track) }
        } else {
            // Not with a patch, so this starts from nothing.
            commit.hold()
            if restart(commit.track) { unencodable.remove(commit.track.name) }
        }
        if lossReason == nil { lossReason = "the state of '\(commit.track.name)' could not be encoded" }
        if commit.track.isEncoded { _ = isWhole() }
    }

    /// Goes on after a commit whose state could not be encoded: without its store, until there is a state that can be.
    private mutating func lose(_ commit: PendingCommit, _ error: StateEncodingError) {
        flush()
        position = commit.number
        report(error, of: commit.track)
        if lossReason == nil {
            lossReason = "the state of '\(commit.track.name)' could not be encoded: \(error.diagnostic.message)"
        }
        recover()
    }

    private mutating func restart(_ track: any StoreTrack) -> Bool {
        do {
            try track.restart()
            return true
        } catch {
            report(error, of: track)
            return false
        }
    }

    private mutating func report(_ error: StateEncodingError, of track: any StoreTrack) {
        guard unencodable.insert(track.name).inserted else { return }
        problems.append(
            .encoding(store: track.name, path: error.path, type: error.type, problem: error.diagnostic))
    }

    // MARK: The file

    /// Hands the lines to the file, and a keyframe where one is due and the last line is a commit's.
    private mutating func flush() {
        guard !lines.isEmpty else { return }
        append()
        guard lossReason == nil else { return }
        isKeyframeDue = isKeyframeDue || writer.needsKeyframe
        if isKeyframeDue && endsWithCommit { writeKeyframe() }
    }

    private mutating func append() {
        do throws(JournalWriteError) {
            try writer.append(&lines)
        } catch {
            noteFailure(error)
        }
    }

    private mutating func noteFailure(_ error: JournalWriteError) {
        if !hasReportedWriting { problems.append(.writing(error)) }
        hasReportedWriting = true
        if case .system(operation: "fsync", _) = error.cause { return }  // everything is in the file
        lossReason = error.diagnostic.message
        lastAttempt = .now
    }

    private mutating func writeKeyframe() {
        isKeyframeDue = false
        lines.beginKeyframe(seq: position)
        guard composeStates(of: tracks) else { return lines.abandonRecord() }
        lines.endKeyframe(totals: writer.totals)
        append()
    }

    /// Appends the states of some stores; false where one of them could not be encoded.
    private mutating func composeStates(of tracks: [any StoreTrack]) -> Bool {
        for track in tracks where track.isEncoded {
            lines.stateKey(track.name)
            do {
                try track.appendState(to: &lines.bytes)
            } catch {
                report(error, of: track)
                return false
            }
        }
        return true
    }

    private mutating func composeOpening(of track: any StoreTrack) -> Bool {
        lines.beginStore(
            seq: position, store: track.name, type: track.typeName, time: lastTime, at: track.location)
        do {
            try track.appendState(to: &lines.bytes)
            lines.endRecord()
            return true
        } catch {
            lines.abandonRecord()
            report(error, of: track)
            return false
        }
    }

    // MARK: Recovery

    /// Whether a line may be composed: what was lost is made good first, where that is possible.
    private mutating func isWhole() -> Bool {
        guard lossReason != nil else { return true }
        if let lastAttempt, lastAttempt.duration(to: .now) < retryInterval { return false }
        recover()
        return lossReason == nil
    }

    /// Writes what a reader needs to go on behind a loss: the closes, a `gap` with every open store's state, the births and
    /// declarations that are not in the file.
    ///
    /// - Complexity: O(all states).
    mutating func recover() {
        guard let reason = lossReason else { return }
        lines.removeAll()
        let totals = writer.totals
        let lost = position.rawValue - writer.lastCommit.rawValue
        // With no commit lost, births and deaths may be: everything is closed and opened again.
        let known = lost > 0 ? tracks.filter { $0.isEncoded && totals.open.contains($0.name) } : []
        for name in totals.open where !known.contains(where: { $0.name == name }) {
            lines.close(seq: writer.lastCommit, store: name, time: lastTime)
        }
        if lost > 0 {
            lines.beginGap(first: writer.lastCommit.next, lost: lost, time: lastTime, reason: reason)
            guard composeStates(of: known) else { return lines.removeAll() }
            lines.endGap()
        }
        for track in tracks where track.isEncoded && !known.contains(where: { $0 === track }) {
            guard composeOpening(of: track) else { return lines.removeAll() }
        }
        for declaration in declarations where !totals.derived.contains(declaration.name) { compose(declaration) }
        lossReason = nil
        append()
    }

    /// Makes good what can be made good, and writes the `end`.
    mutating func end(at time: Timestamp) {
        lastTime = max(lastTime, time)
        flush()
        do throws(JournalWriteError) { try writer.flush() } catch { noteFailure(error) }
        if lossReason != nil { recover() }
        do throws(JournalWriteError) { try writer.close(at: lastTime) } catch { noteFailure(error) }
    }
}
