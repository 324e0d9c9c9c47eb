import CommandLine
import Diagnostics
import JSONCore
import JournalFormat
import JournalReading
import Platform
import TimeTravel

/// The judge of a bisection without a query or a program: a person.
///
/// Questions go to standard error and answers come from standard input, a line each, so that they can also be piped.
struct BisectDialogue {
    let scope: StoreScope
    let lastCommit: CommitNumber
    let context: CommandContext

    func search(
        _ journal: Journal, _ range: PositionRange, _ options: BisectOptions, _ log: BisectLog
    ) throws -> BisectAnswer {
        var left = range
        var options = options
        // A person has said what there is to say.
        options.checksNeighbours = false
        return try log.search(journal, range, reading: scope.paths, options) { candidate, known in
            guard let verdict = known ?? ask(candidate) else {
                throw CommandFailure(
                    .inconclusive, code: "bisect.quit", "the bisection was ended before its answer",
                    notes: ["the first bad commit is one of \(left.lower.next) to \(left.upper)"],
                    help: ["'--log FILE' writes each verdict, and '--resume FILE' goes on from them"])
            }
            if !candidate.isBetween { left = Self.narrowed(left, verdict, at: candidate.position) }
            return verdict
        }
    }

    private static func narrowed(
        _ range: PositionRange, _ verdict: Bisection.Verdict, at position: CommitNumber
    ) -> PositionRange {
        switch verdict {
        case .good: PositionRange(max(range.lower, position), range.upper) ?? range
        case .bad: PositionRange(range.lower, min(range.upper, position)) ?? range
        case .skip: range
        }
    }

    /// - Returns: nil where the person quits.
    private func ask(_ candidate: MonotoneSearch.Candidate) -> Bisection.Verdict? {
        show(candidate)
        while true {
            let left = candidate.testsLeft > 1 ? " (at most \(candidate.testsLeft - 1) more)" : ""
            context.messages.write("good, bad, skip, print or quit\(left)? ")
            guard let line = InputLine.next(from: context.input) else { return nil }
            let word = line.filter { !$0.isWhitespace }.lowercased()
            switch word {
            case "good", "g": return .good
            case "bad", "b": return .bad
            case "skip", "s": return .skip
            case "print", "p":
                context.messages.write(ValueTree().lines(scope.part(of: candidate.state)))
            case "quit", "q": return nil
            default: context.messages.write("answer 'good', 'bad' or 'skip'; 'print' shows the state, 'quit' ends\n")
            }
        }
    }

    private func show(_ candidate: MonotoneSearch.Candidate) {
        var lines: [StoryLine] = ["the start, position \(candidate.position)"]
        if let made = candidate.record, let read = try? Record(made) {
            let record = RecordSummary(read, scope: scope)
            let story = CommitStory(width: context.messages.width)
            lines = story.head("after", record, of: lastCommit.rawValue) + story.lines(record.changes, most: .text)
        }
        context.messages.write(lines)
    }
}
