import CommandLine
import Diagnostics
import JSONCore
import JournalFormat
import JournalReading
import QueryLanguage
import TimeTravel

/// What there is to say of one reason of a stop; each face gives it the room that it has.
struct StopStory {
    private(set) var stop: SessionBreakpoint?
    /// What was asked about where no stop was met.
    private(set) var subject: StoryLine?
    private(set) var text: StoryLine?
    private(set) var changes: [ValueChange] = []
    /// What else there is to say where there is room.
    private(set) var notes: [StoryLine] = []

    /// How many columns of a caught text are shown.
    private static let textLimit = 400

    init(_ reason: SessionStop.Reason, at position: CommitNumber) {
        switch reason {
        case .arrived: break
        case .start: text = "the start of the run"
        case .end: text = "the end of the run"
        case .breakpoint(let stop): self.stop = stop
        case .changed(let stop, let changes): (self.stop, self.changes) = (stop, changes)
        case .caught(let stop, let what):
            self.stop = stop
            text = what.map { ("\($0)" as StoryLine).clipped(to: Self.textLimit) }
        case .conditionFailed(let stop, let error):
            self.stop = stop
            text = "the condition fails: \(error.diagnostic.message)"
        case .holds: text = "the query holds here"
        case .unanswered(let unanswered):
            let count = unanswered.count == 1 ? "one position" : "\(unanswered.count) positions"
            text = unanswered.firstFailure.map {
                "the query failed at \(count) on the way, first at \($0.position)"
            }
        case .lastChange(let watched, let changes):
            (subject, self.changes) = ("\(watched.text)", changes)
        case .noChange(let watched, let direction):
            let change = direction == .backward ? "nothing before this changed" : "nothing after this changes"
            text = "\(change) '\(watched.text)'"
        case .hole(let hole): describe(hole, at: position)
        case .interrupted: text = "interrupted: stopped on the way"
        }
    }

    private mutating func describe(_ hole: SessionHole, at position: CommitNumber) {
        let (first, last) = (hole.lost.lowerBound, hole.lost.upperBound)
        let which = first == last ? "commit \(first)" : "commits \(first) to \(last)"
        if let damage = hole.damage {
            text = "\(which) cannot be read for damage: \(damage.diagnostic.message)"
        } else {
            // A step back meets damage that a seek passes over, and does not keep what it was.
            text = "\(which) \(first == last ? "was" : "were") lost, in a gap or in damage"
        }
        guard let after = hole.after else { return notes = ["nothing after it can be read"] }
        if position == hole.before { notes = ["the next motion goes on at the other side, commit \(after)"] }
    }

    /// `title` is what the stop is called; a path that it is already is not repeated.
    func row(_ title: StoryLine?, _ value: (JSONValue) -> String) -> StoryLine? {
        let change = changes.first.map { change -> StoryLine in
            let place: StoryLine = "\(change.path.text)"
            let path: StoryLine = place.isEmpty || title == place ? "" : place + "  "
            let more: StoryLine = changes.count > 1 ? "  and \(changes.count - 1) more" : ""
            return path + "\(change.old.text(value)) → \(change.new.text(value))" + more
        }
        let parts = [title, text, change].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(": ")
    }

    /// Nil unless nothing before the stop changed the member.
    static func opening(_ reason: SessionStop.Reason, in session: Session) throws -> StoryLine? {
        guard case .noChange(let subject, .backward) = reason, let path = subject.path,
            path.value(in: session.state) != nil, let record = try session.opening(of: path)
        else { return nil }
        return "it was there when the store opened: \(RecordSummary(try Record(record)).location ?? "")"
    }
}

extension SessionBreakpoint {
    /// What gdb calls such a stop.
    var kind: String {
        switch trigger {
        case .source, .function: isTemporary ? "Temporary breakpoint" : "Breakpoint"
        case .watch: "Watchpoint"
        case .derived, .mark, .abort, .violation: "Catchpoint"
        }
    }

    var subject: StoryLine {
        switch trigger {
        case .source(let file, let line): "\(file + (line.map { ":\($0)" } ?? ""))"
        case .function(let name): "\(name)"
        case .watch(let watch): "\(watch.text)"
        case .derived(let name, _): "derived \(name)"
        case .mark: "mark"
        case .abort: "abort"
        case .violation(let query): "violation \(query.text)"
        }
    }
}

extension WatchSubject {
    init(_ pattern: PathPattern) { self.init(pattern.text, .places(PathMatcher([pattern.steps]))) }
}

extension QueryOutcome {
    func text(nothing: String = "nothing", _ value: (JSONValue) -> String) -> String {
        switch self {
        case .value(let found): value(found)
        case .nothing: nothing
        case .failed(let error): "(fails: \(ControlCharacters.escaped(error.diagnostic.message)))"
        }
    }
}
