import Foundation
import TestSupport
import Testing

/// What goes wrong ends the process with its status; which one, and its words, are tested in `StateInspectCLITests`.
struct BadInputTests {
    private static let checkout = BuiltProducts.sample("checkout.jsonl")

    @Test(
        "the status of what went wrong is the one that the process ends with",
        arguments: [
            (["diff", checkout, "117", "118"], 1, ""), (["bisekt", checkout], 2, "write 'bisect'"),
            (["info", "nowhere.jsonl"], 3, "no file 'nowhere.jsonl'"),
            (["state", checkout, "--at", "90000"], 4, "'90000' is past the end"),
            (["bisect", checkout, "--run", "sh", "-c", "kill -9 $$"], 5, "signal 9"),
        ] as [([String], Int32, String)])
    func status(arguments: [String], status: Int32, says: String) async throws {
        let run = try await ProgramRun.of(BuiltProducts.stateInspect, arguments, in: TemporaryFolder())
        #expect(run.status == status && (says.isEmpty || run.errors.contains(says)), "\(run)")
    }

    @Test(
        "an output that cannot be written is status 3",
        arguments: ["info", "log", "state", "replay", "derived", "--help", "slice", "merge", "redact", "minimize"])
    func fullDevice(command: String) async throws {
        guard FileManager.default.fileExists(atPath: "/dev/full") else { return }
        let options = [
            "slice": ["1..9"], "redact": ["--path", "/cart"], "minimize": ["--bad", ".cart.total < 0"],
        ]
        let arguments = command == "--help" ? [command] : [command, Self.checkout] + (options[command] ?? [])
        let run = try await ProgramRun.of(
            BuiltProducts.stateInspect, arguments, in: TemporaryFolder(), output: "/dev/full")
        #expect(run.status == 3 && run.errors.contains("no space left"), "\(run)")
    }
}
