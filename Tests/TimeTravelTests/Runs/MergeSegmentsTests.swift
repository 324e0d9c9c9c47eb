import JSONCore
import JournalFormat
import JournalReading
import TestSupport
import Testing

@testable import TimeTravel

@Suite("Segments of one run that overlap")
struct MergeSegmentsTests {
    private func slice(_ run: RandomRun, _ first: Int, _ last: Int) throws -> [UInt8] {
        var slice = JournalSlice(run.journal, try #require(PositionRange(CommitNumber(first), CommitNumber(last))))
        return try RunFixtures.bytes { _ = try slice.write(to: $0) }
    }

    private func merged(_ parts: [Journal], in folder: TemporaryFolder) throws -> Journal {
        var merge = try JournalMerge(parts)
        let bytes = try RunFixtures.bytes { _ = try merge.write(to: $0) }
        return try Journal.open(folder.write(bytes, to: "merged.jsonl"), access: .random)
    }

    @Test(
        "what they both have is there once, in whatever order they are named, also as streams", arguments: seeds(0..<30)
    )
    func same(seed: UInt64) throws {
        let run = try RandomRun(seed: seed, gaps: false)
        var random = SeededGenerator(seed: seed)
        let cuts = [(0, 25), (10, 40), (12, 20), (35, 60)]
        var parts = try cuts.enumerated().map { index, cut in
            try Journal.open(
                run.folder.write(slice(run, cut.0, cut.1), to: "part\(index).jsonl"), access: .sequential)
        }
        parts.shuffle(using: &random)
        let journal = try merged(parts, in: run.folder)
        #expect(try RunFixtures.problems(of: journal) == [], "seed \(seed)")
        #expect(try journal.lastCommit.rawValue == 60)
        for position in run.positions {
            #expect(try journal.state(at: CommitNumber(position)).value == run.states[position], "seed \(seed)")
        }
        let marks = try RunFixtures.records(of: journal).filter { $0["kind"]?.string == "mark" }.count
        #expect(try marks == RunFixtures.records(of: run.journal).filter { $0["kind"]?.string == "mark" }.count)
    }

    @Test("where they say different things nothing is merged, whatever their order", arguments: seeds(0..<20))
    func different(seed: UInt64) throws {
        let run = try RandomRun(seed: seed, gaps: false)
        let one = try Journal.open(run.folder.write(slice(run, 0, 40), to: "one.jsonl"), access: .random)
        var lines = try slice(run, 20, 60).split(separator: UInt8(ascii: "\n")).map {
            String(decoding: $0, as: UTF8.self)
        }
        let place = try #require(lines.firstIndex { $0.hasPrefix(#"{"seq":30,"kind":"commit""#) })
        lines[place] = lines[place].replacing("\"function\":\"run()\"", with: "\"function\":\"other()\"")
        lines[place] = String(lines[place].prefix(lines[place].count - 18)) + "}"
        let bytes = Array(lines.map { $0 + "\n" }.joined().utf8)
        let other = try Journal.open(run.folder.write(bytes, to: "other.jsonl"), access: .random)
        for parts in [[one, other], [other, one]] {
            #expect(
                throws: MergeError.differentSegments(one.path, other.path, id: "test", commit: CommitNumber(30)),
                "seed \(seed)"
            ) { try merged(parts, in: run.folder) }
        }
    }

    @Test("commits that one of them lost are not dropped from the other")
    func lostInOne() throws {
        let folder = TemporaryFolder()
        var whole = HandMadeRun()
        whole.open("a", ["n": .null])
        for number in 1...6 { whole.set("a", "n", .number(JSONNumber(number))) }
        let journal = try whole.journal("whole.jsonl", in: folder)
        var slice = JournalSlice(journal, try #require(PositionRange(CommitNumber(1), CommitNumber(6))))
        let segment = try Journal.open(
            folder.write(try RunFixtures.bytes { _ = try slice.write(to: $0) }, to: "segment.jsonl"), access: .random)
        var holed = HandMadeRun()
        holed.open("a", ["n": .null])
        for number in 1...2 { holed.set("a", "n", .number(JSONNumber(number))) }
        holed.lose(2)
        #expect(throws: MergeError.self) {
            try merged([holed.journal("holed.jsonl", in: folder), segment], in: folder)
        }
    }
}
