import CommandLine
import Diagnostics
import JSONCore
import JournalFormat
import JournalReading
import TimeTravel

/// Two runs side by side: where both stand, and the motions that move them in step.
final class PairedRuns {
    typealias Side = (name: String, session: Session)

    let left: Side
    let right: Side
    let pairs: RunPairs
    private(set) var index: Int

    /// Both runs where they part, or at their ends where they do not.
    init(_ left: Side, _ right: Side) throws {
        (self.left, self.right) = (left, right)
        pairs = try RunPairs(left.session.journal, right.session.journal)
        index = pairs.steps.count
        try move(to: difference(from: 0, .forward) ?? pairs.steps.count)
    }

    var count: Int { pairs.steps.count }

    var step: RunPairs.Step? { index > 0 ? pairs.steps[index - 1] : nil }

    // MARK: Motions

    func move(to wanted: Int) throws {
        let wanted = min(max(0, wanted), count)
        let place = wanted > 0 ? pairs.steps[wanted - 1] : nil
        _ = try left.session.perform(.goTo(place?.left ?? pairs.start.left))
        _ = try right.session.perform(.goTo(place?.right ?? pairs.start.right))
        index = wanted
    }

    func difference(from index: Int, _ direction: SessionDirection) -> Int? {
        direction == .forward
            ? pairs.steps[index...].firstIndex(where: \.differs).map { $0 + 1 }
            : pairs.steps[..<max(0, index - 1)].lastIndex(where: \.differs).map { $0 + 1 }
    }

    func index(ofLeft position: CommitNumber) -> Int {
        position <= pairs.start.left ? 0 : (pairs.steps.firstIndex { $0.left >= position }).map { $0 + 1 } ?? count
    }

    func index(ofRight position: CommitNumber) -> Int {
        position <= pairs.start.right
            ? 0 : (pairs.steps.firstIndex { $0.rightCommit == position }).map { $0 + 1 } ?? count
    }

    /// - Returns: what there is to say; nil where the motion is none of two runs.
    func perform(_ action: SessionAction) throws -> String? {
        let from = index
        switch action {
        case .step(let direction, let steps):
            // What is beyond the ends is cut there.
            let distance = min(steps, count)
            try move(to: direction == .forward ? index + distance : index - distance)
        case .goTo(let position): try move(to: index(ofLeft: position))
        case .start: try move(to: 0)
        case .end: try move(to: count)
        case .change(_, let direction, let times):
            for _ in 0..<times {
                guard let next = difference(from: index, direction) else {
                    return direction == .forward
                        ? "the runs do not differ after this" : "the runs do not differ before this"
                }
                try move(to: next)
            }
        default: return nil
        }
        guard index == from else { return "" }
        return index == count ? "the end of both runs" : index == 0 ? "the start of both runs" : ""
    }

    // MARK: What there is to see

    var made: CommitDetails? {
        guard let step else { return nil }
        let (number, side) = step.isLeft ? (step.left, left) : (step.rightCommit ?? step.right, right)
        return try? CommitDetails(number, in: side.session.journal)
    }

    /// Changes lead from the left state to the right one: first where the step's commit changed something.
    var differences: [StateChange] {
        let all = StateChange.all(in: .difference(from: left.session.state, to: right.session.state))
        guard let made else { return all }
        func isMade(_ change: StateChange) -> Bool { made.changes.contains { $0.path.isRelated(to: change.path) } }
        return all.filter(isMade) + all.filter { !isMade($0) }
    }

    var words: String {
        guard let step else { return "the start of both runs" }
        switch (step.isLeft, step.isRight) {
        case (true, true): return "both runs have this commit"
        case (true, false): return "only the left run has this commit"
        default: return "only the right run has this commit"
        }
    }

    /// The sign of a step, as `sdiff` has it.
    static func sign(of step: RunPairs.Step) -> String {
        switch (step.isLeft, step.isRight) {
        case (true, true): " "
        case (true, false): "<"
        default: ">"
        }
    }

    /// The steps in so many columns at the most, for a timeline: those that are the same, and those that are not.
    func columns(_ limit: Int) -> [RunOverview.Column] {
        let width = max(1, (count + limit - 1) / limit)
        return stride(from: 0, to: count, by: width).map { first in
            let steps = pairs.steps[first..<min(count, first + width)]
            let others = steps.count { $0.differs }
            var column = RunOverview.Column(
                positions: CommitNumber(first + 1)...CommitNumber(first + steps.count))
            column.stores = [("same", steps.count - others), ("other", others)]
            column.isExact = true
            return column
        }
    }
}

extension DebugInterpreter {
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
            try write(printer.changes(between: runs, most: .all))
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
        try write(words.isEmpty ? printer.place(of: runs) : ["\(words)"])
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

    /// Prints one answer where both runs agree; throws why neither has one.
    private func ask(_ typed: String, _ runs: PairedRuns) throws {
        var failures: [any Error] = []
        let answers = try [runs.left, runs.right].map { side in
            var lines: [StoryLine] = []
            var surroundings = surroundings
            surroundings.warn = nil
            let interpreter = DebugInterpreter(side.session, surroundings, width: printer.width) { lines.append($0) }
            interpreter.settings = settings
            do { _ = try interpreter.execute(typed) } catch {
                failures.append(error)
                try interpreter.report(error)
            }
            return lines
        }
        if failures.count == 2 { throw failures[0] }
        if answers[0] == answers[1] {
            return try write(["\("both", .heading)"] + answers[0])
        }
        for (name, answer) in zip(["left", "right"], answers) { try write(["\(name, .heading)"] + answer) }
    }
}

extension DebugPrinter {
    /// The commit of the step with what it changed, and apart from it what differs between the states.
    func place(of runs: PairedRuns) throws -> [StoryLine] {
        var lines: [StoryLine] = ["\(runs.words)"]
        let sides = [
            ("left ", runs.left, runs.step?.leftCommit), ("right", runs.right, runs.step?.rightCommit),
        ]
        for (name, side, made) in sides {
            let name: StoryLine = "\(name, .heading)  "
            guard let made else {
                let (position, bounds) = (side.session.position.commit, side.session.bounds)
                let isStart = position == bounds.lower
                lines.append(name + (isStart ? "at the start" : "at commit \(position) of \(bounds.upper)"))
                continue
            }
            // What both have is listed once.
            let isLast = side.session === runs.right.session || runs.step?.isRight == false
            let place = try place(of: try side.session.journal.record(of: made), showsChanges: isLast)
            lines += [name + place[0]] + place.dropFirst()
        }
        return lines + changes(between: runs, most: .debugger)
    }

    func changes(between runs: PairedRuns, most: CommitStory.ListedChanges) -> [StoryLine] {
        let changes = runs.differences
        if changes.isEmpty { return ["the states are equal"] }
        return ["\("the runs differ here in", .heading)"]
            + CommitStory(width: width, of: .leftAndRight).lines(changes, most: most)
    }
}
