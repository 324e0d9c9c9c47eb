public import JSONCore
package import JournalFormat
public import JournalReading

/// A run as it would have been without some of its commits, position by position.
///
/// The stores that open and close, and gaps, stay: after a gap the state is the journal's again, because what was lost
/// cannot be left out. A commit whose patch no longer applies is a conflict and is left out too; one that applies, but
/// finds another value than the `old` that it says, is reported and stays.
///
/// - Complexity: one pass over the range; memory is that of the whole state.
public struct WhatIf: ~Copyable {
    /// What a run comes to.
    public enum Event: Sendable {
        /// A commit that stays; ``WhatIf/state`` is the one at its position.
        case position(OwnedRecord)
        /// A gap, or a keyframe after damage: ``WhatIf/state`` is the journal's own there.
        case jump(OwnedRecord)
        /// A commit that met another state than it was made for.
        case conflict(Conflict)

        /// The record of a position; nil for a conflict.
        var position: OwnedRecord? {
            switch self {
            case .position(let record), .jump(let record): record
            case .conflict: nil
            }
        }
    }

    /// A commit that met another state than it was made for.
    public struct Conflict: Sendable {
        /// What became of it.
        public enum Effect: Sendable, Equatable {
            /// The commit does not apply, and is left out.
            case leftOut(CommitFault)
            /// The commit is applied, though it found another value at a path of the whole state than it says.
            case applied(path: JSONPointer, old: JSONValue, found: JSONValue)
        }

        /// The commit.
        public let record: OwnedRecord
        /// What became of it.
        public let effect: Effect
    }

    /// Which commits stay.
    public struct Choice {
        /// The commits that are left out.
        public var without: CommitList
        /// Whether a commit is one of those that are asked about, whatever it makes of the state; nil for all.
        package var selects: ((OwnedRecord) throws(JournalError) -> Bool)?
        /// Whether a commit stays after which the state is so, with the state before it; nil for all.
        public var keeps: ((OwnedRecord, _ state: JSONValue, _ old: JSONValue) throws(JournalError) -> Bool)?
        /// Whether the state before each commit is kept, as ``WhatIf/old``.
        public var usesOld: Bool
        /// Records that change no state but are kept for ``WhatIf/companions``.
        package var companions: RecordKinds = []

        /// A choice of commits.
        public init(
            without: CommitList = CommitList(), usesOld: Bool = false,
            keeps: ((OwnedRecord, _ state: JSONValue, _ old: JSONValue) throws(JournalError) -> Bool)? = nil
        ) {
            self.without = without
            self.keeps = keeps
            self.usesOld = usesOld
        }
    }

    /// A commit that was applied, until it is known what its position is and whether it stays; or what a run goes on from
    /// after lost commits.
    private struct Pending {
        let record: OwnedRecord
        /// Nil for what is not a commit.
        var undo: PositionUndo?
        var conflicts: [Conflict] = []
        /// What else changed the state at its position.
        var followers: [(record: OwnedRecord, undo: PositionUndo)] = []
    }

    private let choice: Choice
    private let range: PositionRange
    /// The last commit that was read, whether it stays or not.
    private var lastRead: CommitNumber
    private var reader: RecordReader
    private var ahead: OwnedRecord?
    private var resumed = false
    private var pending: Pending?
    private var events: [Event] = []
    /// Whether the state may be another than the journal's own.
    private var isDiverged: Bool
    /// The state at the position reported last.
    public private(set) var state: PositionState
    /// Whether a record has changed the state since the position reported last.
    private(set) var hasMovedOn = false
    /// The commits that were lost.
    public private(set) var lost = Unanswered()
    /// The state before the commit reported last, where ``Choice/usesOld`` is set.
    public private(set) var old = JSONValue.null
    /// The records of the wanted kinds that lie before the position reported last, and after the one before it, or at it.
    package private(set) var companions: [OwnedRecord] = []
    /// Those that belong to the next position.
    private var nextCompanions: [OwnedRecord] = []

    /// Stands at the beginning of a range.
    ///
    /// - Parameters:
    ///   - base: the state there, where it is known, and whether it may be another than the journal's own.
    ///   - recover: whether reading continues after damage.
    /// - Throws: `JournalError` where the state there is not known.
    public init(
        _ journal: Journal, _ range: PositionRange, _ choice: Choice,
        from base: (state: PositionState, isDiverged: Bool)? = nil, recover: Bool = false
    ) throws(JournalError) {
        let state = if let base { base.state } else { try journal.state(at: range.lower) }
        let reader = try journal.records(after: range.lower, through: range.upper, recover: recover)
        isDiverged = base?.isDiverged ?? false
        self.choice = choice
        self.range = range
        lastRead = range.lower
        self.state = state
        self.reader = reader
    }

    /// The damage that was jumped over.
    public var damages: [JournalError] { reader.damages }

    /// The next commit that stays, or conflict; nil at the end of the range.
    ///
    /// - Throws: `JournalError` at damage.
    public mutating func next() throws(JournalError) -> Event? {
        while events.isEmpty {
            if let line = ahead.take() {
                try line.withLine { (line) throws(JournalError) in try take(line) }
                continue
            }
            guard let line = try reader.next() else {
                guard pending != nil else {
                    // How many commits there were after damage at the end is not known: one at least.
                    let end = reader.endsInDamage ? max(range.upper, lastRead.next) : range.upper
                    if !reader.damages.isEmpty { noteLost(through: end) }
                    return nil
                }
                try decidePending()
                continue
            }
            guard line.seq > range.lower || line.resumed else { continue }
            let begins = line.kind == .commit || line.kind == .gap || line.resumed
            if begins, pending != nil {
                (ahead, resumed) = (line.owned(), line.resumed)
                try decidePending()
            } else {
                resumed = line.resumed
                try take(line)
            }
        }
        let event = events.removeFirst()
        if event.position != nil {
            (companions, nextCompanions) = (nextCompanions, [])
            hasMovedOn = false
        }
        return event
    }

    /// Decides about the pending commit, whose position is complete.
    private mutating func decidePending() throws(JournalError) {
        guard let pending = pending.take() else { return }
        guard let undo = pending.undo else { return events = [.jump(pending.record)] }
        if let keeps = choice.keeps, try !keeps(pending.record, state.value, old) {
            for follower in pending.followers.reversed() { state.undo(follower.undo) }
            state.undo(undo)
            isDiverged = true
            for follower in pending.followers {
                try follower.record.withLine { (line) throws(JournalError) in try applyStore(line) }
            }
            return
        }
        events = pending.conflicts.map(Event.conflict) + [.position(pending.record)]
    }

    // MARK: Records

    private mutating func take(_ line: RecordLine) throws(JournalError) {
        do throws(JournalError) {
            switch line.kind {
            case .commit where try isSelected(line): try takeCommit(line)
            case .commit: isDiverged = true
            case .store, .close: try takeStore(line)
            case .gap: try begin(with: line)
            case .keyframe where resumed: try begin(with: line)
            case _ where choice.companions.contains(line.kind): nextCompanions.append(line.owned())
            default: break
            }
            lastRead = line.seq
        } catch {
            guard let line = try reader.recover(from: error) else { return }
            (ahead, resumed) = (line.owned(), true)
        }
    }

    /// Whether a commit may stay: of one that does not, the patch is not asked for either.
    private func isSelected(_ line: RecordLine) throws(JournalError) -> Bool {
        guard !choice.without.contains(line.seq) else { return false }
        return try choice.selects?(line.owned()) ?? true
    }

    private mutating func takeCommit(_ line: RecordLine) throws(JournalError) {
        let commit = try line.decode(order: .ascending) { (object) throws(RecordFault) in try StorePatch(object) }
        let record = line.owned()
        if choice.usesOld { old = state.value }
        hasMovedOn = true
        var conflicts: [Conflict] = []
        do throws(CommitFault) {
            let undo = try state.commitForUndo(line.seq, commit.store, commit.patch) { operation, before in
                guard isDiverged, let difference = operation.difference(from: &before) else { return }
                let path = JSONPointer([commit.store] + operation.path.segments)
                conflicts.append(
                    Conflict(
                        record: record,
                        effect: .applied(path: path, old: difference.old, found: difference.found ?? .null)))
            }
            pending = Pending(record: record, undo: undo, conflicts: conflicts)
        } catch {
            // Where nothing was left out yet, it is the journal that does not fit itself.
            guard isDiverged else { throw line.damage(error, of: commit.store) }
            events.append(.conflict(Conflict(record: record, effect: .leftOut(error))))
        }
    }

    private mutating func takeStore(_ line: RecordLine) throws(JournalError) {
        // The state is held on to only where it may have to be gone back to.
        guard pending != nil, choice.keeps != nil else { return try applyStore(line) }
        let undo = state.forUndo()
        try applyStore(line)
        pending?.followers.append((line.owned(), undo))
    }

    private mutating func applyStore(_ line: RecordLine) throws(JournalError) {
        hasMovedOn = true
        let record = try line.decode(order: .ascending) { (object) throws(RecordFault) in try OpenedStore(object) }
        if line.kind == .close { return state.close(record.store) }
        state.open(record.store, record.state ?? .null)
    }

    private mutating func begin(with line: RecordLine) throws(JournalError) {
        try state.reset(to: line)
        hasMovedOn = true
        noteLost(through: line.seq)
        isDiverged = false
        pending = Pending(record: line.owned())
    }

    /// Notes that the commits after what was read last were lost.
    private mutating func noteLost(through position: CommitNumber) {
        if lastRead < position { lost.lose(lastRead.next...position) }
        lastRead = position
    }
}

/// What a commit does, whatever else its record has or lacks.
private struct StorePatch {
    let store: String
    let patch: JSONPatch

    init(_ object: JSONObject) throws(RecordFault) {
        store = try OpenedStore(object).store
        guard let json = object["patch"], let patch = try? JSONPatch(json: json) else {
            throw RecordFault(member: "patch", expected: "a JSON Patch", isMissing: object["patch"] == nil)
        }
        self.patch = patch
    }
}

/// The store that a record is about, and the state that it gives it.
private struct OpenedStore {
    let store: String
    let state: JSONValue?

    init(_ object: JSONObject) throws(RecordFault) {
        guard case .string(let store)? = object["store"] else {
            throw RecordFault(member: "store", expected: "a string", isMissing: object["store"] == nil)
        }
        self.store = store
        state = object["state"]
    }
}

extension JSONPatch.Operation {
    /// What the operation says was there, and what is, where they differ; nil where it says nothing.
    func difference(from state: inout PatchedValue) -> (old: JSONValue, found: JSONValue?)? {
        switch self {
        case .replace(let path, _, let old?), .remove(let path, let old?):
            let found = state.value(at: path)
            return found == old ? nil : (old, found)
        default: return nil
        }
    }
}
