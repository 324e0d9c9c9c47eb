import Foundation
import Testing

/// Random journals and random command lines, each answer held against that of a plain interpreter.
///
/// Runs where `STATE_INSPECT_REFERENCE_PAIRS` says how many pairs are drawn. `STATE_INSPECT_REFERENCE_SEED` says from which
/// journal on; `STATE_INSPECT_REFERENCE_TRACE` names a file that has the last question, for what a trap or a hang leaves.
@Suite(
    "The command held against a plain interpreter", .serialized,
    .enabled(if: ProcessInfo.processInfo.environment["STATE_INSPECT_REFERENCE_PAIRS"] != nil))
struct ReferenceTests {
    private static func setting(_ name: String, _ standard: UInt64) -> UInt64 {
        ProcessInfo.processInfo.environment["STATE_INSPECT_REFERENCE_" + name].flatMap { UInt64($0) } ?? standard
    }

    private func expectAgreement(_ comparison: ReferenceComparison) {
        for difference in comparison.differences { Issue.record("\(difference)") }
        #expect(comparison.differing == 0)
    }

    @Test("answers are those of whole states", arguments: ReferenceComparison.World.allCases)
    func answers(_ world: ReferenceComparison.World) {
        var comparison = ReferenceComparison(Question.Command.allCases, world)
        let worlds = UInt64(ReferenceComparison.World.allCases.count)
        comparison.run(from: Self.setting("SEED", 1), pairs: Self.setting("PAIRS", 1_500) / worlds, shown: Int(Self.setting("SHOWN", 5)))
        print(
            "\(world): \(comparison.asked) pairs, \(comparison.unspecified) of them beyond the contract,",
            "\(comparison.rephrased) asked in another way too")
        expectAgreement(comparison)
    }

    /// Journals about which a command's answer was wrong once.
    private static let kept: [(command: Question.Command, world: ReferenceComparison.World, seed: UInt64)] = [
        (.replay, .own, 2), (.bisect, .own, 1), (.bisect, .own, 2), (.redact, .own, 10), (.replay, .foreign, 2),
        (.log, .foreign, 2), (.log, .foreign, 17), (.history, .foreign, 203), (.derived, .foreign, 7),
        (.redact, .foreign, 5), (.redact, .foreign, 9), (.stats, .foreign, 6), (.minimize, .foreign, 1),
        (.log, .gaps, 25), (.info, .gaps, 2), (.bisect, .gaps, 201),
    ]

    @Test("answers that were wrong once are right")
    func keptSeeds() {
        for (command, world, seed) in Self.kept {
            var comparison = ReferenceComparison([command], world)
            comparison.run(from: seed, pairs: 1, shown: 1)
            expectAgreement(comparison)
        }
    }
}
