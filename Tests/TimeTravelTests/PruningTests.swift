import Diagnostics
import JSONCore
import JournalFormat
import JournalReading
import QueryLanguage
import TestSupport
import Testing
import TimeTravel

@Suite("Asking only what a query can read")
struct PruningTests {
    /// How many queries are asked of each journal.
    private static let queries = 60

    /// Everything that can be seen of an evaluation; nil where a limit ended it.
    private func observed(_ query: Query, _ state: JSONValue) -> [String]? {
        var seen: [String] = []
        do {
            try query.evaluate(state, context: QueryContext(limits: QueryLimits(steps: 20_000, size: 10_000))) {
                value in
                seen.append(value.text())
                return true
            }
        } catch .limit {
            return nil
        } catch {
            seen.append("error: \(error.message)")
        }
        return seen
    }

    @Test("random queries over random journals answer pruned as they do on whole states", arguments: seeds(0..<50))
    func prunedEqualsWhole(seed: UInt64) throws {
        let run = try RandomRun(seed: seed, commits: 40, gaps: seed % 2 == 0)
        var maker = RandomStateQuery(seed: seed &+ 7_000)
        for _ in 0..<Self.queries {
            let text = maker.condition()
            let query = try Query(text)
            let paths = query.footprint.paths
            let note: Comment = "seed \(seed): \(text) reads \(paths.patterns)"
            for position in run.positions where position % 5 == 0 {
                let state = run.states[position] ?? .null
                guard let whole = observed(query, state), let pruned = observed(query, state.pruned(to: paths)) else {
                    continue
                }
                #expect(whole == pruned, note)
            }
            let condition = Condition(bad: query)
            let expected = ExpectedFlips(run, condition)
            let answer = try FlipScan.run(run.journal, run.range, condition)
            #expect(answer.flips == expected.flips, note)
            #expect(answer.firstBad?.seq.rawValue == expected.firstBad, note)
            #expect(answer.lastFlip?.seq.rawValue == expected.lastFlip, note)
            #expect(answer.isBadAtStart == expected.badAtStart && answer.isBadAtEnd == expected.badAtEnd, note)
        }
    }

    @Test("most random queries read something, but not everything")
    func footprintsMeanSomething() throws {
        var maker = RandomStateQuery(seed: 1)
        var (everything, nothing) = (0, 0)
        let count = 2_000
        for _ in 0..<count {
            let paths = try Query(maker.condition()).footprint.paths
            if paths.isEverything { everything += 1 }
            if paths.isEmpty { nothing += 1 }
        }
        print("\(count) random queries: \(everything) read everything, \(nothing) read nothing")
        #expect(everything < count / 4)
        #expect(nothing < count / 10)
    }
}
