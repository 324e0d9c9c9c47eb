import JSONCore
import JournalFormat
import QueryLanguage

/// A pass over a stretch's states of which queries are asked, with what they can ask besides the state: the record, and the
/// state at the position before.
struct QueryPass: ~Copyable {
    /// Is told from time to time how far a pass has come.
    typealias Progress = @Sendable (_ commits: Int, _ bytes: Int) -> Void

    /// How many records lie between two reports of progress.
    private static let progressInterval = 4096

    private var pass: PositionPass
    private let start: CommitNumber
    private let usesOld: Bool
    private let usesCommit: Bool
    private let progress: Progress?
    /// The state at the position before, kept for `$old` only.
    private var old = JSONValue.null
    private var count = 0

    /// Starts at the beginning of a stretch.
    ///
    /// - Parameters:
    ///   - set: what is kept of the state.
    ///   - footprints: those of the queries; where one of them asks for `$old` or for the record, every commit is told, and
    ///     for the latter its line is kept.
    /// - Throws: `JournalError` where the state at the beginning cannot be told.
    init(
        _ journal: Journal, _ range: PositionRange, reading set: PathSet, for footprints: [Footprint],
        options: PositionPass.Options, progress: Progress?
    ) throws(JournalError) {
        let usesOld = footprints.contains(where: \.usesOld)
        let usesCommit = footprints.contains(where: \.usesCommit)
        var options = options
        options.everyCommit = usesOld || usesCommit
        options.keepsRecords = options.keepsRecords || usesCommit
        // What throws comes first: a struct that cannot be copied is destroyed wrongly where it was half made.
        let pass = try PositionPass(journal, range, reading: set, options: options)
        self.pass = pass
        start = range.lower
        self.usesOld = usesOld
        self.usesCommit = usesCommit
        self.progress = progress
        keepOld()
    }

    /// The state after the record told last.
    var state: JSONValue { pass.state.value }
    /// Its line, where lines are kept.
    var record: OwnedRecord? { pass.record }
    /// The damage that was jumped over.
    var damages: [JournalError] { pass.damages }

    /// Whether the record told last may have touched one of the interests.
    func hasTouched(_ interest: Int) -> Bool { pass.touched[interest] }

    /// Applies the next record that changes what is read and tells it; nil at the end of the stretch.
    ///
    /// - Throws: `JournalError` at damage.
    mutating func next() throws(JournalError) -> PositionPass.Settled? {
        guard let settled = try pass.next() else { return nil }
        count += 1
        if count % QueryPass.progressInterval == 0, let progress {
            progress(pass.lastCommit.rawValue - start.rawValue, pass.offset.rawValue)
        }
        return settled
    }

    /// What a query can ask about a record; the line is looked into only for one that does.
    func context(of settled: PositionPass.Settled) throws(JournalError) -> QueryContext {
        guard usesCommit, let record = pass.record else { return QueryContext(old: old, seq: settled.seq.rawValue) }
        return try QueryContext(record: record, old: old)
    }

    /// Takes the state as the one before what comes next.
    mutating func keepOld() {
        if usesOld { old = pass.state.value }
    }
}
