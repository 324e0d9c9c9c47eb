import Foundation
import TestSupport
import Testing

/// What is read from a pipe that somebody still writes to.
@Suite(.timeLimit(.minutes(1)))
struct StreamTests {
    @Test("lines are printed before the writer of the pipe pauses", arguments: ["", "--format human", "--store cart"])
    func pause(_ options: String) async throws {
        let folder = TemporaryFolder()
        try folder.linkSamples()
        let front = "head -n 400 samples/checkout.jsonl"
        let whole = try await ProgramRun.of(
            "/bin/sh", ["-c", "\(front) | \"$BUILT\" log - \(options)"], in: folder,
            environment: ["BUILT": BuiltProducts.stateInspect])
        let paused = try await ProgramRun.of(
            "/bin/sh", ["-c", "{ \(front); sleep 6; } | timeout 3 \"$BUILT\" log - \(options)"], in: folder,
            environment: ["BUILT": BuiltProducts.stateInspect])
        // For people, columns fit the lines that are known when the first is printed.
        #expect(whole.lines.count > 3 && paused.lines.count == whole.lines.count, "\(paused)")
    }

    @Test("what is merged is printed before the writer of the pipe pauses")
    func mergePause() async throws {
        let folder = TemporaryFolder()
        try folder.linkSamples()
        let run = try await ProgramRun.of(
            "/bin/sh",
            ["-c", "{ head -n 100 samples/checkout.jsonl; sleep 6; } | timeout 3 \"$BUILT\" merge -"], in: folder,
            environment: ["BUILT": BuiltProducts.stateInspect])
        #expect(run.lines.count == 100, "\(run)")
    }
}
