import JSONCore
import JournalFormat
import JournalReading
import TestSupport
import Testing
import TimeTravel

@Suite("A part of a journal as a journal of its own")
struct JournalSliceTests {
    @Test("a slice verifies and has the same states at each of its positions", arguments: seeds(0..<40))
    func states(seed: UInt64) throws {
        let run = try RandomRun(seed: seed)
        var random = SeededGenerator(seed: seed)
        for _ in 0..<4 {
            let ends = [run.positions.randomElement(using: &random)!, run.positions.randomElement(using: &random)!]
            let range = try #require(PositionRange(CommitNumber(ends.min()!), CommitNumber(ends.max()!)))
            var slice = JournalSlice(run.journal, range)
            let bytes = try RunFixtures.bytes { _ = try slice.write(to: $0) }
            let part = try Journal.open(run.folder.write(bytes, to: "part.jsonl"), access: .random)
            #expect(try RunFixtures.problems(of: part) == [], "seed \(seed), \(range)")
            #expect(part.start == range.lower)
            #expect(try part.lastCommit == range.upper)
            #expect(try part.header().id == run.journal.header().id)
            for position in run.positions where position >= range.lower.rawValue && position <= range.upper.rawValue {
                let state = try part.state(at: CommitNumber(position)).value
                #expect(state == run.states[position], "seed \(seed), \(range), position \(position)")
            }
        }
    }

    @Test("the whole of a journal is that journal, byte for byte", arguments: seeds(0..<5))
    func whole(seed: UInt64) throws {
        let maker = JournalMaker(seed: seed, commits: 40)
        let folder = TemporaryFolder()
        let journal = try Journal.open(folder.write(maker.bytes, to: "run.jsonl"), access: .random)
        var slice = JournalSlice(journal, try journal.range(RangeText()))
        #expect(try RunFixtures.bytes { _ = try slice.write(to: $0) } == maker.bytes)
    }

    @Test("a position inside a gap has no state to begin or end with")
    func gap() throws {
        var run = HandMadeRun()
        run.open("a", ["n": .null])
        run.set("a", "n", .number(JSONNumber(1)))
        run.lose(4)
        let folder = TemporaryFolder()
        let journal = try run.journal("run.jsonl", in: folder)
        for (lower, upper) in [(3, 5), (0, 3)] {
            var slice = JournalSlice(journal, try #require(PositionRange(CommitNumber(lower), CommitNumber(upper))))
            #expect(throws: JournalError.self) { try RunFixtures.bytes { _ = try slice.write(to: $0) } }
        }
    }

    @Test("a wrong sum in a line that the first state is made of is damage", arguments: ["store", "commit"])
    func damagedBefore(kind: String) throws {
        let folder = TemporaryFolder()
        var run = HandMadeRun()
        run.open("a", ["n": .string("old"), "m": .null])
        run.set("a", "n", .string("new"))
        run.set("a", "m", .bool(true))
        run.set("a", "m", .bool(false))
        let text = String(decoding: run.bytes, as: UTF8.self)
        let damaged =
            kind == "store"
            ? text.replacing("\"m\":null}", with: "\"x\":null}") : text.replacing("\"new\"", with: "\"now\"")
        #expect(damaged != text)
        let journal = try Journal.open(folder.write(damaged, to: "run.jsonl"), access: .random)
        var slice = JournalSlice(journal, try #require(PositionRange(CommitNumber(2), CommitNumber(3))))
        #expect(throws: JournalError.self) { try RunFixtures.bytes { _ = try slice.write(to: $0) } }
    }
}
