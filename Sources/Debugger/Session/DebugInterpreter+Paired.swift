import CommandLine
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
            try go(to: try line.argument("a position of the left run, or 'right' and one of the right run"), runs)
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

    /// Goes to a position of the left run; of the right one after `right`.
    private func go(to text: String, _ runs: PairedRuns) throws {
        let words = text.split(separator: " ", maxSplits: 1).map(String.init)
        guard words.count == 2, ["left", "right"].contains(words[0]) else {
            return try move(.goTo(try runs.left.session.journal.position(PositionText(parsing: text))), runs)
        }
        let position = try PositionText(parsing: words[1])
        guard words[0] == "right" else {
            return try move(.goTo(try runs.left.session.journal.position(position)), runs)
        }
        try runs.move(to: runs.index(ofRight: try runs.right.session.journal.position(position)))
        try write(printer.place(of: runs))
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
    /// Where both runs stand: the commit of the step with what it changed, from before to after, and apart from it what differs
    /// between their states.
    func place(of runs: PairedRuns) throws -> [String] {
        var lines = [runs.words]
        let sides = [
            ("left ", runs.left, runs.step?.leftCommit), ("right", runs.right, runs.step?.rightCommit),
        ]
        for (name, side, made) in sides {
            let name = style(.heading, name) + "  "
            guard let made else {
                let position = side.session.position.commit
                let isStart = position == side.session.bounds.lower
                lines.append(
                    name + (isStart ? "at the start" : "at commit \(position) of \(side.session.bounds.upper)"))
                continue
            }
            // What both have is listed once.
            let isLast = side.session === runs.right.session || runs.step?.isRight == false
            let place = try place(of: try side.session.journal.record(of: made), showsChanges: isLast)
            lines += [name + place[0]] + place.dropFirst()
        }
        return lines + changes(between: runs, limit: Self.mostChanges)
    }

    /// What differs between the left state and the right one.
    func changes(between runs: PairedRuns, limit: Int) -> [String] {
        let changes = runs.differences.map { Change($0, scope: StoreScope(store: nil)) }
        if changes.isEmpty { return ["the states are equal"] }
        let table = ChangeTable(style: style, width: width, of: .leftAndRight)
        let lines = [style(.heading, "the runs differ here in")] + table.lines(Array(changes.prefix(limit)), indent: 2)
        return changes.count > limit ? lines + ["  and \(changes.count - limit) more"] : lines
    }
}
