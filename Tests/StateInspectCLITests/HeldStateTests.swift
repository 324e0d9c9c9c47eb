import TestSupport
import Testing

@testable import StateInspectCLI

/// What holds no state while a run goes on answers as what does.
@Suite("Answers that hold no states")
struct HeldStateTests {
    private func journal(_ seed: UInt64, in folder: TemporaryFolder) -> String {
        let maker = JournalMaker(
            seed: seed, foreign: seed % 3 == 2, commits: 50, keyframeEvery: 12, gaps: seed % 2 == 0)
        return folder.write(maker.bytes, to: "run.jsonl")
    }

    @Test("patches are exported as they are where states are compared", arguments: seeds(0..<24))
    func patches(seed: UInt64) {
        let folder = TemporaryFolder()
        let path = journal(seed, in: folder)
        for range in [[], ["--range", "7..30"], ["-n", "9"]] {
            let words = ["export", "json-patch", path] + range
            let direct = ProgramRun(words)
            // With '--recover' each patch is applied, and what it leads to is compared.
            let compared = ProgramRun(words + ["--recover"])
            // A range may begin in a gap.
            let isThere = !direct.output.isEmpty || direct.status == ExitStatus.notThere.rawValue
            #expect(isThere && direct.output == compared.output, "seed \(seed)\n\(direct)\n\(compared)")
            #expect(direct.status == compared.status, "seed \(seed)")
        }
    }
}
