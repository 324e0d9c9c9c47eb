extension ListEdit {
    /// The matches of a shortest difference, or nil where that has more removals and insertions than the limit.
    ///
    /// The greedy search of E. W. Myers, "An O(ND) Difference Algorithm and Its Variations", Algorithmica 1986: after *d*
    /// rounds it knows how far each diagonal can be followed with *d* differences. The rounds are kept to walk back, O(*d*²)
    /// numbers.
    ///
    /// - Parameter run: how many elements from an index of the old list and one of the new on are equal, at most so many.
    public static func shortestDifference(
        _ old: Range<Int>, _ new: Range<Int>, limit: Int, run: (_ old: Int, _ new: Int, _ atMost: Int) -> Int
    ) -> [Run]? {
        let (oldCount, newCount) = (old.count, new.count)
        if oldCount == 0 || newCount == 0 || (oldCount == 1 && newCount == 1) { return [] }
        guard abs(oldCount - newCount) <= limit else { return nil }
        var rounds: [DiagonalReach] = []
        for differences in 0...min(limit, oldCount + newCount) {
            var reach = DiagonalReach(differences)
            for diagonal in stride(from: -differences, through: differences, by: 2) {
                var x = rounds.last?.start(of: diagonal) ?? 0
                let y = x - diagonal
                let rest = min(oldCount - x, newCount - y)
                if rest > 0 { x += run(old.lowerBound + x, new.lowerBound + y, rest) }
                reach[diagonal] = x
                if x >= oldCount, x - diagonal >= newCount { return walkBack(rounds, old, new) }
            }
            rounds.append(reach)
        }
        return nil
    }

    static func shortestDifference(
        _ old: Range<Int>, _ new: Range<Int>, limit: Int, _ equal: (Int, Int) -> Bool
    ) -> [Run]? {
        shortestDifference(old, new, limit: limit) { first, second, most in
            var count = 0
            while count < most, equal(first + count, second + count) { count += 1 }
            return count
        }
    }

    private static func walkBack(_ rounds: [DiagonalReach], _ old: Range<Int>, _ new: Range<Int>) -> [Run] {
        var runs: [Run] = []
        var (x, y) = (old.count, new.count)
        func match(downTo start: (x: Int, y: Int)) {
            let count = min(x - start.x, y - start.y)
            guard count > 0 else { return }
            runs.append(Run(old: old.lowerBound + x - count, new: new.lowerBound + y - count, count: count))
        }
        for round in rounds.reversed() {
            let before = round.predecessor(of: x - y)
            let start = (x: round[before], y: round[before] - before)
            match(downTo: start)
            (x, y) = start
        }
        match(downTo: (0, 0))
        return runs.reversed()
    }
}

/// How far into the old list each diagonal was followed with a number of differences; a diagonal is the old index less the
/// new one.
private struct DiagonalReach {
    /// The farthest old index of the diagonals -d, -d + 2, … d.
    private var ends: [Int]
    private let differences: Int

    init(_ differences: Int) {
        self.differences = differences
        ends = Array(repeating: 0, count: differences + 1)
    }

    subscript(diagonal: Int) -> Int {
        get { ends[(diagonal + differences) / 2] }
        set { ends[(diagonal + differences) / 2] = newValue }
    }

    /// The diagonal of this round from which the next round reaches a diagonal farther: the one above by an insertion, the
    /// one below by a removal.
    func predecessor(of diagonal: Int) -> Int {
        if diagonal - 1 < -differences { return diagonal + 1 }
        if diagonal + 1 > differences { return diagonal - 1 }
        return self[diagonal - 1] < self[diagonal + 1] ? diagonal + 1 : diagonal - 1
    }

    func start(of diagonal: Int) -> Int {
        let before = predecessor(of: diagonal)
        return before > diagonal ? self[before] : self[before] + 1
    }
}
