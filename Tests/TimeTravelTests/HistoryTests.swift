import JSONCore
import JournalFormat
import JournalReading
import QueryLanguage
import TestSupport
import Testing

@testable import TimeTravel

@Suite("How a value changed")
struct HistoryTests {
    @Test(
        "each change of the places that match is the one that matching all of every state gives",
        arguments: seeds(0..<60))
    func patterns(seed: UInt64) throws {
        let run = seed % 2 == 0 ? try RandomRun(seed: seed) : try RandomRun(damagedWith: seed)
        for text in ["/cart", "/user/a", "/*", "/cart/*", "/*/a", "/cart/**/a", "/**", "/*/*/*", "/feed/*/0"] {
            let matcher = PathMatcher([try PathSteps(parsing: text)])
            var expected: [String] = []
            var last: [JSONPointer: JSONValue] = [:]
            for position in run.positions {
                let state = run.states[position] ?? .null
                let paths = matcher.matches(in: state)
                let next = Dictionary(uniqueKeysWithValues: paths.map { ($0, $0.value(in: state) ?? .null) })
                if position != run.positions[0] {
                    let changed = Set(last.keys).union(next.keys).filter { last[$0] != next[$0] }
                    expected += changed.map { "\($0.text) " + Self.line(position, last[$0], next[$0]) }
                }
                last = next
            }
            var found: [String] = []
            let history = try History(.places(matcher), run.range, in: run.journal, recover: true)
            while let changes = try history.next() {
                found += changes.map { "\($0.path.text) " + Self.line($0.position.rawValue, $0.old, $0.value) }
            }
            #expect(found.sorted() == expected.sorted(), "seed \(seed), \(text)")
            #expect(history.unanswered.lost == run.lost, "seed \(seed), \(text)")
        }
    }

    @Test("what a patch did that does not fit is never what was there before", arguments: ["/s/*", "/**"])
    func brokenPatch(_ text: String) throws {
        let lines = [
            Lines.store(#"{"a":1,"b":1}"#), Lines.commit(1, Lines.replace("/a", 2)),
            Lines.commit(
                2, Lines.replace("/a", 5) + #",{"op":"add","path":"/c","value":5},{"op":"remove","path":"/d"}"#),
            #"{"seq":2,"kind":"keyframe","states":{"s":{"a":3,"b":1}}}"#,
        ]
        let folder = TemporaryFolder()
        let journal = try Journal.open(folder.write(Lines.journal(lines), to: "run.jsonl"), access: .random)
        let matcher = PathMatcher([try PathSteps(parsing: text)])
        let history = try History(.places(matcher), try journal.range(RangeText()), in: journal, recover: true)
        var found: [String] = []
        while let changes = try history.next() {
            found += changes.map {
                "\($0.position) \($0.path.text) \($0.old?.text() ?? "-") \($0.value?.text() ?? "-")"
            }
        }
        #expect(found == ["1 /s/a 1 2", "2 /s/a 2 3"] || text == "/**" && found.allSatisfy { !$0.contains("5") })
    }

    private static func line(_ position: Int, _ old: JSONValue?, _ value: JSONValue?) -> String {
        "\(position) \(old?.text() ?? "none") \(value?.text() ?? "none")"
    }
}

@Suite("How a state came to be")
struct StateHistoryTests {
    @Test(
        "the steps are ascending, end in the state that is asked about, and each has the state after its record",
        arguments: seeds(0..<30))
    func equalsBruteForce(seed: UInt64) throws {
        let run = try RandomRun(seed: seed, gaps: false)
        for text in sampleQueries {
            let query = try Query(text)
            for position in run.positions.filter({ $0 > 0 && $0 % 7 == 0 }) {
                let steps = StateHistory.last(
                    5, through: CommitNumber(position), reading: query.footprint.paths, in: run.journal)
                #expect(steps.count <= 5)
                let numbers = steps.map(\.record.seq)
                #expect(numbers == numbers.sorted(), "seed \(seed), \(text), \(position)")
                for (step, next) in zip(steps, steps.dropFirst()) where step.record.seq < next.record.seq {
                    try hold(step, query, run, "seed \(seed), \(text), \(position)")
                }
                if let last = steps.last {
                    #expect(
                        (try? query.all(of: last.state)) == (try? query.all(of: run.states[position] ?? .null)),
                        "seed \(seed), \(text), \(position)")
                }
            }
        }
    }

    /// The last record of a number makes the state at its position.
    private func hold(_ step: StateHistory.Step, _ query: Query, _ run: RandomRun, _ comment: Comment) throws {
        guard let state = run.states[step.record.seq.rawValue] else { return }
        #expect((try? query.all(of: step.state)) == (try? query.all(of: state)), comment)
    }

    @Test("a history across lost commits is told as far as it goes", arguments: seeds(0..<20))
    func gaps(seed: UInt64) throws {
        let run = try RandomRun(seed: seed)
        for position in run.positions {
            let steps = StateHistory.last(
                4, through: CommitNumber(position), reading: .everything, in: run.journal)
            #expect(steps.count <= 4 && steps.allSatisfy { $0.record.seq.rawValue <= position })
        }
    }
}

@Suite("Commits that touch a path")
struct TouchedCommitsTests {
    /// The commits of a journal that touch a path, by the state before each.
    private func expected(_ made: ForeignJournal, _ journal: Journal, _ matcher: PathMatcher) throws -> [Int] {
        var reader = journal.records()
        var touched: [Int] = []
        while let line = try reader.next() {
            guard line.kind == .commit else { continue }
            let commit = try line.decode { (object) throws(RecordFault) in try CommitRecord(object) }
            guard case .object(let stores)? = made.states[line.seq.rawValue - 1], var state = stores[commit.store],
                matcher.isTouched(by: commit.patch, of: commit.store, in: &state) == true
            else { continue }
            touched.append(line.seq.rawValue)
        }
        return touched
    }

    @Test("are found wherever one begins to ask, backward too, and in a stream", arguments: seeds(0..<150))
    func agrees(seed: UInt64) throws {
        var made = ForeignJournal(seed: seed)
        made.run(commits: 25)
        let pattern = made.random.pattern(in: made.states[made.seq] ?? .null)
        let matcher = PathMatcher([pattern])
        let folder = TemporaryFolder()
        let journal = try Journal.open(folder.write(made.bytes, to: "run.jsonl"), access: .random)
        let expected = try expected(made, journal, matcher)

        let (seeking, stream) = (TouchedCommits(matcher), TouchedCommits(matcher))
        seeking.follow(journal, nil, recover: false)
        var commits: [OwnedRecord] = []
        var (forward, streamed): ([Int], [Int]) = ([], [])
        var reader = journal.records()
        while let line = try reader.next() {
            stream.read(line)
            guard line.kind == .commit else { continue }
            commits.append(line.owned())
            if seeking.contains(try Record(line)) { forward.append(line.seq.rawValue) }
            if stream.contains(try Record(line)) { streamed.append(line.seq.rawValue) }
        }
        #expect(forward == expected, "seed \(seed), \(pattern.text)")
        #expect(streamed == expected, "seed \(seed), \(pattern.text)")

        let lower = CommitNumber(made.states.keys.sorted()[made.random.below(made.states.count)])
        let range = try #require(PositionRange(lower, try journal.lastCommit))
        let backward = TouchedCommits(matcher)
        backward.follow(journal, range, recover: false)
        let later = try commits.reversed().filter { try $0.seq > lower && backward.contains(try Record($0)) }
        #expect(
            later.map(\.seq.rawValue).reversed() == expected.filter { $0 > lower.rawValue },
            "seed \(seed), \(pattern.text), from \(lower)")
    }
}
