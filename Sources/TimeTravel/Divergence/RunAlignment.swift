import JSONCore
import JournalFormat
import JournalReading

/// Pairs the steps of every store of two runs in their order, until the first pair that differs.
///
/// Only steps wait that the other run has not come to: memory follows how differently the runs interleave their stores,
/// not their length. The first divergence is the one that begins earliest in either run, so a pair that differs ends
/// the walk only when nothing waits that could differ before it.
struct RunAlignment: ~Copyable {
    struct Split {
        let store: [UInt8]
        let left: RunEvent?
        let right: RunEvent?
        var rank: Int { min(left?.rank ?? .max, right?.rank ?? .max) }

        /// Does not depend on which run is the left one: of equal ranks one that a run lacks comes first, then the
        /// store's name decides.
        func isBefore(_ other: Split) -> Bool {
            if rank != other.rank { return rank < other.rank }
            let (isLack, isOtherLack) = (left == nil || right == nil, other.left == nil || other.right == nil)
            return isLack == isOtherLack ? store.lexicographicallyPrecedes(other.store) : isLack
        }
    }

    /// The steps of one store that one run is ahead by.
    private struct Lane {
        let store: [UInt8]
        var waiting: [RunEvent] = []
        var first = 0
        var isLeft = false
        var isOver = false

        mutating func end() { (isOver, waiting, first) = (true, [], 0) }
        var front: RunEvent? { first < waiting.count ? waiting[first] : nil }

        mutating func takeFront() {
            first += 1
            guard first == waiting.count || first >= 4096 else { return }
            waiting.removeSubrange(..<first)
            first = 0
        }
    }

    private var left: RunSteps
    private var right: RunSteps
    private var lanes: [Lane] = []
    private var laneOfStore: [[UInt8]: Int] = [:]
    private(set) var splits: [Split] = []
    private(set) var split: Split?
    private let findsAll: Bool

    init(_ left: consuming RunSteps, _ right: consuming RunSteps, findsAll: Bool = false) {
        self.left = left
        self.right = right
        self.findsAll = findsAll
    }

    var commits: (left: Int, right: Int) { (left.commits, right.commits) }
    var gaps: (left: CommitNumber?, right: CommitNumber?) { (left.gap, right.gap) }
    var tornTails: (left: TornTail?, right: TornTail?) { (left.tornTail, right.tornTail) }

    mutating func run() throws(JournalError) {
        try walk(toFirst: true)
        guard findsAll else { return }
        do { try walk(toFirst: false) } catch let error where error.isDamage { return }
    }

    private mutating func walk(toFirst: Bool) throws(JournalError) {
        while true {
            let needsLeft = !left.isDone && (!toFirst || isNeeded(isLeft: true))
            let needsRight = !right.isDone && (!toFirst || isNeeded(isLeft: false))
            guard needsLeft || needsRight else { return }
            try step(isLeft: needsLeft && (!needsRight || left.rank <= right.rank))
        }
    }

    /// Whether a run can still bring a step before the divergence known so far, or one that the other run's steps
    /// before it wait for.
    private func isNeeded(isLeft: Bool) -> Bool {
        guard let split else { return true }
        if (isLeft ? left.rank : right.rank) <= split.rank { return true }
        return lanes.contains { lane in
            !lane.isOver && lane.isLeft != isLeft && lane.front.map { $0.rank <= split.rank } ?? false
        }
    }

    private mutating func step(isLeft: Bool) throws(JournalError) {
        guard let (store, event) = try isLeft ? left.next() : right.next() else { return endRun(isLeft: isLeft) }
        let lane = index(of: store)
        guard !lanes[lane].isOver else { return }
        guard let other = lanes[lane].front, lanes[lane].isLeft != isLeft else {
            return wait(event, in: lane, isLeft: isLeft)
        }
        lanes[lane].takeFront()
        if other.fingerprint != event.fingerprint { part(lane, isLeft ? event : other, isLeft ? other : event) }
    }

    private mutating func index(of store: [UInt8]) -> Int {
        if let index = laneOfStore[store] { return index }
        lanes.append(Lane(store: store))
        laneOfStore[store] = lanes.count - 1
        return lanes.count - 1
    }

    private mutating func wait(_ event: RunEvent, in lane: Int, isLeft: Bool) {
        let isOtherDone = isLeft ? right.isDone : left.isDone
        if isOtherDone { return lack(event, in: lane, isLeft: isLeft) }
        // What lies after the known divergence in both runs cannot differ before it.
        if !findsAll, let split, event.rank > split.rank, (isLeft ? right.rank : left.rank) > split.rank { return }
        lanes[lane].isLeft = isLeft
        lanes[lane].waiting.append(event)
    }

    private mutating func endRun(isLeft: Bool) {
        for lane in lanes.indices where !lanes[lane].isOver && lanes[lane].isLeft != isLeft {
            if let event = lanes[lane].front { lack(event, in: lane, isLeft: !isLeft) }
        }
    }

    /// After a gap the comparison ends: the lost commits may hold the step.
    private mutating func lack(_ event: RunEvent, in lane: Int, isLeft: Bool) {
        let isOtherCut = (isLeft ? right.gap : left.gap) != nil
        if isOtherCut { lanes[lane].end() } else { part(lane, isLeft ? event : nil, isLeft ? nil : event) }
    }

    private mutating func part(_ lane: Int, _ left: RunEvent?, _ right: RunEvent?) {
        let found = Split(store: lanes[lane].store, left: left, right: right)
        splits.append(found)
        if split.map({ found.isBefore($0) }) ?? true { split = found }
        lanes[lane].end()
    }
}
