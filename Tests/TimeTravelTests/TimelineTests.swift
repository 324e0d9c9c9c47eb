import Diagnostics
import JSONCore
import JournalFormat
import JournalReading
import QueryLanguage
import TestSupport
import Testing

@testable import TimeTravel

@Suite("Going back and forth in a run")
struct TimelineTests {
    @Test(
        "steps forward, steps back and jumps give the state of each position", arguments: seeds(0..<40),
        [false, true])
    func walks(seed: UInt64, foreign: Bool) throws {
        let run = try RandomRun(seed: seed, foreign: foreign)
        let cursor = try RunCursor(RunStates(run.journal), at: run.journal.start)
        var visited = [cursor.position.rawValue]
        func check() {
            #expect(cursor.state.value == run.states[cursor.position.rawValue], "seed \(seed) at \(cursor.position)")
        }
        check()
        while try cursor.step(.forward) != .atEnd {
            visited.append(cursor.position.rawValue)
            check()
        }
        #expect(visited == run.positions, "seed \(seed)")
        while try cursor.step(.backward) != .atEnd {
            visited.removeLast()
            #expect(cursor.position.rawValue == visited.last, "seed \(seed)")
            check()
        }
        #expect(visited.count == 1)
        var random = SeededGenerator(seed: seed)
        for _ in 0..<20 {
            guard let position = run.positions.randomElement(using: &random) else { break }
            try cursor.move(to: CommitNumber(position))
            check()
            _ = try cursor.step(Bool.random(using: &random) ? .forward : .backward)
            check()
        }
    }

    @Test("a sound journal has no problem", arguments: seeds(0..<40), [false, true])
    func verifies(seed: UInt64, foreign: Bool) throws {
        let run = try RandomRun(seed: seed, foreign: foreign)
        var problems: [VerificationProblem] = []
        let summary = try Verification.run(run.journal) { problems.append($0) }
        #expect(problems == [], "seed \(seed)")
        #expect(summary.isEnded)
    }

    @Test("a changed byte is found wherever a sum covers it", arguments: seeds(0..<12))
    func findsChanges(seed: UInt64) throws {
        let maker = JournalMaker(seed: seed, commits: 20)
        var random = SeededGenerator(seed: seed)
        let folder = TemporaryFolder()
        for _ in 0..<40 {
            var bytes = maker.bytes
            let place = Int.random(in: 0..<bytes.count, using: &random)
            let byte = UInt8.random(in: 0...255, using: &random)
            // A line may lack a sum, so a line whose `,"sum":` itself is changed is one without.
            let end = bytes[place...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
            guard bytes[place] != byte, place == end || end - place > 18 else { continue }
            bytes[place] = byte
            var count = 0
            if let journal = try? Journal.open(folder.write(bytes, to: "run.jsonl"), access: .random) {
                _ = try? Verification.run(journal) { _ in count += 1 }
            } else {
                count = 1
            }
            #expect(count > 0, "seed \(seed), byte \(place) to \(byte)")
        }
    }
}

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
            let answer = try BisectAnswer(run.journal, run.range, condition)
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
