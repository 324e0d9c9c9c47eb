public import JSONCore
public import JournalFormat
public import JournalReading
import QueryLanguage

/// Holds invariants against every position of a journal that is read once, and may still be written.
///
/// It reports a violation as soon as the record is there that began it, and at the end what became of all invariants.
///
/// - Complexity: the journal is read once, whole; memory is that of one state and the longest line.
public struct InvariantWatch: ~Copyable {
    /// An invariant that does not hold any more.
    public struct Event: Sendable {
        /// Which of the invariants.
        public let index: Int
        /// The position at which it does not hold.
        public let position: CommitNumber
        /// The record that began it; nil where no single one did.
        public let record: OwnedRecord?
        /// What it gives there that is false or null; nil where it has no output.
        public let value: JSONValue?
        /// The state there.
        public let state: JSONValue
    }

    private let invariants: [Invariant]
    /// The first position.
    public let start: CommitNumber
    private var run: Run
    private var answers: [Answers]
    private var isReported: [Bool]
    private var firsts: [OwnedRecord?]
    private var records: [OwnedRecord] = []

    /// Stands before the first position.
    public init(_ journal: Journal, _ invariants: [Invariant], recover: Bool) throws(JournalError) {
        var options = Run.Options(recover: recover)
        options.reportsEarly = true
        let run = try Run(journal, nil, asking: invariants.map(\.query), options: options)
        self.run = run
        self.invariants = invariants
        start = journal.start
        answers = invariants.map { Answers(Condition(good: $0.query), from: journal.start) }
        isReported = invariants.map { _ in false }
        firsts = invariants.map { _ in nil }
    }

    /// The state at the position that was reached.
    public var state: JSONValue { run.state }
    /// The record that was read last, where it matters to an invariant.
    public var record: OwnedRecord? { run.record }
    /// The last commit that was read.
    public var lastCommit: CommitNumber { max(run.lastCommit, start) }
    /// Whether the last line that was read ends the run.
    public var isEnded: Bool { run.isEnded }
    /// Whether nothing more is there so far.
    public var isWaiting: Bool { run.isEarly }
    /// The incomplete last record, known at the end.
    public var tornTail: TornTail? { run.tornTail }
    /// The damage that was jumped over.
    public var damages: [JournalError] { run.damages }

    /// Judges the first position.
    public mutating func begin() throws(JournalError) -> [Event] {
        var events: [Event] = []
        for index in answers.indices {
            answers[index].begin(run, index)
            guard answers[index].isBad == true else { continue }
            firsts[index] = try answers[index].condition.turningOpening(of: run)
            isReported[index] = true
            events.append(event(index, at: start, firsts[index], run.startContext))
        }
        return events
    }

    /// Goes on to the next record; nil at the end.
    public mutating func next() throws(JournalError) -> [Event]? {
        let wasWaiting = run.isEarly
        guard let step = try run.next() else { return nil }
        if !wasWaiting, let record = run.record { records.append(record) }
        let context = try run.context(of: step)
        var events: [Event] = []
        for index in answers.indices where run.isTouched(index) {
            var author: OwnedRecord?
            if run.isEarly {
                guard answers[index].condition.verdict(on: run.state, context: context) == .bad else { continue }
                author = records.last
            } else {
                author = judge(step, context, index)
                guard step.isComplete, answers[index].isBad == true else { continue }
            }
            guard !isReported[index] else { continue }
            isReported[index] = true
            events.append(event(index, at: step.seq, author, context))
        }
        if step.isComplete { records.removeAll() }
        return events
    }

    private mutating func judge(_ step: Run.Step, _ context: QueryContext, _ index: Int) -> OwnedRecord? {
        let hadFirst = answers[index].firstBad != nil
        answers[index].judge(step, run.state, context, run, index)
        if answers[index].isBad == false { isReported[index] = false }
        guard let first = answers[index].firstBad else { return nil }
        if !hadFirst { firsts[index] = record(of: first.author) }
        return record(of: answers[index].lastTurn?.author ?? first.author)
    }

    /// What became of the invariants, at the end.
    public mutating func finish() -> [InvariantAnswer] {
        let range =
            PositionRange(start, max(run.lostEnd?.upperBound ?? start, lastCommit)) ?? PositionRange(from: start)
        return answers.indices.map { index in
            answers[index].finish(range, lost: run.lostEnd)
            return InvariantAnswer(invariants[index], answers[index], over: range, first: firsts[index])
        }
    }

    private func event(
        _ index: Int, at position: CommitNumber, _ record: OwnedRecord?, _ context: QueryContext
    ) -> Event {
        Event(
            index: index, position: position, record: record,
            value: answers[index].condition.judge(run.state, context, wantsValue: true).value, state: run.state)
    }

    private func record(of author: Answers.Author) -> OwnedRecord? {
        guard case .line(let offset) = author else { return records.last }
        return records.last { $0.offset == offset } ?? records.last
    }
}
