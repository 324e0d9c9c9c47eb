import JournalFormat
import JournalReading
import QueryLanguage
import TestSupport
import Testing

@testable import TimeTravel

@Suite("What held in a run and then broke")
struct BrokenInvariantTests {
    /// A cart whose total is that of its two parts, except from a commit on.
    private func cart(_ seed: UInt64, commits: Int, brokenFrom broken: Int?) -> [String] {
        var random = SeededGenerator(seed: seed)
        return (0...commits).map { commit in
            let (fruit, bread) = (Int.random(in: 0...500, using: &random), Int.random(in: 0...500, using: &random))
            let total = fruit + bread + (broken.map { commit >= $0 } == true ? 1 : 0)
            return #"{"fruit":\#(fruit),"bread":\#(bread),"total":\#(total)}"#
        }
    }

    @Test(
        "a sum that held through half a run and then does not is found at its commit",
        arguments: seeds(0..<20))
    func sum(seed: UInt64) throws {
        let broken = 150 + Int(seed % 20) * 7
        let run = try StatesRun(cart(seed, commits: 300, brokenFrom: broken + 1), functions: ["add()", "pay()"])
        let found = try BrokenInvariant.all(in: run.journal)
        let first = try #require(found.first, "seed \(seed)")
        #expect(first.position == CommitNumber(broken + 1) && first.invariant.kind == .sum, "seed \(seed): \(found)")
        #expect(first.place?.function == (broken % 2 == 0 ? "add()" : "pay()"))
        #expect(first.invariant.samples >= BrokenInvariant.fewestChanges)
        #expect(try Symptom.broken(in: run.journal)?.position == first.position)
    }

    @Test(
        "a run in which it holds to the end, or never held, or held only briefly has none",
        arguments: seeds(0..<20))
    func none(seed: UInt64) throws {
        for (commits, broken) in [(300, nil), (300, 0), (40, 30), (0, nil), (1, 1)] as [(Int, Int?)] {
            let run = try StatesRun(cart(seed, commits: commits, brokenFrom: broken))
            #expect(try BrokenInvariant.all(in: run.journal).isEmpty, "seed \(seed), \(commits) commits")
            #expect(try Symptom.broken(in: run.journal) == nil)
        }
    }

    @Test("random runs have none that a second pass does not find broken there", arguments: seeds(0..<30))
    func random(seed: UInt64) throws {
        let run = try RandomRun(seed: seed, commits: 200, gaps: seed % 2 == 0, foreign: seed % 4 == 3)
        for broken in try BrokenInvariant.all(in: run.journal) {
            let asked = Invariant(name: "broken", query: try Query(broken.invariant.condition))
            let range = try #require(try PositionRange(run.journal.start, run.journal.lastCommit))
            #expect(
                try InvariantScan.run(run.journal, range, [asked]).answers[0].violation != nil,
                "seed \(seed): \(broken)")
        }
    }
}
