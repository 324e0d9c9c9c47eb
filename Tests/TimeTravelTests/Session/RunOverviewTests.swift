import Foundation
import JSONCore
import JournalFormat
import JournalReading
import TestSupport
import Testing

@testable import TimeTravel

@Suite("A run at a glance")
struct RunOverviewTests {
    /// How many commits each store has in all of the columns.
    private func commits(_ overview: borrowing RunOverview) -> [String: Int] {
        overview.columns.flatMap(\.stores).reduce(into: [:]) { $0[$1.name, default: 0] += $1.commits }
    }

    /// How many commits each store has, and how many marks there are, as a reader of all lines counts them.
    private func counted(_ journal: Journal) throws -> (commits: [String: Int], marks: Int, hasHole: Bool) {
        var (commits, marks, gaps) = ([String: Int](), 0, 0)
        var reader = journal.records(recover: true)
        while let line = try reader.next() {
            if line.kind == .commit { commits[try line.storeName(), default: 0] += 1 }
            if line.kind == .mark { marks += 1 }
            if line.kind == .gap { gaps += 1 }
        }
        return (commits, marks, gaps + reader.damageCount > 0)
    }

    /// That the columns have each position of a run once, in order.
    private func expectWhole(_ overview: borrowing RunOverview, _ journal: Journal) throws {
        var next = journal.start.next
        for column in overview.columns {
            #expect(column.positions.lowerBound == next)
            next = column.positions.upperBound.next
        }
        #expect(next == max(journal.start.next, try journal.lastCommit).next)
    }

    @Test(
        "it has samples of what it did not read yet, and counts every commit when all bytes were looked at",
        arguments: seeds(0..<20), [1, 7, 400])
    func counts(seed: UInt64, columns: Int) throws {
        let run = try seed % 3 == 2 ? RandomRun(damagedWith: seed) : RandomRun(seed: seed)
        var overview = try RunOverview(run.journal, columns: columns)
        #expect(overview.columns.count <= columns && !overview.isComplete)
        try expectWhole(overview, run.journal)
        var samples = 0
        while overview.sample() { samples += 1 }
        #expect(samples + 1 == overview.columns.count && !overview.sample())
        let middles = overview.columns.flatMap(\.stores).map(\.commits)
        #expect(middles.allSatisfy { $0 == 1 } && (run.lost > 0 || !middles.isEmpty))
        while try overview.advance(bytes: 300) { try expectWhole(overview, run.journal) }
        let expected = try counted(run.journal)
        #expect(commits(overview) == expected.commits)
        #expect(overview.columns.map(\.marks).reduce(0, +) == expected.marks)
        #expect(overview.columns.contains { $0.hasHole } == expected.hasHole, "seed \(seed)")
        #expect(overview.columns.allSatisfy { $0.isExact })
    }

    @Test(
        "a run that grows is counted as if it had been as long from the start, wherever it was when it grew",
        arguments: seeds(0..<20), [1, 5, 40])
    func growth(seed: UInt64, columns: Int) throws {
        let folder = TemporaryFolder()
        var maker = JournalMaker(seed: seed)
        maker.run(commits: 3)
        func journal() throws -> Journal {
            try Journal.open(folder.write(maker.bytes, to: "run.jsonl"), access: .random)
        }
        var overview = try RunOverview(try journal(), columns: columns)
        for step in 1...6 {
            var left = Int.random(in: 0...4, using: &maker.random)
            while left > 0, try overview.advance(bytes: 500) { left -= 1 }
            for _ in 0..<Int.random(in: 0...9, using: &maker.random) { _ = overview.sample() }
            maker.run(commits: 3 + step * step * 3)
            try overview.extend(try journal())
            #expect(overview.columns.count <= 2 * columns)
            try expectWhole(overview, try journal())
        }
        while try overview.advance(bytes: 1000) {}
        let expected = try counted(try journal())
        #expect(commits(overview) == expected.commits, "seed \(seed)")
        #expect(overview.columns.map(\.marks).reduce(0, +) == expected.marks, "seed \(seed)")
    }
}

@Suite("States of a run that are kept")
struct RunStatesTests {
    @Test(
        "are those that a seek gives, in whatever order they are asked for, and are missing where it fails",
        arguments: seeds(0..<40), [2, 7])
    func likeSeeks(seed: UInt64, spacing: Int) throws {
        let run = try seed % 4 == 3 ? RandomRun(damagedWith: seed) : RandomRun(seed: seed, foreign: seed % 4 == 2)
        let states = RunStates(run.journal, spacing: spacing, distance: 0)
        var random = SeededGenerator(seed: seed)
        let numbers = run.range.lower.rawValue...run.range.upper.rawValue
        var found = 0
        for _ in 0..<60 {
            let position = CommitNumber(numbers.randomElement(using: &random)!)
            let paths = Bool.random(using: &random) ? PathSet.everything : PathSet(try JSONPointer(parsing: "/cart"))
            let sought = try? run.journal.soundState(at: position, pruning: paths)
            guard let known = states.replayed(to: position, pruning: paths) else { continue }
            found += 1
            #expect(sought.map { $0.isSame(as: known) } ?? false, "seed \(seed) at \(position)")
            guard let kept = try states.kept(before: position, pruning: .everything) else { continue }
            #expect(kept.position < position)
            #expect(try run.journal.soundState(at: kept.position, pruning: .everything).isSame(as: kept))
        }
        #expect(found > 0, "seed \(seed)")
    }

    @Test("are kept no closer than where so many are enough, and the nearest before a position is found")
    func bounded() throws {
        var kept = KeptStates(spacing: 1)
        for number in 1...10_000 { kept.offer(PositionState(start: CommitNumber(number)), after: CommitNumber(0)) }
        var distances: Set<Int> = []
        for number in 1000...10_000 {
            let nearest = try #require(kept.last(upTo: CommitNumber(number)))
            distances.insert(number - nearest.position.rawValue)
        }
        // At most 64 are kept of 10,000, and they lie evenly.
        #expect(distances.count >= 10_000 / 64)
        #expect(distances.max()! < 3 * 10_000 / 64)
    }

    @Test("take no more memory than some megabytes of text, whatever the states are")
    func large() throws {
        let text = JSONValue.string(String(repeating: "x", count: 3 << 20))
        var (kept, found) = (KeptStates(spacing: 1), Set<CommitNumber>())
        for number in 1...200 {
            var state = PositionState(start: CommitNumber(number))
            state.open("a", number < 150 ? text : .array(Array(repeating: text, count: 6)))
            kept.offer(state, after: CommitNumber(0))
            found = Set((1...number).compactMap { kept.last(upTo: CommitNumber($0))?.position })
            #expect(found.count <= 5, "at \(number)")
        }
        #expect(!found.isEmpty)
    }
}

@Suite("Two runs in step")
struct RunPairsTests {
    private func sample(_ name: String) throws -> Journal {
        try Journal.open(SharedFolder.packageRoot.path + "/samples/" + name, access: .random)
    }

    /// What is true of any two runs: every commit of both is made once, in the order of each, and both arrive at their ends.
    private func check(_ pairs: RunPairs, _ left: Journal, _ right: Journal) throws {
        #expect(pairs.steps.count { $0.isLeft } == (try left.lastCommit.rawValue) - left.start.rawValue)
        #expect(pairs.steps.count { $0.isRight } == (try right.lastCommit.rawValue) - right.start.rawValue)
        for (before, after) in zip(pairs.steps, pairs.steps.dropFirst()) {
            #expect(before.left <= after.left && before.right <= after.right)
            #expect(after.isLeft == (after.left > before.left))
        }
        #expect(try pairs.steps.last?.left == left.lastCommit)
        #expect(try pairs.steps.last?.right == right.lastCommit)
    }

    @Test("a run beside itself has no difference")
    func same() throws {
        let journal = try sample("checkout.jsonl")
        let pairs = try RunPairs(journal, journal)
        #expect(pairs.steps.allSatisfy { !$0.differs && $0.isLeft && $0.isRight && $0.left == $0.right })
        try check(pairs, journal, journal)
    }

    @Test("the first difference is where 'diff' finds that the runs part, and after it they go on in step")
    func parts() throws {
        let (good, bad) = (try sample("checkout-good.jsonl"), try sample("checkout.jsonl"))
        let pairs = try RunPairs(good, bad)
        let divergence = try Divergence.first(of: good, and: bad)
        let first = try #require(pairs.steps.first { $0.differs })
        #expect(first.isLeft ? first.left == divergence.left?.seq || divergence.left == nil : true)
        #expect(first.right == divergence.right?.seq || first.left == divergence.left?.seq)
        #expect(pairs.steps.count { !$0.differs } > 300)
        try check(pairs, good, bad)
    }

    @Test("the first difference is the same whichever run is the left one")
    func mirrored() throws {
        let runs = try ["checkout-good.jsonl", "checkout.jsonl", "checkout-flipping.jsonl"].map(sample)
        for (left, right) in [(0, 1), (0, 2), (1, 2)] {
            let there = try #require(try RunPairs(runs[left], runs[right]).steps.first { $0.differs })
            let back = try #require(try RunPairs(runs[right], runs[left]).steps.first { $0.differs })
            #expect(there.leftCommit == back.rightCommit && there.rightCommit == back.leftCommit)
        }
    }

    @Test("random runs with commits left out, are in step but for these", arguments: seeds(1..<21))
    func random(_ seed: UInt64) throws {
        let folder = TemporaryFolder()
        func journal(_ seed: UInt64, _ commits: Int, _ name: String) throws -> Journal {
            let maker = JournalMaker(seed: seed, commits: commits, gaps: false)
            return try Journal.open(folder.write(maker.bytes, to: name), access: .random)
        }
        let (left, longer) = (try journal(seed, 60, "a.jsonl"), try journal(seed, 90, "b.jsonl"))
        try check(try RunPairs(left, longer), left, longer)
        let other = try journal(seed + 100, 70, "c.jsonl")
        try check(try RunPairs(left, other), left, other)
        try check(try RunPairs(other, left), other, left)
    }
}

@Suite("How much of a run is asked at once")
struct WindowSizeTests {
    /// How long it takes to ask all of a run from its end to its start, as a multiple of one pass over it.
    ///
    /// - Parameter way: how many positions lie between the nearest state and a position.
    private func cost(of positions: Int, way: (Int) -> Int) -> Double {
        var (upper, size, spent) = (positions, WindowSize(), Duration.zero)
        while upper > 0 {
            let lower = size.start(before: CommitNumber(upper), CommitNumber(0)).rawValue
            let opening = Duration.microseconds(way(lower))
            let total = opening + .microseconds(upper - lower)
            size.note(total: total, opening: opening)
            spent += total
            upper = lower
        }
        return spent / .microseconds(positions)
    }

    @Test(
        "without keyframes it takes some passes over the run, however long that is",
        arguments: [10_000, 1_000_000, 10_000_000])
    func withoutKeyframes(positions: Int) { #expect(cost(of: positions) { $0 } < 12) }

    @Test("with keyframes it takes hardly more than one", arguments: [10_000, 1_000_000, 10_000_000])
    func withKeyframes(positions: Int) { #expect(cost(of: positions) { $0 % 200 } < 1.2) }

    @Test("what can be stopped is stopped within a second, where a window begins at once")
    func short() {
        var size = WindowSize()
        for _ in 0..<50 { size.note(total: .microseconds(size.count * 10), opening: .zero) }
        #expect(size.count * 10 < 1_000_000)
    }
}
