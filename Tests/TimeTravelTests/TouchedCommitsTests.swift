import JSONCore
import JournalFormat
import JournalReading
import TestSupport
import Testing

@testable import TimeTravel

@Suite("Commits that touch a path")
struct TouchedCommitsTests {
    /// The commits of a journal that touch a path, by the state before each.
    private func expected(_ made: ForeignJournal, _ journal: Journal, _ matcher: PathMatcher) throws -> [Int] {
        var reader = journal.records()
        var touched: [Int] = []
        while let line = try reader.next() {
            guard line.kind == .commit else { continue }
            let commit = try line.decode { (object) throws(RecordFault) in try CommitRecord(object) }
            guard case .object(let stores)? = made.states[line.seq.rawValue - 1], let state = stores[commit.store],
                matcher.isTouched(by: commit.patch, of: commit.store, in: state) == true
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
