import Diagnostics
import JSONCore
import JournalFormat
import JournalReading
import TimeTravel

/// Two runs side by side.
extension DebugInterpreter {
    /// Carries out a line on both runs.
    ///
    /// - Parameter typed: the line as it was typed: `next` and its short forms go to the next difference here.
    func carryOut(_ line: DebugLine, typed: String, on runs: PairedRuns) throws {
        let word = String(DebugLine.trimmed(typed[...]).prefix { $0.isLetter || $0 == "-" })
        switch line.verb {
        case .step where ["n", "next"].contains(word), .reverseStep where ["rn", "reverse-next"].contains(word):
            let everything = WatchSubject("", .places(PathMatcher([])))
            try move(.change(everything, try direction(of: line), count: try line.count()), runs)
        case .continue, .reverseContinue:
            let everything = WatchSubject("", .places(PathMatcher([])))
            try move(.change(everything, try direction(of: line), count: try line.count()), runs)
        case .step, .reverseStep: try move(.step(try direction(of: line), count: try line.count()), runs)
        case .start, .end:
            try line.checkAlone()
            try move(line.verb == .start ? .start : .end, runs)
        case .goto:
            let position = try PositionText(parsing: try line.argument("a position of the left run"))
            try move(.goTo(try runs.left.session.journal.position(position)), runs)
        case .diff:
            try line.checkAlone()
            try write(printer.changes(between: runs, limit: .max))
        case .when: try write(printer.place(of: runs))
        case .print, .blame, .history, .origin, .why, .bt, .list, .info: try ask(typed, runs)
        default:
            throw line.usage(
                "two runs side by side have no '\(line.verb.rawValue)'",
                help: ["write 'step', 'next', 'goto POS', 'print', 'diff', 'why' or 'when'"])
        }
    }

    private func move(_ action: SessionAction, _ runs: PairedRuns) throws {
        let words = try runs.perform(action) ?? ""
        try write(words.isEmpty ? printer.place(of: runs) : [words])
    }

    /// Asks both runs, and prints one answer where they agree.
    ///
    /// - Throws: why neither has one.
    private func ask(_ typed: String, _ runs: PairedRuns) throws {
        var failures: [any Error] = []
        let answers = try [runs.left, runs.right].map { side in
            var text = ""
            var surroundings = surroundings
            surroundings.warn = nil
            let interpreter = DebugInterpreter(
                side.session, surroundings, style: printer.style, width: printer.width
            ) { text += $0 }
            interpreter.settings = settings
            do { _ = try interpreter.execute(typed) } catch {
                failures.append(error)
                try interpreter.report(error)
            }
            return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
        }
        if failures.count == 2 { throw failures[0] }
        if answers[0] == answers[1] {
            try write(printer.style(.heading, "both"))
            return try write(answers[0])
        }
        for (name, answer) in zip(["left", "right"], answers) {
            try write(printer.style(.heading, name))
            try write(answer)
        }
    }
}

extension DebugPrinter {
    /// Where both runs stand, and what differs between their states.
    func place(of runs: PairedRuns) throws -> [String] {
        let sides = try [("left ", runs.left), ("right", runs.right)].flatMap { name, side in
            let lines = try place(side.session, showsChanges: false)
            return [style(.heading, name) + "  " + lines[0]] + lines.dropFirst()
        }
        return [runs.words + ", step \(runs.index) of \(runs.count)"] + sides
            + changes(between: runs, limit: Self.mostChanges)
    }

    /// What leads from the left state to the right one.
    func changes(between runs: PairedRuns, limit: Int) -> [String] {
        let changes = runs.changes.map { Change($0, scope: StoreScope(store: nil)) }
        if changes.isEmpty { return ["  the states are equal"] }
        let lines = table.lines(Array(changes.prefix(limit)), indent: 2)
        return changes.count > limit ? lines + ["  and \(changes.count - limit) more"] : lines
    }
}
