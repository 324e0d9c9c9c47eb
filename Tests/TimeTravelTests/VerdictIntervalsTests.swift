import JSONCore
import JournalFormat
import QueryLanguage
import TestSupport
import Testing
import TimeTravel

@Suite("What a condition says at any position of a range")
struct VerdictIntervalsTests {
    @Test("in any order, it says what asking the whole state says", arguments: seeds(0..<40))
    func equalsBruteForce(seed: UInt64) throws {
        let run = try RandomRun(seed: seed)
        var random = SeededGenerator(seed: seed + 1)
        var queries = RandomStateQuery(seed: seed)
        for text in sampleQueries + (0..<4).map({ _ in queries.condition() }) {
            let condition = Condition(bad: try Query(text))
            let intervals = try VerdictIntervals(condition, run.range, in: run.journal)
            for position in run.positions.shuffled(using: &random) {
                let expected = condition.verdict(on: run.states[position] ?? .null, context: .start)
                let told = try intervals.verdict(at: CommitNumber(position))
                #expect(told == expected, "seed \(seed), \(text) at \(position)")
            }
        }
    }

    @Test(
        "the state before and the number are those of the position", arguments: seeds(0..<10),
        ["$old == .", "$old.cart.a != .cart.a", "$seq % 3 == 0", "$seq > 5 and ($old | type) == \"object\""])
    func context(seed: UInt64, text: String) throws {
        let run = try RandomRun(seed: seed, gaps: false)
        let condition = Condition(bad: try Query(text))
        let intervals = try VerdictIntervals(condition, run.range, in: run.journal)
        for position in run.positions.dropFirst().reversed() {
            let context = QueryContext(old: run.states[position - 1] ?? .null, seq: position)
            let expected = condition.verdict(on: run.states[position] ?? .null, context: context)
            #expect(
                try intervals.verdict(at: CommitNumber(position)) == expected, "seed \(seed), \(text) at \(position)")
        }
    }
}
