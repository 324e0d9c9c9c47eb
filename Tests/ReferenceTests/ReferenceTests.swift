import Foundation
import TestSupport
import Testing

/// Random journals and random command lines, each answer held against that of a plain interpreter.
///
/// `STATE_INSPECT_SEEDS` says how many journals of each kind are drawn, `STATE_INSPECT_REFERENCE_SEED` which is the first, and
/// `STATE_INSPECT_REFERENCE_SHOWN` how many differences of each kind of journal are told, made as small as can be.
/// `STATE_INSPECT_REFERENCE_WORLD` names one kind of journal where only that one is drawn, and
/// `STATE_INSPECT_REFERENCE_TRACE` names a file that has the last question, for what a trap or a hang leaves.
///
/// `STATE_INSPECT_BEFORE` names an executable of an earlier commit, to which the same journals, broken forms of them and many
/// command lines are put as well: output, messages, status and what is written have to be the same, byte for byte.
/// `MeantDifference` lists what is meant to differ.
@Suite("The command held against a plain interpreter", .serialized)
struct ReferenceTests {
    private static func setting(_ name: String, _ standard: UInt64) -> UInt64 {
        ProcessInfo.processInfo.environment["STATE_INSPECT_REFERENCE_" + name].flatMap { UInt64($0) } ?? standard
    }

    /// The kinds of journals that are drawn: all, but for one that the environment names.
    private static let worlds = ReferenceComparison.World.allCases.filter {
        ProcessInfo.processInfo.environment["STATE_INSPECT_REFERENCE_WORLD"].map($0.rawValue.hasPrefix) ?? true
    }

    @Test("answers are those of whole states", arguments: worlds)
    func answers(_ world: ReferenceComparison.World) {
        var comparison = ReferenceComparison(Question.Command.allCases, world)
        let first = Self.setting("SEED", 1)
        comparison.run(seeds(first..<first + 340), shown: Int(Self.setting("SHOWN", 3)))
        print("\(world): \(comparison.summary)")
        for difference in comparison.differences { Issue.record("\(difference)") }
        #expect(comparison.differing == 0)
    }

    @Test(
        "each leaf is blamed on who wrote it, at every position, alone, and without each of the last commits",
        arguments: worlds.filter { $0 != .damaged })
    func authors(_ world: ReferenceComparison.World) throws {
        let folder = TemporaryFolder()
        for seed in seeds(UInt64(1)..<40) {
            let journal = try #require(DrawnJournal(ReferenceComparison.draft(of: seed, world, commits: 40).0))
            let range = journal.whole.start...journal.whole.end
            func expectAuthors(at position: Int, _ change: (inout Question) -> Void) {
                var question = Question(command: .blame)
                question.positions = [.number(position)]
                change(&question)
                let pair = ReferenceCase(journal, question)
                if let difference = pair.difference(in: folder), KnownDifference.of(pair, difference) == nil {
                    Issue.record("\(world) journal of seed \(seed): \(difference.text)")
                }
            }
            for position in range {
                expectAuthors(at: position) { _ in }
                if position % 4 == 0 { expectAuthors(at: position) { $0.isReverse = true } }
            }
            let last = AuthoredValue(journal.whole.states[range.upperBound] ?? .null, 0)
            for leaf in last.leaves() where !leaf.path.isEmpty {
                expectAuthors(at: range.upperBound) { $0.path = PlainPattern(leaf.path.map { .key($0) }) }
            }
            // What one of the last commits replaced is still there at the end.
            for left in range.dropFirst().suffix(6) { expectAuthors(at: range.upperBound) { $0.ignore = [left] } }
        }
    }

    @Test(
        "answers are those of another program",
        .enabled(if: OtherProgram.ofRun != nil, "STATE_INSPECT_BEFORE names no program of an earlier commit"),
        arguments: worlds)
    func otherProgram(_ world: ReferenceComparison.World) throws {
        let comparison = ProgramComparison(
            world, try #require(OtherProgram.ofRun), shown: Int(Self.setting("SHOWN", 3)))
        let first = Self.setting("SEED", 1)
        try comparison.run(seeds(first..<first + 160))
        print("\(world): \(comparison.summary)")
        for difference in comparison.differences { Issue.record("\(difference)") }
    }

    @Test("answers that were wrong once are right", arguments: KeptCase.all)
    func keptCases(_ kept: KeptCase) throws {
        let pair = ReferenceCase(try #require(DrawnJournal(kept.draft)), kept.question, kept.rephrasing)
        if let difference = pair.difference(in: TemporaryFolder()), KnownDifference.of(pair, difference) == nil {
            Issue.record("\(difference.text)")
        }
    }
}
