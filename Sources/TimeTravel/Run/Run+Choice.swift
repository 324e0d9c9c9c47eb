public import JSONCore
import JournalFormat
public import JournalReading
import QueryLanguage

extension Run {
    /// Which commits of a run stay; the others are left out, as if they had not been.
    ///
    /// The stores that open and close, and gaps, stay: after a gap the state is the journal's again, because what was lost cannot be
    /// left out. A commit whose patch no longer applies is a conflict and is left out too; one that applies, but finds another value than
    /// the `old` that it says, is reported and stays.
    public struct Choice {
        /// The commits that are left out.
        public var without: CommitList
        /// Whether a commit is one of those that are asked about, whatever it makes of the state; nil for all.
        package var selects: ((OwnedRecord) throws(JournalError) -> Bool)?
        /// Whether a commit stays after which the state is so, with the state before it; nil for all.
        public var keeps: ((OwnedRecord, _ state: JSONValue, _ old: JSONValue) throws(JournalError) -> Bool)?
        /// Whether the state before each commit is asked for.
        public var usesOld: Bool

        /// A choice of commits.
        public init(
            without: CommitList = CommitList(), usesOld: Bool = false,
            keeps: ((OwnedRecord, _ state: JSONValue, _ old: JSONValue) throws(JournalError) -> Bool)? = nil
        ) {
            self.without = without
            self.keeps = keeps
            self.usesOld = usesOld
        }

        var asksStates: Bool { selects != nil || keeps != nil }
    }

    /// A commit whose `old` differs from the state that it is applied to, because others were left out.
    public struct Conflict: Sendable {
        /// What became of it.
        public enum Resolution: Sendable, Equatable {
            case leftOut(CommitFault)
            /// The commit is applied, though it found another value at a path of the whole state than it says.
            case applied(path: JSONPointer, old: JSONValue, found: JSONValue)
        }

        /// The commit.
        public let record: OwnedRecord
        /// What became of it.
        public let effect: Resolution
    }
}

/// A run without some of its commits: the recorded one up to the first of them, and again once nothing differs, where
/// states are held in part.
///
/// In between they are held whole, since any commit may meet another state than its own.
struct ChosenCommits {
    let choice: Run.Choice
    private let list: CommitList
    private(set) var isDiverged: Bool
    private var differing: DifferingPlaces
    private var interest: Interest?
    private(set) var leftOut: CommitNumber?
    private var conflicts: [Run.Conflict] = []
    /// Where ``Run/Choice/keeps`` decides: what leads back over a position's commit and what follows it, and what stays
    /// in any case.
    var position: (undos: [PositionUndo], others: [OwnedRecord]) = ([], [])

    /// - Parameter isDiverged: whether the run begins with another state than the journal's own.
    init(_ choice: Run.Choice, in range: PositionRange, isDiverged: Bool) {
        self.choice = choice
        list = choice.without.joined(with: CommitList(), in: range)
        self.isDiverged = isDiverged
        differing = isDiverged ? .unknown : DifferingPlaces()
    }

    var needsWholeStates: Bool { isDiverged || choice.asksStates }

    func next(after commit: CommitNumber) -> CommitNumber? {
        guard let part = list.ranges.first(where: { $0.upperBound > commit.rawValue }) else { return nil }
        return CommitNumber(max(part.lowerBound, commit.next.rawValue))
    }

    mutating func mayConflict(_ line: RecordLine) -> Bool {
        guard isDiverged else { return false }
        if interest == nil, let paths = differing.paths { interest = Interest([paths]) }
        return interest.map { _ in interest?.touched(by: line)[0] ?? true } ?? true
    }

    mutating func leaveOut(_ line: RecordLine) {
        (leftOut, isDiverged, interest) = (line.seq, true, nil)
        if let patch = line.wholePatch { differing.leaveOut(patch) } else { differing = .unknown }
    }

    mutating func apply(_ line: RecordLine) {
        interest = nil
        if let patch = line.wholePatch { differing.apply(patch) } else { differing = .unknown }
    }

    mutating func open(_ store: String) {
        interest = nil
        differing.open(store)
    }

    mutating func openAll() { (differing, interest) = (DifferingPlaces(), nil) }
    mutating func rejoin() { isDiverged = false }
    var hasRejoined: Bool { isDiverged && !choice.asksStates && differing.isEmpty }
    mutating func note(_ conflict: Run.Conflict) { conflicts.append(conflict) }
    mutating func dropConflicts(of record: OwnedRecord) { conflicts.removeAll { $0.record.seq == record.seq } }

    mutating func takeConflicts() -> [Run.Conflict] {
        defer { conflicts = [] }
        return conflicts
    }
}

extension Run {
    /// The conflicts that were met since this was asked last.
    public func takeConflicts() -> [Conflict] { chosen?.takeConflicts() ?? [] }

    /// Whether a commit stays, as far as that is known before it is applied; of one that does not the patch is not asked for.
    func stays(_ line: RecordLine) throws(JournalError) -> Bool {
        guard let choice = chosen?.choice else { return true }
        if !choice.without.contains(line.seq), try choice.selects?(line.owned()) ?? true { return true }
        leaveOut(line)
        return false
    }

    /// Goes on without a commit; a store that was closed before it goes away with the next one.
    private func leaveOut(_ line: RecordLine) {
        chosen?.leaveOut(line)
        if closing == line.seq { closing = line.seq.next }
    }

    /// Returns whether something that is read was written; nil at the position of a commit that does not stay.
    func applyStore(_ line: RecordLine) throws(JournalError) -> Bool? {
        guard chosen != nil else { return try bring(over: line) }
        if line.kind == .store { chosen?.open(try line.storeName()) }
        if chosen?.leftOut == line.seq {
            hasMovedOn = true
            if options.notesWayBack { back?.note(.state(positionState)) }
            var log = ApplyLog(keepsEnding: true)
            try positionState.apply(line, &log)
            return nil
        }
        if chosen?.position.undos.isEmpty == false {
            chosen?.position.undos.append(.state(positionState))
            chosen?.position.others.append(line.owned())
        }
        return try bring(over: line)
    }

    /// Goes on with whole states before the next commit on the list; returns whether it did.
    func opensWhole(before line: RecordLine?) throws(JournalError) -> Bool {
        guard let next = listed, closing ?? next >= next else { return false }
        guard let line else {
            guard next <= lastWithState, next <= range.upper else { return false }
            return try openWhole(before: next)
        }
        guard line.seq >= next else { return false }
        if try wasPassedOver(next, before: line) { return try openWhole(before: next) }
        listed = chosen?.next(after: line.seq)
        return false
    }

    private func openWhole(before commit: CommitNumber) throws(JournalError) -> Bool {
        listed = nil
        guard var rest = PositionRange(max(commit.previous, range.lower), range.upper) else { return false }
        var damages = damages
        do throws(JournalError) { try open(rest, reading: .everything) } catch {
            // Damage in what was not read so far: from before it, it is met as by a run that holds all.
            guard options.recover, error.isDamage else { throw error }
            let known = try journal.recovering().lastState(upTo: rest.lower).position
            guard known < rest.lower, let longer = PositionRange(known, range.upper) else { throw error }
            rest = longer
            try open(rest, reading: .everything)
        }
        let begin = try journal.offset(firstAtLeast: rest.lower.next)
        earlierDamages = []
        let met = self.damages
        damages.removeAll { error in
            if case .damage(let damage) = error.fact { damage.offset >= begin || met.contains(error) } else { false }
        }
        earlierDamages = damages
        return true
    }

    /// Goes on as the recorded run, where the state is that of the journal again; commits on the list that come soon are waited for.
    func rejoin() {
        guard let chosen, chosen.hasRejoined else { return }
        let next = chosen.next(after: positionState.position)
        if let next, next.rawValue < positionState.position.rawValue + Run.rejoiningDistance { return }
        self.chosen?.rejoin()
        listed = next
        positionState = positionState.pruned(to: options.reading)
        filter = options.filter(wantsCommit ? .everything : options.reading)
        hasMovedOn = true
        beginReadingAhead()
    }

    /// A run is not continued as the recorded one for fewer commits than this.
    private static let rejoiningDistance = 64

    /// Returns whether something that is read was written; nil where the commit does not stay.
    func applyChosen(_ line: RecordLine) throws(JournalError) -> Bool? {
        let mayConflict = chosen?.mayConflict(line) ?? false
        guard mayConflict || chosen?.choice.keeps != nil else { return try bring(over: line) }
        var log = ApplyLog(keepsUndo: true, contradictions: [])
        do throws(JournalError) { try positionState.apply(line, &log) } catch {
            // A patch that cannot be read is damage in any run.
            guard mayConflict, line.wholePatch != nil, let fault = error.commitFault else { throw error }
            chosen?.note(Conflict(record: line.owned(), effect: .leftOut(fault)))
            leaveOut(line)
            return nil
        }
        if mayConflict { chosen?.apply(line) }
        if mayConflict, let found = log.contradictions, !found.isEmpty {
            let (record, store) = (line.owned(), try line.storeName())
            for contradiction in found {
                let path = JSONPointer([store] + contradiction.path.segments)
                let (old, found) = (contradiction.old, contradiction.found ?? .null)
                chosen?.note(Conflict(record: record, effect: .applied(path: path, old: old, found: found)))
            }
        }
        chosen?.position = (log.undo.map { [$0] } ?? [], [])
        if options.notesWayBack { back?.note(log.undo) }
        return log.undo?.isChange ?? false
    }

    /// Takes back the complete position whose commit does not stay, not what else was recorded there; returns whether it stays.
    func keepsPosition(_ record: OwnedRecord) throws(JournalError) -> Bool {
        guard let chosen, let keeps = chosen.choice.keeps, try !keeps(record, state, old) else { return true }
        hasMovedOn = true
        self.chosen?.dropConflicts(of: record)
        for undo in chosen.position.undos.reversed() { positionState.undo(undo) }
        try record.withLine { (line) throws(JournalError) in leaveOut(line) }
        var log = ApplyLog(keepsEnding: true)
        for other in chosen.position.others {
            _ = try other.withLine { (line) throws(JournalError) in try positionState.apply(line, &log) }
        }
        return false
    }
}

extension RecordLine {
    fileprivate var wholePatch: JSONPatch? {
        guard let object = try? object(order: .ascending), case .string(let store)? = object["store"],
            let json = object["patch"], let patch = try? JSONPatch(json: json)
        else { return nil }
        return patch.inStore(store)
    }
}

extension JournalError {
    fileprivate var commitFault: CommitFault? {
        guard case .damage(let damage) = fact else { return nil }
        return switch damage.reason {
        case .patch(_, _, let error): .patch(error)
        case .storeNotOpen(_, let store): .storeNotOpen(store)
        default: nil
        }
    }
}
