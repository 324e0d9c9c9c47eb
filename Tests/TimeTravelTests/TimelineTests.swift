import JSONCore
import JournalFormat
import JournalReading
import QueryLanguage
import TestSupport
import Testing
import TimeTravel

@Suite("Going back and forth in a run")
struct TimelineTests {
    @Test(
        "steps forward, steps back and jumps give the state of each position", arguments: seeds(0..<40),
        [false, true])
    func walks(seed: UInt64, foreign: Bool) throws {
        let run = try RandomRun(seed: seed, foreign: foreign)
        var timeline = try Timeline(run.journal)
        var visited = [timeline.position.rawValue]
        func check() {
            #expect(
                timeline.state.value == run.states[timeline.position.rawValue], "seed \(seed) at \(timeline.position)")
        }
        check()
        while try timeline.stepForward() {
            visited.append(timeline.position.rawValue)
            check()
        }
        #expect(visited == run.positions, "seed \(seed)")
        while try timeline.stepBackward() {
            visited.removeLast()
            #expect(timeline.position.rawValue == visited.last, "seed \(seed)")
            check()
        }
        #expect(visited.count == 1)
        var random = SeededGenerator(seed: seed)
        for _ in 0..<20 {
            guard let position = run.positions.randomElement(using: &random) else { break }
            try timeline.jump(to: CommitNumber(position))
            check()
            _ = Bool.random(using: &random) ? try timeline.stepForward() : try timeline.stepBackward()
            check()
        }
    }

    @Test(
        "a cursor over a part of the state has that part of each position", arguments: seeds(0..<20),
        [false, true])
    func pruned(seed: UInt64, foreign: Bool) throws {
        let run = try RandomRun(seed: seed, foreign: foreign)
        var maker = JournalMaker(seed: seed + 1_000)
        let paths = maker.paths()
        var timeline = try Timeline(run.journal, reading: paths)
        func check() {
            let whole = run.states[timeline.position.rawValue]
            #expect(
                timeline.state.value == whole?.pruned(to: paths.pruningNode), "seed \(seed) at \(timeline.position)")
        }
        while try timeline.stepForward() { check() }
        while try timeline.stepBackward() { check() }
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
