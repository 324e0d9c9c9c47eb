public import JSONCore
public import JournalFormat
import Platform
public import QueryLanguage

/// A pass along a range of which questions are asked: for each position the state, the state before, what a query can ask
/// about the commit, whether a question is touched, and which positions have no state.
///
/// Every answer about more than one position is found with it, so they agree on what `$old`, `$seq` and `$name` are and on
/// what has no answer. Where a question uses none of that, commits which touch nothing that is read are passed over unread.
///
/// - Complexity: the bytes of the range are scanned once; memory is that of the pruned state and the longest line.
public struct QuestionPass: ~Copyable {
    /// A record that changed the state.
    public typealias Step = PositionPass.Step

    /// What a pass does besides giving the states.
    public struct Options: Sendable {
        /// What is kept of the state besides what the questions read.
        public var reading = PathSet.nothing
        /// Whether commits that touch nothing of what is read are reported too.
        public var everyCommit = false
        /// Whether the first commit of the range, and the first behind each jump, is reported, whatever it touches.
        public var firstCommits = false
        /// Whether ``QuestionPass/record(of:)`` is asked for.
        public var keepsRecords = false
        /// Records that change no state but are kept for ``QuestionPass/companions``.
        public var companions: RecordKinds = []
        /// Whether reading goes on behind damage.
        public var recover = false
        /// Whether a record is reported before it is known to be its position's last, where the next one has to be waited for.
        public var tellsEarly = false
        /// The places of which each step's changes are wanted, for ``QuestionPass/placeChanges``.
        package var places: PathMatcher?
        /// Whether ``QuestionPass/before`` is wanted.
        package var before = false
        /// How many threads may look through a long range ahead of the pass.
        public var threads = ProcessorCount.available

        /// Nothing besides the states.
        public init() {}
    }

    private let journal: Journal
    private let usesOld: Bool
    private let usesCommit: Bool
    /// Whether a question is asked at every commit, whatever that touches.
    private let asksAlways: [Bool]
    private var pass: PositionPass
    /// Whether the state of the pass is the one at its position.
    private var isComplete = true
    /// Whether the last step may have changed the answer of every question.
    private var touchesAll = true
    /// The commit of the position.
    private var commit: OwnedRecord?
    /// The last position whose commit was lost.
    private var jump: CommitNumber?
    /// Whether the pass keeps the line of each step.
    private let isRecordKept: Bool
    /// The state at the position before; null at the start, and where no question asks for it.
    public private(set) var old = JSONValue.null

    /// Starts at the beginning of a range.
    ///
    /// - Parameters:
    ///   - range: nil for a journal that is read once, from its start to wherever it ends: every commit is reported then.
    ///   - footprints: those of the questions, in the order in which ``isTouched(_:)`` counts them. Where one asks for `$old` or
    ///     for the commit, every commit is reported.
    /// - Throws: `JournalError` where the state at the beginning is not known.
    /// - Complexity: that of one seek.
    public init(
        _ journal: Journal, _ range: PositionRange?, asking footprints: [Footprint], options: Options = Options()
    ) throws(JournalError) {
        var inner = PositionPass.Options()
        let usesOld = footprints.contains(where: \.usesOld)
        let usesCommit = footprints.contains(where: \.usesCommit)
        inner.everyCommit = options.everyCommit || usesOld || usesCommit || range == nil
        inner.firstCommits = options.firstCommits
        inner.keepsRecords = options.keepsRecords || usesCommit || range == nil
        inner.tellsEarly = options.tellsEarly
        inner.companions = options.companions
        inner.recover = options.recover
        inner.places = options.places
        inner.before = options.before
        inner.threads = options.threads
        if footprints.count > 1 { inner.interests = footprints.map(\.paths) }
        let reading =
            range == nil ? PathSet.everything : footprints.reduce(options.reading) { $0.union($1.paths) }
        // What throws comes first: a struct that cannot be copied is destroyed wrongly where it was half made.
        let pass = try PositionPass(journal, range, reading: reading, options: inner)
        let lower = range?.lower ?? journal.start
        let start = try QueryContext(
            at: lower, in: journal, usesCommit: usesCommit, oldReading: usesOld ? reading : nil)
        self.pass = pass
        startContext = start
        old = start.old
        self.journal = journal
        self.usesOld = usesOld
        self.usesCommit = usesCommit
        isRecordKept = inner.keepsRecords
        asksAlways = footprints.map { $0.usesOld || $0.usesCommit }
    }

    /// The state after the step reported last; at first the one at the beginning of the range.
    public var state: JSONValue { pass.state.value }
    /// The same with what else the pass knows of it.
    package var positionState: PositionState { pass.state }
    /// The stores that are open in it.
    public var stores: JSONObject { pass.state.stores }
    /// The records of the wanted kinds that follow the step reported last, up to the next that changes the state.
    public var companions: [OwnedRecord] { pass.companions }
    /// The stores that open before the first commit, where records are kept.
    public var openings: [OwnedRecord] { pass.openings }
    /// What the record of the step reported last changed at the places that are followed.
    package var placeChanges: [PlaceChanges.Change] { pass.placeChanges }
    /// Whether ``QuestionPass/replacedPlaces`` of the steps to come are wanted.
    package var wantsReplacedPlaces: Bool {
        get { pass.wantsReplacedPlaces }
        set { pass.wantsReplacedPlaces = newValue }
    }
    /// The pointers of the values that the step reported last replaced, where they are wanted; nil where it may have changed
    /// something else.
    package var replacedPlaces: [[UInt8]]? { pass.replacedPlaces }
    /// What was there before the step reported last, where it is wanted.
    package var before: StateBefore { pass.before }
    /// The record of the step reported last, where records are kept.
    public var stepRecord: OwnedRecord? { pass.record }
    /// Whether the step reported last may not be its position's last only because nothing is there behind it so far.
    public var isEarly: Bool { pass.isEarly }
    /// Whether the last line that was read ends the run.
    public var isEnded: Bool { pass.isEnded }
    /// The incomplete last record, known once the pass is at its end.
    public var tornTail: TornTail? { pass.tornTail }
    /// The damage that was jumped over.
    public var damages: [JournalError] { pass.damages }
    /// Up to which byte of the journal the pass has come.
    public var offset: ByteOffset { pass.offset }
    /// The last commit that was read, also of those passed over.
    public var lastCommit: CommitNumber { pass.lastCommit }

    /// The next record that changes what is read; nil at the end of the range.
    ///
    /// - Throws: `JournalError` at damage.
    public mutating func next() throws(JournalError) -> Step? {
        if usesOld, isComplete { old = pass.state.value }
        let wasInside = !isComplete && !pass.isEarly
        guard let step = try pass.next() else { return nil }
        isComplete = step.isComplete
        touchesAll = wasInside || step.isJump
        if step.isJump { jump = step.seq }
        if pass.record?.kind == .commit { commit = pass.record }
        return step
    }

    /// Whether the step reported last may have changed the answer of a question.
    ///
    /// True for all questions inside a position, too: the last state of a position is the one that counts.
    public func isTouched(_ question: Int) -> Bool {
        touchesAll || asksAlways[question] || pass.touched.isEmpty || pass.touched[question]
    }

    /// What a query can ask about the step reported last; the line is looked into only for one that does.
    ///
    /// - Throws: `JournalError` where the commit's line is not JSON inside.
    public func context(of step: Step) throws(JournalError) -> QueryContext {
        guard usesCommit, let commit = try commit(of: step) else {
            return QueryContext(old: old, seq: step.seq.rawValue)
        }
        return try QueryContext(record: commit, old: old)
    }

    /// What a query can ask about the beginning of the range: nothing at the start of a journal, else about its commit.
    public let startContext: QueryContext

    /// The commit of a step's position; nil where it was lost.
    ///
    /// A store that opens behind a commit belongs to the commit's position.
    public func commit(of step: Step) throws(JournalError) -> OwnedRecord? {
        if step.seq == jump { return nil }
        if let commit, commit.seq == step.seq { return commit }
        return try journal.keptRecord(of: step.seq)
    }

    /// The record of the step reported last: a commit, a store or a gap.
    public func record(of step: Step) throws(JournalError) -> OwnedRecord {
        // A commit with which a closed store went away is reported without its line.
        if isRecordKept, let record = pass.record { return record }
        guard let offset = step.offset else { return try journal.record(of: step.seq) }
        return try journal.record(at: offset)
    }

    /// The positions at the end of the range that have no state, because nothing behind damage could be read; known at the
    /// end.
    public var lostEnd: ClosedRange<CommitNumber>? { pass.lostEnd }
}

extension Journal {
    /// The record whose line begins at a byte.
    ///
    /// - Throws: `JournalError` where none begins there.
    func record(at offset: ByteOffset) throws(JournalError) -> OwnedRecord {
        var reader = records(from: offset)
        guard let line = try reader.next() else { throw JournalError(path: path, .empty) }
        return line.owned()
    }
}
