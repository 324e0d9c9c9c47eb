import CommandLine
import Diagnostics
import JSONCore
import JournalFormat
import JournalReading
import TimeTravel

/// Files of the app, and the lines of them that committed.
extension DapAdapter {
    /// How long a request may read on for what it asks.
    private static let patience = Duration.milliseconds(40)

    /// Reads on for a moment, so that a short journal is known.
    func readLines() throws {
        // What goes on holds the journal; what is known has to do.
        guard work == nil else { return }
        let run = try opened()
        let begin = ContinuousClock.now
        while !run.lines.isComplete, ContinuousClock.now - begin < DapAdapter.patience { try run.lines.advance() }
    }

    /// Reads all lines of the journal; meanwhile requests are answered.
    func readAllLines() throws {
        let run = try opened()
        guard !run.lines.isComplete else {
            checkAgain()
            return
        }
        try long("reading the journal's places") {
            while !run.lines.isComplete {
                try run.lines.advance()
                if isInterrupted(), work?.end != .changed { return }
                let (first, last) = (run.session.bounds.lower, run.session.bounds.upper)
                show(SessionProgress(position: run.lines.position, origin: first, limit: last))
            }
        }
        checkAgain()
    }

    /// Reads on while no request waits.
    ///
    /// - Returns: whether there is more.
    func readOn() -> Bool {
        guard let run, phase > .initialized, phase < .ended, !run.lines.isComplete else { return false }
        do { try run.lines.advance() } catch { return false }
        if run.lines.isComplete { checkAgain() }
        return !run.lines.isComplete
    }

    func source(_ arguments: DapArguments) throws -> JSONValue {
        let run = try opened()
        var source = try arguments.arguments("source")?.object ?? JSONObject()
        if let number = try arguments.integer("sourceReference"), number > 0 {
            source["sourceReference"] = .number(number)
        }
        guard let file = try run.sources.file(DapArguments(object: source), among: run.files) else {
            throw DapError("no commit was made in this file")
        }
        let lines = run.lines.lines.filter { UTF8Order.equal($0.file, file) }
        return ["content": .string(try run.sources.text(of: file, lines))]
    }

    func loadedSources() throws -> JSONValue {
        let run = try opened()
        try readAllLines()
        return ["sources": .array(run.files.map { run.sources.source($0).json })]
    }

    /// The lines of a file that committed, in a range.
    func breakpointLocations(_ arguments: DapArguments) throws -> JSONValue {
        let first = try arguments.require("line", arguments.place("line"))
        let last = max(first, try arguments.place("endLine") ?? first)
        try readAllLines()
        let numbers = try lines(of: arguments).map { $0.line - 1 + client.firstLine }.filter {
            (first...last).contains($0)
        }
        return ["breakpoints": .array(numbers.sorted().map { ["line": .number($0)] })]
    }

    private func lines(of arguments: DapArguments) throws -> [SourceLines.Line] {
        let run = try opened()
        let source = try arguments.require("source", arguments.arguments("source"))
        guard let file = try run.sources.file(source, among: run.files) else { return [] }
        return run.lines.lines.filter { UTF8Order.equal($0.file, file) }
    }

    /// The commits of a line that one can go to.
    func gotoTargets(_ arguments: DapArguments) throws -> JSONValue {
        let run = try opened()
        let number = try arguments.require("line", arguments.place("line")) - client.firstLine + 1
        try readAllLines()
        guard let line = try lines(of: arguments).first(where: { $0.line == number }) else { return ["targets": []] }
        let session = run.session
        let here = session.position.commit
        let trigger = StopTrigger.source(file: line.file, line: line.line)
        func nearest(_ direction: SessionDirection) throws -> CommitNumber? {
            try session.journal.nearestCommit(
                at: trigger, from: here, direction, without: session.skipped, isInterrupted: isInterrupted)
        }
        var targets: [(name: String, commit: CommitNumber)] = []
        try long("the commits of line \(number)") {
            let found = [
                ("next", try here < line.last ? nearest(.forward) : nil),
                ("previous", try here > line.first ? nearest(.backward) : nil), ("first", line.first),
                ("last", line.last),
            ]
            if work?.end != nil { throw DapError.cancelled }
            for (name, commit) in found {
                guard let commit, !targets.contains(where: { $0.commit == commit }) else { continue }
                targets.append((name, commit))
            }
        }
        let shown = targets.map { target in
            DapGotoTarget(
                id: references.add(target: target.commit), label: "\(target.name): commit \(target.commit)",
                line: number - 1 + client.firstLine)
        }
        return ["targets": .array(shown.map(\.json))]
    }
}
