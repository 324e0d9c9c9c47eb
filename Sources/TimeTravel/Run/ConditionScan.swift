import JSONCore
import JournalFormat
import JournalReading
import QueryLanguage

/// Asks conditions along a range, all in one pass, and remembers where the verdict of each turned.
///
/// A long range is scanned in parts, on several threads (``ConditionParts``), where that gives the same answer.
///
/// - Complexity: the bytes of the range are scanned once; a step costs the evaluation of those conditions only whose
///   footprints it touches.
struct ConditionScan {
    /// What was found.
    struct Outcome {
        /// Where the verdict of each condition turned, in their order.
        let tracks: [ConditionTrack]
        /// The damage that was jumped over.
        let damages: [JournalError]
    }

    private let range: PositionRange
    /// The commits that touch one of the paths; nil where all are asked about.
    private let touched: TouchedCommits?
    private var run: Run
    private var tracks: [ConditionTrack]
    /// Whether the position that the pass is in is asked about.
    private var isAsked: Bool

    /// Scans a range of a journal.
    ///
    /// - Throws: `JournalError` where the journal is damaged and `options.recover` is not set.
    static func run(
        _ journal: Journal, _ range: PositionRange, _ conditions: [Condition], options: BisectOptions
    ) throws(JournalError) -> Outcome {
        if let tracks = ConditionParts(journal, range, conditions, options)?.tracks() {
            return Outcome(tracks: tracks, damages: [])
        }
        var scan = try ConditionScan(journal, range, conditions, options)
        return try scan.outcome()
    }

    private init(
        _ journal: Journal, _ range: PositionRange, _ conditions: [Condition], _ options: BisectOptions
    ) throws(JournalError) {
        var passOptions = Run.Options()
        passOptions.reading = options.paths.paths
        passOptions.keepsRecords = !options.paths.isEmpty
        passOptions.recover = options.recover
        passOptions.threads = options.threads
        let run = try Run(journal, range, asking: conditions.map(\.query), options: passOptions)
        self.range = range
        touched = options.paths.isEmpty ? nil : TouchedCommits(options.paths)
        touched?.follow(journal, range, recover: options.recover)
        isAsked = touched == nil
        self.run = run
        tracks = conditions.map {
            ConditionTrack($0, from: range.lower, skip: options.skip, keepsTurns: options.keepsTurns)
        }
    }

    private mutating func outcome() throws(JournalError) -> Outcome {
        for index in tracks.indices { tracks[index].begin(run, index, at: range.lower) }
        while let step = try run.next() { try note(step) }
        for index in tracks.indices { tracks[index].finish(range, lost: run.lostEnd) }
        return Outcome(tracks: tracks, damages: run.damages)
    }

    private mutating func note(_ step: Run.Step) throws(JournalError) {
        let (state, context) = (run.state, try run.context(of: step))
        // A position is asked about where one of its records touches a path.
        if let touched, !isAsked { isAsked = try touched.contains(try run.record(of: step)) }
        defer { if step.isComplete { isAsked = touched == nil } }
        for index in tracks.indices where run.isTouched(index) {
            if isAsked {
                tracks[index].note(step, state, context, run.memo(of: index))
            } else {
                tracks[index].passOver(step, state, context, run.memo(of: index))
            }
        }
    }
}
