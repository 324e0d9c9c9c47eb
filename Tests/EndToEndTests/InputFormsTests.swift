import Foundation
import TestSupport
import Testing

/// A journal from standard input, and packed ones: the answers are those of the file.
struct InputFormsTests {
    private let folder = TemporaryFolder()
    private static let commands: [[String]] = [
        ["info"], ["log", "-n", "3"], ["log", "--reverse", "-n", "3"], ["show", "118"], ["state", "--at", "117"],
        ["replay", "--select", ".cart.total", "--changed"], ["diff", "10", "200", "--stat"],
        ["bisect", "--bad", ".cart.total < 0"], ["bisect", "--monotone", "--bad", ".cart.total < 0"],
        ["derived", "--summary"], ["verify"],
    ]

    @Test("standard input", arguments: commands)
    func standardInput(command: [String]) async throws {
        let data = try Data(contentsOf: BuiltProducts.samples.appendingPathComponent("checkout.jsonl"))
        try await expectSame(command, "-", input: data, in: folder)
    }

    @Test("gzip", .enabled("gzip is not there") { ProgramRun.isThere("gzip", "--version") }, arguments: commands)
    func gzip(command: [String]) async throws {
        try await expectSame(command, try await packed("gzip", in: folder), in: folder)
    }

    @Test("zstd", .enabled("zstd is not there") { ProgramRun.isThere("zstd", "--version") })
    func zstd() async throws {
        let path = try await packed("zstd", in: folder)
        for command in Self.commands { try await expectSame(command, path, in: folder) }
    }

    @Test("gzip on standard input", .enabled("gzip is not there") { ProgramRun.isThere("gzip", "--version") })
    func gzipOnStandardInput() async throws {
        let data = try Data(contentsOf: URL(fileURLWithPath: try await packed("gzip", in: folder)))
        try await expectSame(["replay", "--final"], "-", input: data, in: folder)
    }

    private static let violated = ["--invariant", "a=.cart.total >= 0"]
    /// Commands that look at a journal again for what an answer says besides.
    private static let secondLooks: [[String]] =
        [
            [], ["--format", "human"], ["--format", "junit"], ["--format", "sarif"], ["--format", "github"],
            ["--format", "markdown"], ["--counts"], ["--cite"],
        ].map { ["check"] + violated + $0 } + [
            ["check", BuiltProducts.sample("checkout-good.jsonl"), "--jobs", "2"] + violated,
            ["log", "--cite", "-n", "2"],
            ["bisect", "--bad", ".cart.total < 0", "--format", "human"], ["suspects", "--bad", ".cart.total < 0"],
            ["merge"], ["minimize", "--bad", ".cart.total < 0"], ["report", "-o", "-"] + violated,
            ["diff", BuiltProducts.sample("checkout-good.jsonl"), "--format", "human", "--cite"],
            ["state", "--select", ".cart"],
        ]

    /// A second reader of a named pipe would wait for a second writer, and one of `<(…)` would find it empty.
    @Test("a pipe with a name is read once, whatever looks at it again", arguments: secondLooks)
    func namedPipe(command: [String]) async throws {
        let file = BuiltProducts.sample("checkout.jsonl")
        func run(_ script: String) async throws -> ProgramRun {
            let rest = command.dropFirst().map { "'\($0)'" }.joined(separator: " ")
            let words = "\(command[0]) \"$journal\" \(rest)"
            return try await ProgramRun.of(
                "bash", ["-c", script + "; '\(BuiltProducts.stateInspect)' \(words)"], in: folder)
        }
        let plain = try await run("journal='\(file)'")
        let pipe = try await run("mkfifo run-of-a-pipe; cat '\(file)' > run-of-a-pipe & journal=run-of-a-pipe")
        #expect(pipe.status == plain.status, "\(plain)\(pipe)")
        #expect(answers(pipe.text, "run-of-a-pipe") == answers(plain.text, file), "\(plain)\(pipe)")
    }

    /// What is said of the run: without how the journal is called, and what to type next, which no pipe can answer.
    private func answers(_ text: String, _ journal: String) -> [Substring] {
        withoutLength(text).replacing(#/,?"cite":"[^"]*"|"?(\\n)?look further.*/#, with: "")
            .replacing(journal, with: "JOURNAL").split(separator: "\n")
            .filter { line in !["state-inspect ", "cite: ", "::", "```", "id=\"about\""].contains { line.contains($0) }
            }
    }

    @Test("a pipe needs no command", arguments: ["<(cat run.jsonl)", "/dev/stdin", "-"])
    func pipeAlone(journal: String) async throws {
        _ = folder.write(
            try Data(contentsOf: BuiltProducts.samples.appendingPathComponent("checkout.jsonl")), to: "run.jsonl")
        let program = BuiltProducts.stateInspect
        let pipe = try await ProgramRun.of("bash", ["-c", "cat run.jsonl | '\(program)' \(journal)"], in: folder)
        let plain = try await ProgramRun.inspect("run.jsonl", in: folder)
        #expect(pipe.status == 0 && withoutLength(pipe.text) == withoutLength(plain.text), "\(pipe)\(plain)")
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
        text.replacing(/"bytes":(\d+|null)/, with: "\"bytes\":0").replacing(/"journal":"[^"]*",/, with: "")
    }
}
