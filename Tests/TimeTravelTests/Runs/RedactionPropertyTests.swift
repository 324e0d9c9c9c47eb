import Foundation
import JSONCore
import JournalFormat
import JournalReading
import TestSupport
import Testing

@testable import TimeTravel

@Suite("Any journal without some values")
struct RedactionPropertyTests {
    /// Paths that hit something, by name, by number and by wildcards.
    private func paths(_ journal: inout ForeignJournal) -> [PathSteps] {
        let states = journal.states.values.map { $0 }.sorted { $0.text() < $1.text() }
        return (0..<(1 + journal.random.below(2))).map { _ in
            journal.random.pattern(in: states[journal.random.below(states.count)])
        }
    }

    @Test(
        "no byte of a secret is left, the result verifies, and every state is the one it was but for what was redacted",
        arguments: seeds(0..<200))
    func holds(seed: UInt64) throws {
        var made = ForeignJournal(seed: seed)
        made.run(commits: 25)
        let steps = paths(&made)
        let folder = TemporaryFolder()
        let journal = try Journal.open(folder.write(made.bytes, to: "run.jsonl"), access: .random)
        #expect(try RunFixtures.problems(of: journal) == [], "seed \(seed)")
        let expected = try RedactionExpectation(journal, steps, states: made.states)
        var redaction = try JournalRedaction(journal, steps, key: RedactionExpectation.key)
        let bytes = try RunFixtures.bytes { _ = try redaction.write(to: $0) }
        _ = SecretSearch(expected.secrets).search(bytes, firstLine: 1) { found in
            Issue.record("seed \(seed), \(steps): \(expected.secrets[found.secret]) is left, \(found)")
        }
        let redacted = try Journal.open(folder.write(bytes, to: "redacted.jsonl"), access: .random)
        #expect(try RunFixtures.problems(of: redacted) == [], "seed \(seed), \(steps)")
        for (position, state) in made.states {
            #expect(
                try redacted.state(at: CommitNumber(position)).value == expected.state(state),
                "seed \(seed), \(steps), position \(position)")
        }
    }
}
