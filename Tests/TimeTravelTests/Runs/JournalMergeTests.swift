import JSONCore
import JournalFormat
import JournalReading
import TestSupport
import Testing

@testable import TimeTravel

private func merged(_ journals: [Journal], in folder: TemporaryFolder) throws -> (Journal, JournalMerge.Summary) {
    var merge = try JournalMerge(journals)
    var summary = JournalMerge.Summary()
    let bytes = try RunFixtures.bytes { summary = try merge.write(to: $0) }
    return (try Journal.open(folder.write(bytes, to: "merged.jsonl"), access: .random), summary)
}

@Suite("Several journals as one")
struct JournalMergeTests {
    private let folder = TemporaryFolder()

    @Test("every store keeps its own sequence of states, and the result verifies", arguments: seeds(0..<30))
    func sequences(seed: UInt64) throws {
        let (left, right) = (try RandomRun(seed: seed), try RandomRun(seed: seed + 1000))
        let (journal, summary) = try merged([left.journal, right.journal], in: folder)
        #expect(try RunFixtures.problems(of: journal) == [], "seed \(seed)")
        var expected = try RunFixtures.sequences(of: left.journal)
        let second = try RunFixtures.sequences(of: right.journal) { name in
            summary.renamed.first { $0.old == name }?.new ?? name
        }
        expected.merge(second) { _, _ in [] }
        #expect(try RunFixtures.sequences(of: journal) == expected, "seed \(seed)")
    }

    @Test("records are in the order of their times, and causes follow their commits")
    func order() throws {
        var left = HandMadeRun(id: "l", app: "shop")
        left.open("a", ["n": .null])
        left.set("a", "n", .bool(true), step: 100)
        left.set("a", "n", .bool(false), cause: 1, step: 100)
        left.end()
        var right = HandMadeRun(id: "r", app: "feed")
        right.open("b", ["n": .null])
        right.set("b", "n", .bool(true), step: 150)
        right.end()
        let (journal, summary) = try merged(
            [left.journal("l.jsonl", in: folder), right.journal("r.jsonl", in: folder)], in: folder)
        #expect(summary.apps == ["shop", "feed"] && summary.commits == 3 && summary.cut.isEmpty)
        let last = try journal.record(of: CommitNumber(3)).object()
        #expect(last["store"] == .string("a") && last["cause"] == .number(JSONNumber(1)))
        #expect(try journal.record(of: CommitNumber(2)).object()["store"] == .string("b"))
        #expect(try journal.tail().isEnded)
    }

    @Test("of commits of one time that of the journal which was named first comes first", arguments: [false, true])
    func equalTimes(isTurned: Bool) throws {
        let journals = try ["a", "b"].map { store in
            var run = HandMadeRun(id: store)
            run.open(store, ["n": .null])
            run.set(store, "n", .bool(true))
            run.end()
            return try run.journal("\(store).jsonl", in: folder)
        }
        let (journal, _) = try merged(isTurned ? journals.reversed() : journals, in: folder)
        let stores = try [1, 2].map { try journal.record(of: CommitNumber($0)).object()["store"]?.string }
        #expect(stores == (isTurned ? ["b", "a"] : ["a", "b"]))
    }

    @Test("a run that was cut leaves the merged journal without an end")
    func cut() throws {
        var left = HandMadeRun(id: "l")
        left.open("a", ["n": .null])
        left.end()
        var right = HandMadeRun(id: "r")
        right.open("a", ["n": .null])
        right.raw(#"{"seq":0,"kind":"surprise","x":1}"#)
        let torn = right.bytes + Array(#"{"seq":1,"kind":"comm"#.utf8)
        let second = try Journal.open(folder.write(torn, to: "r.jsonl"), access: .random)
        let (journal, summary) = try merged([left.journal("l.jsonl", in: folder), second], in: folder)
        #expect(summary.cut == [second.path] && summary.torn.count == 1)
        #expect(summary.renamed.map(\.new) == ["a_2"])
        #expect(try RunFixtures.problems(of: journal) == [])
        #expect(TemporaryFolder.lines(journal.path).contains { $0.contains("surprise") })
    }

    @Test("a time that falls back is damage, and stands still in the merged journal")
    func fallingTime() throws {
        var run = HandMadeRun()
        run.open("a", ["n": .null])
        run.set("a", "n", .bool(true), step: 1_000)
        run.set("a", "n", .bool(false), step: -500)
        run.end()
        let damaged = try run.journal("damaged.jsonl", in: folder)
        #expect(try !RunFixtures.problems(of: damaged).isEmpty)
        let (journal, summary) = try merged([damaged], in: folder)
        #expect(try RunFixtures.problems(of: journal) == [] && summary.commits == 2)
        let times = try [1, 2].map { try journal.record(of: CommitNumber($0)).object()["time"]?.string }
        #expect(times[0] == times[1])
    }

    @Test("lines that are written otherwise merge to the same records", arguments: seeds(0..<30))
    func otherForm(seed: UInt64) throws {
        let runs = [try RandomRun(seed: seed), try RandomRun(seed: seed + 1000)]
        let spaced = try runs.enumerated().map { try RunFixtures.spaced($1.journal, "spaced\($0).jsonl", in: folder) }
        let (journal, _) = try merged(runs.map(\.journal), in: folder)
        let records = try RunFixtures.records(of: journal).map { JSONValue.object($0).text() }
        let (other, _) = try merged(spaced, in: folder)
        #expect(try RunFixtures.records(of: other).map { JSONValue.object($0).text() } == records, "seed \(seed)")
    }

    @Test("a cause follows its commit, wherever it stands in the line, and goes away with it")
    func causes() throws {
        func run(_ store: String, clock: Int) -> HandMadeRun {
            var run = HandMadeRun(id: store, clock: clock)
            run.open(store, ["n": .null])
            run.set(store, "n", .bool(true))
            for (index, front) in [#""cause":1,"store":"\#(store)""#, #""store":"\#(store)","cause":77"#].enumerated() {
                run.raw(
                    #"{"seq":\#(index + 2),"kind":"commit",\#(front),"version":\#(index + 2),"#
                        + #""time":"2030-01-01T00:00:00.000000Z","at":{"file":"A/B.swift","line":1,"column":1,"#
                        + #""function":"f()"},"patch":[]}"#)
            }
            return run
        }
        let (journal, summary) = try merged(
            [
                run("a", clock: 1_800_000_000_000_000).journal("a.jsonl", in: folder),
                run("a", clock: 1_800_000_000_000_001).journal("b.jsonl", in: folder),
            ], in: folder)
        #expect(try RunFixtures.problems(of: journal) == [] && summary.renamed.map(\.new) == ["a_2"])
        let commits = try RunFixtures.records(of: journal).filter { $0["kind"]?.string == "commit" }
        #expect(commits.map { $0["store"]?.string } == ["a", "a_2", "a", "a", "a_2", "a_2"])
        #expect(commits.map { $0["cause"]?.number?.integerValue } == [nil, nil, 1, nil, 2, nil])
    }

    @Test("the segments of one run are put together again under their own names", arguments: seeds(0..<20))
    func segments(seed: UInt64) throws {
        let run = try RandomRun(seed: seed, gaps: false)
        let cuts = [(0, 20), (20, 45), (45, 60)]
        var parts: [Journal] = []
        for (index, cut) in cuts.enumerated() {
            var slice = JournalSlice(
                run.journal, try #require(PositionRange(CommitNumber(cut.0), CommitNumber(cut.1))))
            let bytes = try RunFixtures.bytes { _ = try slice.write(to: $0) }
            parts.append(try Journal.open(run.folder.write(bytes, to: "part\(index).jsonl"), access: .random))
        }
        let (journal, summary) = try merged([parts[1], parts[2], parts[0]], in: run.folder)
        #expect(summary.renamed.isEmpty && summary.commits == 60)
        #expect(try RunFixtures.problems(of: journal) == [], "seed \(seed)")
        for position in run.positions {
            let state = try journal.state(at: CommitNumber(position)).value
            #expect(state == run.states[position], "seed \(seed), position \(position)")
        }
        let (holed, _) = try merged([parts[0], parts[2]], in: run.folder)
        #expect(try RunFixtures.problems(of: holed) == [], "seed \(seed)")
        #expect(try holed.state(at: CommitNumber(60)).value == run.states[60], "seed \(seed)")
    }
}

@Suite("Segments of one run that overlap")
struct MergeSegmentsTests {
    private func slice(_ run: RandomRun, _ first: Int, _ last: Int) throws -> [UInt8] {
        var slice = JournalSlice(run.journal, try #require(PositionRange(CommitNumber(first), CommitNumber(last))))
        return try RunFixtures.bytes { _ = try slice.write(to: $0) }
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
        let (journal, _) = try merged(parts, in: run.folder)
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

@Suite("A part of a journal as a journal of its own")
struct JournalSliceTests {
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
