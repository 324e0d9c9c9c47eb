internal import Diagnostics
internal import JSONCore
internal import JournalFormat
internal import Platform
internal import StateEncoding

/// Turns queued records into lines, for the holder of the recorder's writing lock: the trees of all open stores, the
/// lines being composed, the file.
struct JournalComposer: Sendable {
    /// Lines go to the file in pieces of about this many bytes, so that a long queue is written in bounded memory.
    private static let pieceSize = 64 << 10

    /// The file; already closed while ``isBetweenSegments``.
    var writer: JournalWriter
    let plan: JournalPlan
    let protection: Protection
    var lines = LineBuilder()
    /// What lines begin with, for more places than most programs commit from: a power of two.
    ///
    /// Each has one slot that it may be in; a later one replaces the one there.
    var heads: [(CommitLocation, CommitHead)?] = Array(repeating: nil, count: 64)
    /// The last commit that was taken from the queue.
    var position: CommitNumber = .zero
    /// The open stores by name, in the order in which they were opened.
    ///
    /// The value is optional, since the table keeps that of a removed name for a while, and a track holds a state.
    private var tracksByName = NameTable<StoreTrack?>()
    var declarations = OpenDeclarations()
    private var secretNames: Set<ByteName> = []
    /// The names of redacted members, wherever they are.
    private var memberNames: Set<String> = []
    var isKeyframeDue = false
    var endsWithCommit = false
    /// How many stores were closed since the last commit; their states count until the next one.
    var pendingCloses = 0

    /// Why records are missing from the file; nil if none are.
    var lossReason: String?
    var lastAttempt: ContinuousClock.Instant?
    let retryInterval: Duration
    var lastTime: Timestamp
    /// The time that the next line may not be before.
    private var writtenTime: Timestamp
    var postponed = PostponedRecords()

    /// The file at its whole path, wherever the process goes and whatever becomes of links, and those before it.
    var files: SegmentFiles
    /// The limit of a flight recorder; nil for one whole file.
    var segments: SegmentLimit?
    /// Whether one file is closed and the next one could not be made yet.
    var isBetweenSegments = false
    /// What became of a file that was truncated, until the next one is made.
    var truncation: Truncation?

    /// The problems since they were last taken, for the app's handler.
    private(set) var problems: [RecorderError] = []
    private var hasReportedWriting = false
    /// When the file was last looked for.
    var lastLook: Timestamp
    var hasReportedFile = false
    private var unencodable: Set<ByteName> = []

    init(
        _ writer: JournalWriter, plan: JournalPlan, protection: Protection, limit: Int?, retryInterval: Duration
    ) {
        self.writer = writer
        self.plan = plan
        self.protection = protection
        segments = limit.map { SegmentLimit($0) }
        files = SegmentFiles(path: FileSystem.resolved(writer.path) ?? writer.path, calls: plan.calls)
        lastTime = plan.header.time
        writtenTime = lastTime
        lastLook = lastTime
        self.retryInterval = retryInterval
    }

    mutating func takeProblems() -> [RecorderError] {
        defer { problems = [] }
        return problems
    }

    // MARK: The queue

    mutating func write(_ batch: [QueuedRecord]) {
        if let time = batch.lazy.compactMap({ $0.time }).first { lookForFile(at: time) }
        let pieceSize = min(JournalComposer.pieceSize, segments?.pieceSize ?? .max)
        for record in batch {
            compose(record)
            if lines.bytes.count >= pieceSize { flush() }
        }
        flush()
    }

    private mutating func compose(_ record: QueuedRecord) {
        endsWithCommit = false
        if let time = record.time { moveClock(to: time) }
        switch record {
        case .open(let track, _): open(track)
        case .close(let track, let time): close(track, at: time)
        case .derived(let declaration): declare(declaration)
        case .forget(let declaration): forget(declaration)
        case .commit(let commit): compose(commit)
        case .outcome(let commit, let outcomes):
            guard commit.isKept, recoverIfPossible() else { return postponed.countLost(record) }
            compose(outcomes, of: commit)
            postponed.compose(record)
        case .abort(let track, _, _, _, _):
            // The store may have been detached since its closure threw.
            guard self.track(named: track.name) === track else { return }
            guard track.isEncoded else { return postponed.countLost(record) }
            composeOrPostpone(record)
        case .mark: composeOrPostpone(record)
        }
    }

    // MARK: Times

    /// Moves to a time; where it is earlier, since the clock was set back, a mark says so first.
    mutating func moveClock(to time: Timestamp) {
        lastTime = time
        if time < writtenTime, !recoverIfPossible() { return }
        composeClock(time, at: position)
    }

    /// Composes the mark after which the next line may have a time, where it needs one.
    mutating func composeClock(_ time: Timestamp, at last: CommitNumber) {
        if time < writtenTime { lines.clock(seq: last, from: writtenTime, to: time) }
        writtenTime = time
    }

    /// The lines that were composed and not written are lost, and their times with them.
    mutating func forgetTimes() { writtenTime = isBetweenSegments ? Timestamp(microseconds: .min) : writer.lastTime }

    private mutating func composeOrPostpone(_ record: QueuedRecord) {
        if recoverIfPossible() { composeMarkOrAbort(record) } else { postponed.postpone(record) }
    }

    mutating func composeMarkOrAbort(_ record: QueuedRecord) {
        switch record {
        case .mark(let time, let location, let text, let level, let action):
            let payload = action.flatMap { encode($0, ofMark: text) }
            lines.mark(seq: position, time: time, at: location, text: text, level: level, payload: payload)
        case .abort(let track, let time, let location, let name, let error):
            lines.abort(
                seq: position, store: track.name, time: time, at: location.source, name: name, error: error)
        default: return
        }
        postponed.compose(record)
    }

    /// What a mark carries; nil where it has no JSON form, which is reported.
    private mutating func encode(_ action: CommitAction, ofMark text: String) -> [UInt8]? {
        do throws(StateEncodingError) {
            return try payload(of: action, protection.hasRedactions ? payloadRedaction : nil)
        } catch {
            let shown = protection.hasRedactions ? error.withoutValues(keepingOut: nil) : error
            problems.append(.payload(mark: text, problem: shown.diagnostic))
            return nil
        }
    }

    private mutating func compose(_ outcomes: [QueuedOutcome], of commit: PendingCommit) {
        var derived: [EncodedOutcome] = []
        derived.reserveCapacity(outcomes.count)
        for queued in outcomes {
            let declaration = queued.declaration
            // What another recorder redacts may be known only after the declaration.
            if !declaration.isSecret, declaration.readsSecretElsewhere(protection.types) {
                declaration.isSecret = true
                secretNames.insert(ByteName(declaration.name))
            }
            derived.append(
                EncodedOutcome(
                    name: declaration.name, outcome: queued.outcome, value: queued.encode?(protection.types),
                    versions: otherVersions(queued.seen, than: commit)))
        }
        // Only now: a value may be the first one of a type that has a redaction.
        let redaction = protection.hasRedactions ? payloadRedaction : nil
        for place in derived.indices {
            guard let value = derived[place].value else { continue }
            derived[place].value = shown(value, of: derived[place].name, redaction)
        }
        lines.outcome(seq: position, commit: commit.number, derived: derived)
    }

    /// The versions that may differ from those at a commit: all except the latest ones that are not newer than it.
    private func otherVersions(
        _ seen: [SeenVersion], than commit: PendingCommit
    ) -> [EncodedOutcome.SeenVersion] {
        var others: [EncodedOutcome.SeenVersion] = []
        for seen in seen where seen.track !== commit.track && track(named: seen.track.name) === seen.track {
            let latest = seen.track.latest
            if seen.version == latest.version, latest.number <= commit.number { continue }
            others.append(EncodedOutcome.SeenVersion(store: seen.track.name, version: seen.version))
        }
        return others.count < 2 ? others : others.sorted { UTF8Order.isLess($0.store, $1.store) }
    }

    /// A derived value without what is redacted or too large in it.
    private func shown(_ value: [UInt8], of name: String, _ redaction: PayloadRedaction?) -> [UInt8] {
        if !secretNames.isEmpty, secretNames.contains(ByteName(name)) { return protection.redacted(value) }
        return protection.limited(redaction?.redacted(value) ?? value)
    }

    var payloadRedaction: PayloadRedaction {
        PayloadRedaction(
            names: memberNames.union(protection.memberNames), searches: tracks.map(\.secrets), key: protection.key)
    }

    // MARK: Births and deaths

    var tracks: [StoreTrack] { tracksByName.compactMap(\.value) }

    private func track(named name: String) -> StoreTrack? { tracksByName[name] ?? nil }

    private mutating func open(_ track: StoreTrack) {
        let isWhole = recoverIfPossible()
        tracksByName[track.name] = track
        track.latest.number = position
        guard restart(track), isWhole else { return }
        _ = composeOpening(of: track)
    }

    private mutating func close(_ track: StoreTrack, at time: Timestamp) {
        let isWhole = recoverIfPossible()
        tracksByName.update(track.name, default: nil) { $0 = nil }
        tracksByName[track.name] = nil
        unencodable.remove(ByteName(track.name))
        pendingCloses += 1
        guard track.isEncoded, isWhole else { return }
        lines.close(seq: position, store: track.name, time: time)
    }

    private mutating func declare(_ declaration: DerivedDeclaration) {
        let isWhole = recoverIfPossible()
        declaration.resolve()
        let needsLine = declarations.add(declaration)
        hideIfSecret(declaration)
        guard isWhole, needsLine else { return }
        compose(declaration)
    }

    private mutating func forget(_ declaration: DerivedDeclaration) {
        declarations.remove(declaration)
        secretNames.remove(ByteName(declaration.name))
    }

    /// Whether a derived value reads something redacted, in it or around it, or what it reads is unknown.
    private func isSecret(_ declaration: DerivedDeclaration) -> Bool {
        guard let pointers = declaration.pointers, !declaration.hasLostPlace else { return true }
        return pointers.contains { text in
            guard let segments = (try? JSONPointer(parsing: text))?.segments, let store = segments.first,
                let track = track(named: store)
            else { return true }
            let names = Array(segments.dropFirst())
            return track.redaction?.touch(names) ?? false || !track.isClear(at: names)
        }
    }

    mutating func compose(_ declaration: DerivedDeclaration) {
        lines.derived(
            seq: position, name: declaration.name, inputs: declaration.pointers, from: declaration.from,
            at: declaration.location.source)
    }

    // MARK: Encoding

    mutating func restart(_ track: StoreTrack) -> Bool {
        do {
            try track.restart()
        } catch {
            report(error, of: track)
            return false
        }
        spreadRedaction(of: track)
        return true
    }

    /// Hides elsewhere what is redacted of a store's state, where that is new: in payloads, and in what is derived of it.
    mutating func spreadRedaction(of track: StoreTrack) {
        guard protection.hasRedactions else { return }
        for unresolved in protection.types.takeUnresolved() {
            problems.append(.redaction(store: track.name, keyPath: unresolved.redaction, path: unresolved.part))
        }
        guard track.isRedactionNew else { return }
        track.confirmRedaction()
        memberNames.formUnion(track.redactedNames)
        for declaration in declarations.inOrder { hideIfSecret(declaration) }
    }

    private mutating func hideIfSecret(_ declaration: DerivedDeclaration) {
        guard protection.hasRedactions, declaration.isSecret || isSecret(declaration) else {
            return
        }
        declaration.isSecret = true
        secretNames.insert(ByteName(declaration.name))
    }

    mutating func report(_ error: StateEncodingError, of track: StoreTrack) {
        guard unencodable.insert(ByteName(track.name)).inserted else { return }
        let error = track.hasRedactions ? error.withoutValues(keepingOut: track.redaction) : error
        problems.append(.encoding(store: track.name, path: error.path, type: error.type, problem: error.diagnostic))
    }

    // MARK: Problems

    /// Handles a failure of the file, which is reported once.
    mutating func handleFailure(_ error: JournalWriteError) {
        if !hasReportedWriting { problems.append(.writing(error)) }
        hasReportedWriting = true
        // After a failed fsync the file has all of it.
        if case .system(operation: "fsync", _) = error.cause { return postponed.confirmWritten() }
        postponed.restore()
        declarations.forgetLines()
        forgetTimes()
        lossReason = error.diagnostic.message
        lastAttempt = .now
    }

    mutating func reportUnmatched() {
        for redaction in protection.unmatched {
            let problem = RecorderError.unmatched(redaction: redaction, commits: position.rawValue)
            problems.append(problem)
            if recoverIfPossible() {
                lines.mark(
                    seq: position, time: lastTime, at: nil, text: problem.diagnostic.message, level: .warning)
            }
        }
    }

    mutating func report(_ problem: RecorderError) { problems.append(problem) }
}
