import TestSupport
import Testing

@testable import StateInspectCLI

/// What holds no state while a run goes on answers as what does.
@Suite("Answers that hold no states")
struct HeldStateTests {
    private func journal(_ seed: UInt64, in folder: TemporaryFolder) -> String {
        var maker = JournalMaker(seed: seed, foreign: seed % 3 == 2)
        maker.run(commits: 50, keyframeEvery: 12, gaps: seed % 2 == 0)
        maker.end()
        return folder.write(maker.bytes, to: "run.jsonl")
    }

    @Test("the last line of a run without some commits is what '--final' prints of it", arguments: seeds(0..<24))
    func final(seed: UInt64) {
        let folder = TemporaryFolder()
        let path = journal(seed, in: folder)
        for without in ["2", "1..9", "40..50", "50"] {
            for asked in [
                [], ["--select", "length"], ["--select", ".[] | .a"], ["--select", "$old | length"],
                ["--where", "length == 2"], ["--changed", "--select", "length"],
            ] {
                let words = ["replay", path, "--without", without] + asked
                let lines = ProgramRun(words).output.split(separator: "\n").filter { $0.contains(#""kind":"state""#) }
                let final = ProgramRun(words + ["--final"])
                guard let last = lines.last else { continue }
                let found = final.output.split(separator: "\n").filter { $0.contains(#""kind":"state""#) }
                #expect(found == [last], "seed \(seed): \(words)\n\(final)")
            }
        }
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
