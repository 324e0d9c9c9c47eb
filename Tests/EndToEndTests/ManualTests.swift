import Foundation
import TestSupport
import Testing

/// The commands that the manual shows as examples.
struct ManualTests {
    @Test("each example of the manual has an answer, and nothing to complain of")
    func examples() async throws {
        let page = try String(
            contentsOf: SharedFolder.packageRoot.appendingPathComponent("man/state-inspect.1"), encoding: .utf8)
        let commands = page.split(separator: "\n").filter { $0.hasPrefix(".Dl state-inspect ") }.map { $0.dropFirst(4) }
        #expect(commands.count > 3)
        let hasJQ = ProgramRun.isThere("jq", "--version")
        let folder = TemporaryFolder()
        try folder.copySamples()
        for command in commands where hasJQ || !command.contains("--run jq") {
            let line = "\"$BUILT\"" + command.dropFirst("state-inspect".count)
            let run = try await ProgramRun.of(
                "/bin/sh", ["-c", line], in: folder, environment: ["BUILT": BuiltProducts.stateInspect])
            #expect(run.status == (command.contains(" diff ") ? 1 : 0), "\(run)")
            let saysNothing = command.contains(" verify ") || command.contains(" check ")
            #expect(!run.output.isEmpty || saysNothing, "\(run)")
            let errors = command.contains("--run") ? "" : run.errors
            #expect(errors.isEmpty, "\(run)")
        }
    }
}
