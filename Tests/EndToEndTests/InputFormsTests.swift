import Foundation
import TestSupport
import Testing

/// A journal from standard input, and packed ones: the answers are those of the file.
struct InputFormsTests {
    private static let commands: [[String]] = [
        ["info"], ["log", "-n", "3"], ["log", "--reverse", "-n", "3"], ["show", "118"], ["state", "--at", "117"],
        ["replay", "--select", ".cart.total", "--changed"], ["diff", "10", "200", "--stat"],
        ["bisect", "--bad", ".cart.total < 0"], ["bisect", "--monotone", "--bad", ".cart.total < 0"],
        ["derived", "--summary"], ["verify"],
    ]

    @Test("standard input", arguments: commands)
    func standardInput(command: [String]) async throws {
        let folder = TemporaryFolder()
        let data = try Data(contentsOf: BuiltProducts.samples.appendingPathComponent("checkout.jsonl"))
        try await expectSame(command, "-", input: data, in: folder)
    }

    @Test("gzip", .enabled("gzip is not there") { ProgramRun.isThere("gzip", "--version") }, arguments: commands)
    func gzip(command: [String]) async throws {
        let folder = TemporaryFolder()
        try await expectSame(command, try await packed("gzip", in: folder), in: folder)
    }

    @Test("zstd", .enabled("zstd is not there") { ProgramRun.isThere("zstd", "--version") })
    func zstd() async throws {
        let folder = TemporaryFolder()
        let path = try await packed("zstd", in: folder)
        for command in Self.commands { try await expectSame(command, path, in: folder) }
    }

    @Test("gzip on standard input", .enabled("gzip is not there") { ProgramRun.isThere("gzip", "--version") })
    func gzipOnStandardInput() async throws {
        let folder = TemporaryFolder()
        let data = try Data(contentsOf: URL(fileURLWithPath: try await packed("gzip", in: folder)))
        try await expectSame(["replay", "--final"], "-", input: data, in: folder)
    }

    private func packed(_ program: String, in folder: TemporaryFolder) async throws -> String {
        let run = try await ProgramRun.of(program, ["-c", BuiltProducts.sample("checkout.jsonl")], in: folder)
        #expect(run.status == 0, "\(run)")
        return folder.write(run.output, to: "packed.jsonl")
    }

    /// The answer about another form of the checkout is that about the file, but for how it is called and its length.
    private func expectSame(
        _ command: [String], _ path: String, input: Data = Data(), in folder: TemporaryFolder
    ) async throws {
        let rest = Array(command.dropFirst())
        let file = try await ProgramRun.of(
            BuiltProducts.stateInspect, [command[0], BuiltProducts.sample("checkout.jsonl")] + rest, in: folder)
        let other = try await ProgramRun.of(
            BuiltProducts.stateInspect, [command[0], path] + rest, in: folder, input: input)
        #expect(file.status == other.status, "\(file)\(other)")
        #expect(withoutLength(file.text) == withoutLength(other.text), "\(file)\(other)")
        #expect(other.errors.isEmpty, "\(other)")
    }

    private func withoutLength(_ text: String) -> String {
        text.replacing(/"bytes":(\d+|null)/, with: "\"bytes\":0")
    }
}
