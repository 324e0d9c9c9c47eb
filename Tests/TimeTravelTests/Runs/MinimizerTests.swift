import JSONCore
import JournalFormat
import JournalReading
import QueryLanguage
import TestSupport
import Testing

@testable import TimeTravel

@Suite("The fewest commits that still end bad")
struct MinimizerTests {
    /// Whether the end is bad with only these commits, asked by making their journal and replaying it.
    private func isBad(_ run: RandomRun, _ kept: [CommitNumber], _ query: Query) throws -> Bool {
        let replay = try CommitReplay(all: run.journal)
        return replay.endsBad(
            keeping: replay.numbers.indices.filter { kept.contains(replay.numbers[$0]) }, query)
    }

    /// Something is kept just where the whole run ends bad, and what is kept ends bad.
    private func expectBadEnd(of answer: Minimizer.Answer, _ run: RandomRun, _ query: Query, _ place: Comment) throws {
        let all = (1...14).map { CommitNumber($0) }
        #expect(try (answer.kept != nil) == isBad(run, all, query), place)
        if let kept = answer.kept { #expect(try isBad(run, kept, query), place) }
    }

    @Test("no commit can be left out, and the journal of the rest ends bad and verifies", arguments: seeds(0..<30))
    func oneMinimal(seed: UInt64) throws {
        let run = try RandomRun(seed: seed, commits: 14, gaps: false)
        for text in sampleQueries {
            let query = try Query(text)
            let answer = try Minimizer(run.journal, bad: query).answer()
            try expectBadEnd(of: answer, run, query, "seed \(seed), \(text)")
            guard let kept = answer.kept else { continue }
            for number in kept {
                #expect(
                    try !isBad(run, kept.filter { $0 != number }, query), "seed \(seed), \(text), without \(number)")
            }
            var minimal = MinimalJournal(run.journal, keeping: kept, from: answer.from)
            let bytes = try RunFixtures.bytes { try minimal.write(to: $0) }
            let journal = try Journal.open(run.folder.write(bytes, to: "small.jsonl"), access: .random)
            #expect(try RunFixtures.problems(of: journal) == [], "seed \(seed), \(text)")
            let state = try journal.state(at: try journal.lastCommit).value
            #expect(Condition(bad: query).verdict(on: state, context: .start).isBad == true, "seed \(seed), \(text)")
        }
    }

    @Test(
        "a part of the state is enough for journals that copy, test and move between containers",
        arguments: seeds(0..<30))
    func foreign(seed: UInt64) throws {
        let run = try RandomRun(seed: seed, commits: 14, gaps: false, foreign: true)
        for text in [".user | length? > -1", ".cart != null", ".feed | type == \"array\""] {
            let query = try Query(text)
            try expectBadEnd(
                of: try Minimizer(run.journal, bad: query).answer(), run, query, "seed \(seed), \(text)")
        }
    }

    @Test("a query is asked of the last position of the journal that would be written", arguments: seeds(0..<10))
    func position(seed: UInt64) throws {
        let run = try RandomRun(seed: seed, commits: 14, gaps: false)
        let query = try Query("$seq > 3 and $name == $name and $old != $seq")
        let kept = try #require(try Minimizer(run.journal, bad: query).answer().kept)
        #expect(kept.count == 4, "seed \(seed)")
        #expect(try Minimizer(run.journal, bad: Query("$seq > 14")).answer().kept == nil)
    }

    @Test("a query that fails at the end of the run is told, not taken for good")
    func failing() throws {
        let run = try RandomRun(seed: 1, commits: 14, gaps: false)
        let answer = try Minimizer(run.journal, bad: Query("error(\"x\")")).answer()
        #expect(answer.kept == nil)
        #expect(answer.failure != nil)
    }

    @Test("after a gap only what follows it is left out")
    func gap() throws {
        var run = HandMadeRun()
        run.open("a", ["n": .number(JSONNumber(0)), "m": .null])
        run.set("a", "n", .number(JSONNumber(1)))
        run.lose(2)
        run.set("a", "m", .bool(true))
        run.set("a", "n", .number(JSONNumber(-1)))
        run.end()
        let folder = TemporaryFolder()
        let journal = try run.journal("run.jsonl", in: folder)
        let answer = try Minimizer(journal, bad: Query(".a.n < 0")).answer()
        #expect(answer.kept == [CommitNumber(5)] && answer.from == CommitNumber(3) && answer.commits == 2)
        var minimal = MinimalJournal(journal, keeping: [CommitNumber(5)], from: answer.from)
        let bytes = try RunFixtures.bytes { try minimal.write(to: $0) }
        let small = try Journal.open(folder.write(bytes, to: "small.jsonl"), access: .random)
        #expect(try RunFixtures.problems(of: small) == [])
        #expect(try small.lastCommit == CommitNumber(4))
    }
}

extension CommitReplay {
    /// All commits of a journal that begins at 0.
    init(all journal: Journal) throws {
        var torn: TornTail?
        try self.init(journal, after: .zero, torn: &torn)
    }

    /// Whether a query that reads only the state is true at the end with some of the commits.
    func endsBad(keeping kept: [Int], _ query: Query) -> Bool {
        Condition(bad: query).verdict(on: end(keeping: kept).state.value, context: .start).isBad ?? false
    }
}
