import JournalFormat
public import JournalReading
import QueryLanguage

/// The last line of a replay, also of one over no commit.
///
/// - Complexity: that of a seek where the last commit has a line; else a pass over the range. Without some of the commits, of a pass that
///   takes apart what may meet another state than it was made for.
public struct ReplayEnd {
    /// The line; nil where no position that is asked about has one.
    public let line: ReplayLine?
    /// The commits without an answer that could have had it.
    public let unanswered: Unanswered
    /// The damage that was jumped over.
    public let damages: [JournalError]

    /// Searches for the last line.
    ///
    /// - Parameters:
    ///   - choice: which commits stay; nil for all.
    ///   - report: is passed the conflicts on the way.
    /// - Throws: `JournalError` at damage, and what `report` does.
    public init(
        _ journal: Journal, _ range: PositionRange, _ question: ReplayQuestion, _ choice: Run.Choice? = nil,
        recover: Bool = false, _ report: (Run.Conflict) throws -> Void = { _ in }
    ) throws {
        // Whether a value differs from the one before is known from the front only.
        let asksEndAlone = !question.onlyChanges && question.filter == nil && !recover
        var conflicts = 0
        if asksEndAlone, choice == nil {
            let backward = try BackwardReplay(journal, range, question)
            if let line = try backward.lastCommit() {
                (self.line, unanswered, damages) = (line, backward.unanswered, [])
                return
            }
        } else if asksEndAlone, let choice, !choice.asksStates, !question.query.footprint.usesOld {
            let sparse = try ForwardReplay(journal, range, question, choice, recover, everyCommit: false)
            let line = try sparse.lastCommit { conflict in
                conflicts += 1
                try report(conflict)
            }
            if let line, sparse.isWhole {
                (self.line, unanswered, damages) = (line, Unanswered(), [])
                return
            }
        }
        let forward = try ForwardReplay(journal, range, question, choice, recover: recover)
        line = try forward.last { conflict in
            if conflicts > 0 { conflicts -= 1 } else { try report(conflict) }
        }
        unanswered = forward.unanswered
        damages = forward.damages
    }
}
