import JSONCore
import JournalFormat
import JournalReading
import TestSupport
import Testing
import TimeTravel

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
