import Interchange
import JSONCore
import JournalFormat
import TestSupport
import Testing
import TimeTravel

@Suite("Journals made of snapshots")
struct SnapshotJournalTests {
    @Test("every snapshot is the state at its position, and the journal verifies", arguments: 0..<20)
    func replays(seed: UInt64) throws {
        var values = RandomJSON(seed: seed)
        var snapshots: [JSONValue] = []
        var made = SnapshotJournal(id: "x", file: "log.jsonl", time: Timestamp(microseconds: 0))
        for line in 1...60 {
            let state = values.state()
            snapshots.append(state)
            // Padded, so that keyframes come.
            let padded = JSONValue.object(["pad": .string(String(repeating: "x", count: 4_000)), "state": state])
            try Array(padded.text(.pretty(indent: 2)).utf8).withUnsafeBytes { try made.add($0, line: line) }
        }
        made.finish()
        let folder = TemporaryFolder()
        let journal = try Journal.open(folder.write(made.lines.bytes, to: "run.jsonl"), access: .random)
        for (position, snapshot) in snapshots.enumerated() {
            let state = try journal.state(at: CommitNumber(position)).value
            #expect(state.object?["state"]?.object?["state"] == snapshot, "seed \(seed) at \(position)")
        }
        var problems: [VerificationProblem] = []
        _ = try Verification.run(journal) { problems.append($0) }
        #expect(problems == [], "seed \(seed)")
    }

    @Test("a snapshot that is no JSON is refused and leaves the journal as it was")
    func refuses() throws {
        var made = SnapshotJournal(id: "x", file: "log.jsonl", time: Timestamp(microseconds: 0))
        try Array("{}".utf8).withUnsafeBytes { try made.add($0, line: 1) }
        let before = made.lines.bytes
        #expect(throws: JSONError.self) { try Array("{".utf8).withUnsafeBytes { try made.add($0, line: 2) } }
        #expect(made.lines.bytes == before)
    }
}
