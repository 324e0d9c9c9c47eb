public import JSONCore
public import JournalFormat
import JournalReading
import Platform
import QueryLanguage

extension Run {
    /// A record that changed the state, just applied.
    public struct Step: Sendable, Equatable {
        /// A commit, a store or a gap; a keyframe where reading went on after damage.
        public let kind: RecordKind
        /// The position that it belongs to.
        public let seq: CommitNumber
        /// Where its line begins; nil for a commit that only made an earlier `close` take effect.
        public let offset: ByteOffset?
        /// Whether nothing more changes the state at that position.
        public internal(set) var isComplete: Bool
        /// The last position before it that has a state: not the number before where commits were lost.
        public let before: CommitNumber

        /// Whether commits were lost directly before it.
        public var isJump: Bool { kind == .gap || kind == .keyframe }
        /// The positions directly before it that have no state; nil where there are none.
        public var lost: ClosedRange<CommitNumber>? { isJump && before.next < seq ? before.next...seq.previous : nil }
    }

    /// What a pass does besides giving the states that its questions read.
    public struct Options {
        /// What is kept of the state besides what the questions read.
        public var reading = PathSet.nothing
        /// Whether commits that touch nothing of what is read are reported too.
        public var everyCommit = false
        /// Whether the first commit of the range, and the first after each jump, is reported, whatever it touches.
        var firstCommits = false
        /// Whether each record's line is kept, for ``Run/record`` and ``Run/record(of:)``.
        public var keepsRecords = false
        /// Records that change no state but are kept for ``Run/companions``.
        public var companions: RecordKinds = []
        /// Whether reading goes on after damage.
        public var recover = false
        /// Whether a record is reported before it is known to be its position's last, where the next one has to be waited for.
        public var reportsEarly = false
        /// The places of which each record's changes are wanted, for ``Run/placeChanges``.
        package var places: PathMatcher?
        var before = false
        /// Memos of queries that the caller evaluates itself, which are to be kept up to date.
        var memos: [QueryMemo] = []
        var states: RunStates?
        /// Which commits stay; nil for all.
        public var choice: Choice?
        var base: (state: PositionState, isDiverged: Bool)?
        var notesWayBack = false
        /// Whether the run stands at the end of its range, from where it goes back, and nothing is read before that.
        var standsAtEnd = false
        /// How many threads may look through a long range ahead of the pass.
        public var threads = ProcessorCount.available
        /// About how many bytes each of them takes at a time.
        package var partLength = RecordReader.partLength

        /// Nothing besides the states.
        public init() {}

        init(
            reading: PathSet = .nothing, everyCommit: Bool = false, keepsRecords: Bool = false,
            companions: RecordKinds = [], recover: Bool = false
        ) {
            (self.reading, self.everyCommit, self.keepsRecords) = (reading, everyCommit, keepsRecords)
            (self.companions, self.recover) = (companions, recover)
        }

        var wantsFirstCommit: Bool { everyCommit || firstCommits }

        func filter(_ paths: PathSet) -> RecordFilter {
            RecordFilter(
                touching: paths, kinds: RecordKinds.states.union(companions).union([.keyframe, .end]),
                reportsStores: true)
        }
    }
}

struct RunOpening: ~Copyable {
    let state: PositionState
    var reader: RecordReader
    let filter: RecordFilter
    let next: RecordLine?
    let openings: [OwnedRecord]

    /// - Parameter through: the last commit that is read; nil for all.
    init(
        _ journal: Journal, _ range: PositionRange, through: CommitNumber?, _ options: Run.Options
    ) throws(JournalError) {
        let filter = options.filter(options.wantsFirstCommit ? .everything : options.reading)
        var start = try RunOpening.start(journal, range, options)
        let first = options.base == nil ? start.state.position : range.lower
        var reader = try journal.records(after: first, through: through, recover: options.recover)
        var openings: [OwnedRecord]? = options.keepsRecords && range.lower == journal.start ? [] : nil
        var next: RecordLine?
        var kept = filter
        if options.base != nil {
            next = try reader.next(matching: &kept)
            while let line = next, line.seq <= range.lower, !line.resumed { next = try reader.next(matching: &kept) }
        } else if start.state.position < range.lower || range.lower == journal.start {
            if start.damage == nil {
                next = try RunOpening.walk(to: range.lower, &start, &reader, &kept, &openings)
            } else {
                var every = options.filter(.everything)
                next = try RunOpening.walk(to: range.lower, &start, &reader, &every, &openings)
            }
        }
        state = start.state.pruned(to: options.reading)
        self.reader = reader
        self.filter = filter
        self.next = next
        self.openings = openings ?? []
    }

    init(atEndOf range: PositionRange, _ journal: Journal, _ options: Run.Options) {
        state = PositionState(start: range.upper, pruning: options.reading)
        reader = journal.records(recover: options.recover)
        filter = options.filter(.everything)
        (next, openings) = (nil, [])
    }

    /// Where reading begins, and what a seek says of the damage in its way if it cannot begin where the range does.
    private typealias Start = (state: PositionState, damage: JournalError?)

    /// The state at the beginning of a range; the one before the first record at the journal's start, or where damage hides it.
    private static func start(
        _ journal: Journal, _ range: PositionRange, _ options: Run.Options
    ) throws(JournalError) -> Start {
        if let base = options.base { return (base.state, nil) }
        var damage: JournalError?
        if range.lower > journal.start {
            if let known = options.states?.replayed(to: range.lower, pruning: options.reading) { return (known, nil) }
            do throws(JournalError) {
                return (try journal.soundState(at: range.lower, pruning: options.reading), nil)
            } catch {
                guard options.recover, error.isDamage else { throw error }
                damage = error
            }
        }
        // Around damage each record is applied, so what its patch needs has to be there.
        var state = PositionState(start: journal.start, pruning: damage == nil ? options.reading : .everything)
        state.seesEveryRecord = true
        return (state, damage)
    }

    /// Returns the first line after that, and throws what a seek met where the state is lost.
    private static func walk(
        to lower: CommitNumber, _ start: inout Start, _ reader: inout RecordReader, _ filter: inout RecordFilter,
        _ openings: inout [OwnedRecord]?
    ) throws(JournalError) -> RecordLine? {
        var next = try reader.next(matching: &filter)
        while let line = next, line.seq <= lower || line.isCompared,
            !line.resumed || start.damage != nil
        {
            do throws(JournalError) {
                try start.state.apply(line)
                if line.kind == .store { openings?.append(line.owned()) }
                next = try reader.next(matching: &filter)
            } catch {
                guard !error.needsWholeState else { throw error }
                next = try reader.recover(from: error, at: line)
            }
        }
        if let damage = start.damage, start.state.position != lower { throw damage }
        return next
    }
}
