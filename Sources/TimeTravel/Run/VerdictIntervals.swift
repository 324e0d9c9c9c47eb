public import JournalFormat
public import JournalReading
import QueryLanguage

/// What a condition says at the positions of a range, found out as far as it is asked for.
///
/// It can be asked for any position again, in any order, at the cost of a pruned run up to the furthest of them.
///
/// - Complexity: the bytes of the range are scanned at most once; memory is that of the pruned state and of the changes of
///   the verdict.
public final class VerdictIntervals {
    private let run: Run
    private var answers: Answers
    private var known: CommitNumber
    private var isAtEnd = false
    private var damage: JournalError?

    /// Stands at the beginning of a range.
    public init(
        _ condition: Condition, _ range: PositionRange, in journal: Journal, recover: Bool = false
    ) throws(JournalError) {
        run = try Run(journal, range, asking: [condition.query], options: Run.Options(recover: recover))
        known = range.lower
        answers = Answers(condition, from: range.lower, keepsVerdicts: true)
        answers.begin(run, 0)
    }

    /// What the condition says of the state after a commit of the range.
    public func verdict(at position: CommitNumber) throws(JournalError) -> Condition.Verdict {
        while !isAtEnd, position > known {
            do throws(JournalError) { try advance() } catch { (damage, isAtEnd) = (error, true) }
        }
        if let damage, position > known { throw damage }
        return answers.verdict(at: position)
    }

    private func advance() throws(JournalError) {
        guard let step = try run.next() else {
            isAtEnd = true
            return
        }
        guard step.isComplete else { return }
        answers.judge(step, run.state, try run.context(of: step), run, 0)
        known = step.seq
    }
}
