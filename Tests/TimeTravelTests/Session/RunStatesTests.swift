import JSONCore
import JournalFormat
import JournalReading
import TestSupport
import Testing

@testable import TimeTravel

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
            guard let kept = states.kept(before: position, pruning: .everything) else { continue }
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
