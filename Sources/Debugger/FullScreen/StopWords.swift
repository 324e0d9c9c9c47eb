import CommandLine
import JSONCore
import JournalFormat
import TimeTravel

/// Why a session stopped, in the few words that a row has room for.
enum StopWords {
    /// The words for a reason; nil where the screen shows it anyway.
    static func text(_ reason: SessionStop.Reason) -> String? {
        switch reason {
        case .arrived: nil
        case .start: "the start of the run"
        case .end: "the end of the run"
        case .breakpoint(let stop): "breakpoint \(stop.id)"
        case .changed(let stop, let changes): "watchpoint \(stop.id): " + text(changes)
        case .caught(let stop, let what): "catchpoint \(stop.id)" + (what.map { ": " + $0 } ?? "")
        case .conditionFailed(let stop, _): "the condition of \(stop.id) has no answer here"
        case .lastChange(_, let changes): text(changes)
        case .noChange(let subject, .backward): "nothing before this changed \(subject.text)"
        case .noChange(let subject, .forward): "nothing after this changes \(subject.text)"
        case .hole(let hole):
            "commits \(hole.lost.lowerBound.rawValue) to \(hole.lost.upperBound.rawValue) were lost here"
        case .interrupted: "stopped on the way"
        case .holds: "the query holds here"
        case .unanswered(let unanswered):
            unanswered.firstFailure.map { _ in
                "the query failed at \(unanswered.count == 1 ? "one position" : "\(unanswered.count) positions")"
            }
        }
    }

    private static func text(_ changes: [ValueChange]) -> String {
        guard let first = changes.first else { return "" }
        let path = first.path.segments.isEmpty ? "" : first.path.text + "  "
        let more = changes.count > 1 ? "  and \(changes.count - 1) more" : ""
        return path + text(first.old) + " → " + text(first.new) + more
    }

    /// A value in a row.
    static func text(_ outcome: QueryOutcome, limit: Int = 40) -> String {
        switch outcome {
        case .value(let value): FittedValue.text(value, limit: limit)
        case .nothing: "nothing"
        case .failed: "no answer"
        }
    }
}
