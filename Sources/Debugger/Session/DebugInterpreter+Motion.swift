import CommandLine
import Commands
import Diagnostics
import JSONCore
import JournalFormat
import JournalReading
import TimeTravel

extension DebugInterpreter {
    /// False where the line is not a motion.
    func move(_ line: DebugLine) throws -> Bool {
        switch line.verb {
        case .step, .reverseStep: try perform(.step(try direction(of: line), count: try line.count()))
        case .stepi, .reverseStepi: try perform(.stepChange(try direction(of: line), count: try line.count()))
        case .continue, .reverseContinue: try perform(.resume(try direction(of: line), count: try line.count()))
        case .until, .reverseUntil:
            let text = try line.argument("a query")
            // A number is true everywhere; it is meant as a place.
            if (try? PositionText(parsing: text)) != nil {
                try goTo(text)
                return true
            }
            let query = try condition(text, of: line)
            try perform(.until(query, try direction(of: line)))
        case .search, .reverseSearch: try search(line)
        case .up: try goAlongCauses(line, try line.count())
        case .down: try goAlongCauses(line, -(try line.count()))
        case .frame: try goToFrame(line)
        case .run:
            // As in rr, 'run 118' goes there.
            if (try? PositionText(parsing: line.rest)) != nil {
                try goTo(line.rest)
                return true
            }
            try line.checkAlone()
            for event in try session.perform(.start) { observe?(event) }
            try perform(.resume(.forward, count: 1))
        case .last: try perform(.last(try subject(try line.argument("a path or a query"), of: line)))
        case .goto: try goTo(try line.argument("a position"))
        case .start:
            try line.checkAlone()
            try perform(.start)
        case .end:
            try line.checkAlone()
            try perform(.end)
        case .back: try perform(.back(try line.count()))
        case .forward: try perform(.forward(try line.count()))
        default: return false
        }
        return true
    }

    func direction(of line: DebugLine) throws -> SessionDirection {
        guard UTF8Order.begins(line.verb.rawValue, with: "reverse-") else { return settings.direction }
        if settings.direction == .backward {
            throw line.usage(
                "the session goes backward already",
                help: [
                    "write '\(line.verb.rawValue.dropFirst("reverse-".count))'", "write 'set exec-direction forward'",
                ])
        }
        return .backward
    }

    // MARK: Causes

    func causes() throws -> (chain: CauseChain, frame: Int)? {
        if let frames, frames.chain.commits.indices.contains(frames.frame),
            SessionPosition(frames.chain.commits[frames.frame].seq) == session.position
        {
            return frames
        }
        return try session.causes().map { ($0, 0) }
    }

    private func goAlongCauses(_ line: DebugLine, _ distance: Int) throws {
        guard let (chain, frame) = try causes() else { throw noCommit }
        try go(to: frame + distance, of: chain, from: frame)
    }

    private func goToFrame(_ line: DebugLine) throws {
        guard let (chain, frame) = try causes() else { throw noCommit }
        let wanted = line.rest.isEmpty ? frame : try line.frame()
        try go(to: wanted, of: chain, from: frame)
    }

    private func go(to wanted: Int, of chain: CauseChain, from frame: Int) throws {
        guard chain.commits.indices.contains(wanted) else {
            let message =
                wanted < 0
                ? "the chain of causes begins here: nothing is known that this commit caused"
                : printer.end(of: chain).map { "the chain of causes ends here: \($0)" }
                    ?? "the chain of causes ends here: no commit caused this one"
            throw CommandFailure(.notThere, Diagnostic(code: "debug.no-frame", message, help: ["'bt' lists the chain"]))
        }
        if wanted == frame {
            try write(["#\(wanted)"] + printer.place(session, showsChanges: true))
        } else {
            try perform(.goTo(chain.commits[wanted].seq))
        }
        frames = (chain, wanted)
    }

    var noCommit: CommandFailure {
        CommandFailure(.notThere, Diagnostic(code: "debug.no-commit", "there is no commit here"))
    }

    // MARK: Texts

    private func search(_ line: DebugLine) throws {
        guard let text = line.rest.isEmpty ? searched : line.rest else {
            throw line.usage("'\(line.verb.rawValue)' needs a text")
        }
        searched = text
        let direction = try line.verb == .search ? settings.direction : direction(of: line)
        let calls = calls
        switch try RunSearch(text, in: session.journal).find(
            from: session.position.commit, direction, bounds: session.bounds, isInterrupted: calls.isInterrupted)
        {
        case .found(let position, let isWrapped):
            if isWrapped { try write("\(RunSearch.wrapped(direction))") }
            try perform(.goTo(position))
        case .nowhere: try write("'\(text)' is nowhere in this run")
        case .interrupted: try write("interrupted")
        }
    }

    private func goTo(_ text: String) throws {
        let position = try position(text)
        try perform(.goTo(position))
        if session.position.commit < position { try write("commit \(position) is left out of this run") }
    }

    /// Reports which position is meant if there are several.
    func position(_ text: String) throws -> CommitNumber {
        let typed = try PositionText(parsing: text)
        // The journal may have grown since it was looked at.
        if (try? session.journal.position(typed)) == nil { try perform(.refresh) }
        var notes: [String] = []
        let position = try session.journal.position(typed) { notes.append($0.text) }
        try write(notes.map { "note: \($0)" })
        return position
    }

    /// `--with-effects` skips what the commits caused, too; else a note says that it stays.
    private func skip(_ line: DebugLine) throws {
        let option = "--with-effects"
        let words = line.words
        let typed = words.filter { !UTF8Order.equal($0, option) }.joined(separator: " ")
        guard !typed.isEmpty else { throw line.usage("'skip' needs a list of commits") }
        let list = try CommitList(parsing: typed)
        let whole = list.joined(with: session.skipped, in: session.bounds)
        let takesEffects = typed.utf8.count < words.joined(separator: " ").utf8.count
        let effects = SkippedEffects(of: whole, in: session.journal)
        try perform(.skip(takesEffects ? effects.joined : list))
        guard !takesEffects, let note = effects.note("skip \(option) \(list.text)") else { return }
        try write("\(note)")
    }

    /// False where the line neither remembers a place nor changes the run.
    func remember(_ line: DebugLine) throws -> Bool {
        switch line.verb {
        case .checkpoint: try perform(.checkpoint(line.rest.isEmpty ? nil : line.rest))
        case .restart: try perform(.restart(try line.argument("the name of a checkpoint")))
        case .skip: try skip(line)
        case .unskip: try perform(.unskip(line.rest.isEmpty ? nil : try CommitList(parsing: line.rest)))
        default: return false
        }
        return true
    }
}
