import JournalFormat
public import JournalReading

/// The last line of a replay, also of one over no commit.
///
/// - Complexity: that of a seek where the last commit has a line; else a pass over the range.
public struct ReplayEnd {
    /// The line; nil where no position that is asked about has one.
    public let line: ReplayLine?
    /// The commits without an answer that could have had it.
    public let unanswered: Unanswered
    /// The damage that was jumped over.
    public let damages: [JournalError]

    /// Searches for the last line.
    ///
    /// - Parameter recover: whether reading continues after damage.
    /// - Throws: `JournalError` at damage.
    public init(
        _ journal: Journal, _ range: PositionRange, _ question: ReplayQuestion, recover: Bool = false
    ) throws(JournalError) {
        // Whether a value differs from the one before is known from the front only.
        if !question.onlyChanges, question.filter == nil, !recover {
            var backward = try BackwardReplay(journal, range, question)
            if let line = try backward.lastCommit() {
                self.line = line
                unanswered = backward.unanswered
                damages = []
                return
            }
        }
        var forward = try ForwardReplay(journal, range, question, recover: recover)
        line = try forward.last()
        unanswered = forward.unanswered
        damages = forward.damages
    }
}
