import TestSupport
import Testing

@Suite("From a question to the guilty line")
struct AgentRunTests {
    @Test("every eighth of the forty runs is played, asked and held against the targets")
    func quick() async throws {
        let run = try await ProgramRun.of(BuiltProducts.agents, ["--quick"], in: TemporaryFolder())
        #expect(run.status == 0, "\(run)")
        // Once with the failing run alone, once with those beside it; at least three of four lines are reached.
        let reached = run.text.matches(of: /the (\d) reached \| (\d) \|/)
        #expect(reached.count == 2 && run.text.matches(of: /all 5 \|/).count == 2, "\(run)")
        #expect(reached.allSatisfy { Int($0.1)! >= 4 && Int($0.2)! >= 2 }, "\(run)")
    }
}
