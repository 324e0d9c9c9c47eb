import Foundation
import TestSupport
import Testing

/// What goes wrong with journals, arguments and outputs: the right status, and a message that says what, where and what to do.
struct BadInputTests {
    /// One thing that goes wrong.
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let arguments: [String]
        let status: Int32
        /// What the message must hold, in parts.
        let says: [String]
        /// Makes the file `bad.jsonl` of the checkout's lines.
        var damage: @Sendable ([Data]) -> Data = { Data($0.joined(separator: [10])) }

        var testDescription: String { name }
    }

    private static let unreadableCases: [Case] = [
        Case(name: "no such file", arguments: ["info", "nowhere.jsonl"], status: 3, says: ["no file 'nowhere.jsonl'"]),
        Case(name: "a directory", arguments: ["log", "."], status: 3, says: ["'.' is a directory", "help:"]),
        Case(
            name: "an empty file", arguments: ["log", "bad.jsonl"], status: 3, says: ["'bad.jsonl' is empty", "note:"],
            damage: { _ in Data() }),
        Case(
            name: "no journal", arguments: ["state", "bad.jsonl"], status: 3,
            says: ["'bad.jsonl' is not a journal", " --> bad.jsonl:1", "not JSON", "help:"],
            damage: { _ in Data("hello, world\n".utf8) }),
        Case(
            name: "JSON that is no journal", arguments: ["bisect", "bad.jsonl", "--bad", "false"], status: 3,
            says: ["'bad.jsonl' is not a journal", "no integer 'seq'"], damage: { _ in Data("{\"a\":1}\n".utf8) }),
        Case(
            name: "a newer version", arguments: ["info", "bad.jsonl"], status: 3,
            says: ["is of version 2, this program reads version 1", "bad.jsonl:1", "newer state-inspect"],
            damage: { edited($0, line: 0, "\"version\":1", "\"version\":2") }),
        Case(
            name: "bytes of damage in the middle", arguments: ["replay", "bad.jsonl"], status: 3,
            says: ["not JSON", "'bad.jsonl'", " --> bad.jsonl:61", "byte ", "help:"],
            damage: { lines in replaced(lines, line: 60, Data("\u{1}\u{2}damage\u{3}".utf8)) }),
        Case(
            name: "zeros in the middle", arguments: ["bisect", "bad.jsonl", "--bad", ".cart.total < 0"], status: 3,
            says: ["zero", " --> bad.jsonl:61"],
            damage: { lines in replaced(lines, line: 60, Data(repeating: 0, count: 64)) }),
        Case(
            name: "a line cut in the middle of the file", arguments: ["derived", "bad.jsonl"], status: 3,
            says: ["not JSON", " --> bad.jsonl:61"],
            damage: { lines in replaced(lines, line: 60, lines[60].prefix(lines[60].count / 2)) }),
        Case(
            name: "a number that jumps", arguments: ["log", "bad.jsonl"], status: 3,
            says: ["do not count up", "should be", " --> bad.jsonl:"],
            damage: { lines in
                Data(lines.filter { !$0.starts(with: Data(#"{"seq":50,"#.utf8)) }.joined(separator: [10]))
            }),
        Case(
            name: "a patch that does not apply", arguments: ["replay", "bad.jsonl"], status: 3,
            says: ["patch of commit 50 does not apply", " --> bad.jsonl:", "/nowhere"],
            damage: { lines in
                let line = lines.firstIndex { isCommit($0, 50) } ?? 0
                let text = String(decoding: lines[line], as: UTF8.self)
                let head = text.range(of: "\"patch\":").map { text[..<$0.lowerBound] } ?? ""
                return replaced(lines, line: line, Data((head + #""patch":[{"op":"remove","path":"/nowhere"}]}"#).utf8))
            }),
    ]

    private static let checkout = BuiltProducts.sample("checkout.jsonl")

    private static let notThereCases: [Case] = [
        Case(
            name: "a position past the end", arguments: ["state", checkout, "--at", "90000"], status: 4,
            says: ["position '90000' is past the end", "it holds commits 0 to", "help:"]),
        Case(name: "no commit 0", arguments: ["show", checkout, "0"], status: 4, says: ["no commit '0'"]),
        Case(
            name: "a store that is not there", arguments: ["state", checkout, "--store", "crat"], status: 4,
            says: ["no store 'crat'", "'cart'"]),
        Case(
            name: "a mark that is not there", arguments: ["state", checkout, "--at", "mark:no such text"], status: 4,
            says: ["no such text"]),
    ]

    private static let usageCases: [Case] = [
        Case(
            name: "a query that does not parse", arguments: ["bisect", checkout, "--bad", "(.cart.total < 0"],
            status: 2,
            says: ["'('", "never closed", "(.cart.total < 0", "^"]),
        Case(name: "no condition", arguments: ["bisect", checkout], status: 2, says: ["--bad"]),
        Case(
            name: "two conditions", arguments: ["bisect", checkout, "--bad", "true", "--good", "true"], status: 2,
            says: ["--bad", "--good"]),
        Case(
            name: "an unknown option", arguments: ["log", checkout, "--revers"], status: 2,
            says: ["'--revers'", "--reverse"]),
        Case(name: "an unknown command", arguments: ["bisekt", checkout], status: 2, says: ["'bisekt'", "bisect"]),
        Case(name: "no journal", arguments: ["state"], status: 2, says: ["JOURNAL"]),
        Case(name: "no arguments", arguments: [], status: 2, says: ["state-inspect"]),
        Case(
            name: "a position that is none", arguments: ["state", checkout, "--at", "yesterday"], status: 2,
            says: ["yesterday"]),
        Case(
            name: "a program that does not exist", arguments: ["bisect", checkout, "--run", "no-such-program"],
            status: 2,
            says: ["no-such-program"]),
        Case(
            name: "a program that is killed", arguments: ["bisect", checkout, "--run", "sh", "-c", "kill -9 $$"],
            status: 5,
            says: ["signal 9"]),
        Case(
            name: "a program that aborts", arguments: ["bisect", checkout, "--run", "sh", "-c", "exit 130"], status: 5,
            says: ["130"]),
    ]

    @Test("a journal that cannot be read is status 3", arguments: unreadableCases)
    func unreadable(_ problem: Case) async throws { try await expect(problem) }

    @Test("what is not in the journal is status 4", arguments: notThereCases)
    func notThere(_ problem: Case) async throws { try await expect(problem) }

    @Test(
        "a command line that cannot be understood is status 2, a program that ends the search status 5",
        arguments: usageCases)
    func usage(_ problem: Case) async throws { try await expect(problem) }

    private func expect(_ problem: Case) async throws {
        let folder = TemporaryFolder()
        try folder.write(problem.damage(Self.lines()), to: "bad.jsonl")
        let run = try await ProgramRun.of(BuiltProducts.stateInspect, problem.arguments, in: folder)
        #expect(run.status == problem.status, "\(run)")
        for part in problem.says { #expect(run.errors.contains(part), "should say \(part): \(run)") }
        #expect(!run.errors.contains("Fatal error"), "\(run)")
    }

    @Test("a line that is cut at the end is a warning with its line and byte, and the answer stands")
    func tornTail() async throws {
        let folder = TemporaryFolder()
        let data = Data(try Self.lines().joined(separator: [10]))
        let path = folder.write(data.dropLast(20), to: "torn.jsonl")
        let run = try await ProgramRun.inspect("log", path, in: folder)
        #expect(run.status == 0, "\(run)")
        #expect(run.lines.count == 412, "\(run)")
        for part in ["warning", "is incomplete", " --> \(path):", "byte ", "help:"] {
            #expect(run.errors.contains(part), "should say \(part): \(run)")
        }
    }

    @Test(
        "an output that cannot be written is status 3",
        arguments: ["info", "log", "state", "replay", "derived", "--help"])
    func fullDevice(command: String) async throws {
        guard FileManager.default.fileExists(atPath: "/dev/full") else { return }
        let folder = TemporaryFolder()
        let arguments = command == "--help" ? [command] : [command, Self.checkout]
        let run = try await ProgramRun.of(BuiltProducts.stateInspect, arguments, in: folder, output: "/dev/full")
        #expect(run.status == 3, "\(run)")
        #expect(run.errors.contains("no space left"), "\(run)")
    }

    static func lines() throws -> [Data] {
        try Data(contentsOf: BuiltProducts.samples.appendingPathComponent("checkout.jsonl"))
            .split(separator: 10, omittingEmptySubsequences: false)
    }

    private static func isCommit(_ line: Data, _ number: Int) -> Bool {
        line.starts(with: Data(#"{"seq":\#(number),"kind":"commit""#.utf8))
    }

    private static func replaced(_ lines: [Data], line: Int, _ text: Data) -> Data {
        Data((lines[..<line] + [text] + lines[(line + 1)...]).joined(separator: [10]))
    }

    private static func edited(_ lines: [Data], line: Int, _ text: String, _ other: String) -> Data {
        let edited = String(decoding: lines[line], as: UTF8.self).replacingOccurrences(of: text, with: other)
        return replaced(lines, line: line, Data(edited.utf8))
    }
}
