import JSONCore
import JournalFormat
import TimeTravel

/// Prints the lines of a log that are asked for: as they stand, or as a list for people.
struct LogPrinter {
    private let selection: LogSelection
    private let limit: Int
    private let context: CommandContext
    private var list: LogList
    private var count = 0
    private var lost = Unanswered()

    /// A printer of at most so many lines.
    init(_ selection: LogSelection, _ list: LogList, _ limit: Int, _ context: CommandContext) {
        self.selection = selection
        self.list = list
        self.limit = limit
        self.context = context
    }

    /// Whether no more lines are wanted.
    var isFull: Bool { count >= limit }

    /// Takes a line of the journal.
    mutating func take(_ line: RecordLine) throws {
        switch try selection.choice(of: line, context.format) {
        case .nothing: return
        case .counted: count += 1
        case .beside: break
        }
        switch context.format {
        case .json:
            try line.checkText()
            try context.output.writeLine(line.bytes)
        case .human: try list.add(line)
        }
    }

    /// Takes commits that were lost.
    ///
    /// - Parameter isGap: whether they are those of a gap, which has a line of its own in some lists.
    mutating func lose(_ commits: ClosedRange<CommitNumber>?, isGap: Bool) {
        guard let commits, !isGap || selection.isSilent(ofGaps: context.format) else { return }
        lost.lose(commits)
    }

    /// Prints the lines that wait, and flushes the output.
    mutating func flush() throws {
        try list.flush()
        try context.output.flush()
    }

    /// Prints what waits.
    mutating func finish() throws { try list.flush() }

    /// Reports lost commits that the list does not show.
    ///
    /// - Returns: the status that this comes to.
    func reportLost(in path: String) -> ExitStatus {
        guard let warning = UnansweredReport(lost).lostCommits(in: path, "they are not in the list") else {
            return .done
        }
        context.messages.report(warning)
        return selection.mayMissCommits ? .inconclusive : .done
    }
}
