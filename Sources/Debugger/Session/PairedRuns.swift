import JSONCore
import JournalFormat
import JournalReading
import TimeTravel

/// Two runs side by side: where both stand, and the motions that move them in step.
final class PairedRuns {
    /// A session of one run.
    typealias Side = (name: String, session: Session)

    let left: Side
    let right: Side
    let pairs: RunPairs
    /// How many steps are made.
    private(set) var index: Int

    /// Both runs where they part, or at their ends where they do not.
    init(_ left: Side, _ right: Side) throws {
        (self.left, self.right) = (left, right)
        pairs = try RunPairs(left.session.journal, right.session.journal)
        index = pairs.steps.count
        try move(to: difference(from: 0, .forward) ?? pairs.steps.count)
    }

    var count: Int { pairs.steps.count }

    /// The step that led here; nil at the start.
    var step: RunPairs.Step? { index > 0 ? pairs.steps[index - 1] : nil }

    // MARK: Motions

    /// Goes to where so many steps are made, as far as there are so many.
    func move(to wanted: Int) throws {
        let wanted = min(max(0, wanted), count)
        let place = wanted > 0 ? pairs.steps[wanted - 1] : nil
        _ = try left.session.perform(.goTo(place?.left ?? pairs.start.left))
        _ = try right.session.perform(.goTo(place?.right ?? pairs.start.right))
        index = wanted
    }

    /// The nearest step after or before one in which the runs are not the same.
    func difference(from index: Int, _ direction: SessionDirection) -> Int? {
        direction == .forward
            ? pairs.steps[index...].firstIndex(where: \.differs).map { $0 + 1 }
            : pairs.steps[..<max(0, index - 1)].lastIndex(where: \.differs).map { $0 + 1 }
    }

    /// The first step after which the left run stands at a position, or after it.
    func index(ofLeft position: CommitNumber) -> Int {
        position <= pairs.start.left ? 0 : (pairs.steps.firstIndex { $0.left >= position }).map { $0 + 1 } ?? count
    }

    /// The step that makes a commit of the right run.
    func index(ofRight position: CommitNumber) -> Int {
        position <= pairs.start.right
            ? 0 : (pairs.steps.firstIndex { $0.rightCommit == position }).map { $0 + 1 } ?? count
    }

    /// Carries out a motion of a session on both runs.
    ///
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

    /// The commit that the step made, as the run has it that has it.
    var made: CommitDetails? {
        guard let step else { return nil }
        let (number, side) = step.isLeft ? (step.left, left) : (step.rightCommit ?? step.right, right)
        return try? CommitDetails(number, in: side.session.journal)
    }

    /// What differs between the states, from the left one to the right one: first where the step's commit changed something.
    var differences: [StateChange] {
        let all = StateChange.all(in: .difference(from: left.session.state, to: right.session.state))
        guard let made else { return all }
        func isMade(_ change: StateChange) -> Bool { made.changes.contains { $0.path.isRelated(to: change.path) } }
        return all.filter(isMade) + all.filter { !isMade($0) }
    }

    /// What the step is in words.
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
    func columns(_ limit: Int) -> [TimelineColumn] {
        let width = max(1, (count + limit - 1) / limit)
        return stride(from: 0, to: count, by: width).map { first in
            let steps = pairs.steps[first..<min(count, first + width)]
            let others = steps.count { $0.differs }
            var column = TimelineColumn(positions: first + 1...first + steps.count)
            column.stores = [("same", steps.count - others), ("other", others)]
            column.isExact = true
            return column
        }
    }
}
