import Foundation
import StateStore
import TestSupport
import Testing

/// What the README shows is what happens.
struct ReadmeTests {
    private static let readme = (try? text("README.md")) ?? ""
    private static let needsJQ: [String] = ["| jq", "--run jq", "jq "]

    private static func text(_ name: String) throws -> String {
        try String(contentsOf: SharedFolder.packageRoot.appendingPathComponent(name), encoding: .utf8)
    }

    @Test(
        "each command of the README and of the tutorial prints what stands below it",
        arguments: [("README.md", .markdown), ("man/state-inspect-tutorial.7", .manual)]
            as [(String, ConsoleExamples.Form)])
    func examples(name: String, form: ConsoleExamples.Form) async throws {
        let document = ConsoleExamples(try Self.text(name), form)
        #expect(document.all.count > 5)
        let shell = try ExampleShell()
        if ProcessInfo.processInfo.environment["RECORD_EXAMPLES"] != nil {
            let text = try await document.document { try await shell.run($0.command).printed }
            try text.write(
                to: SharedFolder.packageRoot.appendingPathComponent(name), atomically: true, encoding: .utf8)
            Issue.record("\(name) was recorded anew; run the tests again without RECORD_EXAMPLES")
            return
        }
        let hasJQ = ProgramRun.isThere("jq", "--version")
        for example in document.all where hasJQ || !Self.needsJQ.contains(where: example.command.contains) {
            let printed = try await shell.run(example.command).printed
            #expect(
                printed == example.printed,
                "$ \(example.command)\n\(printed)\n(RECORD_EXAMPLES=1 swift test --filter ReadmeTests records them anew)"
            )
        }
    }

    @Test("the README is read in a few minutes, and each file that it names is there")
    func size() throws {
        #expect(Self.readme.split(whereSeparator: \.isWhitespace).count <= 1_800)
        for link in Self.readme.matches(of: #/\]\(([^)#]+)\)/#) {
            let path = SharedFolder.packageRoot.appendingPathComponent(String(link.1)).path
            #expect(FileManager.default.fileExists(atPath: path), "\(link.1)")
        }
    }

    @Test("the Swift of the README stands in files that compile")
    func snippet() throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let compiled = try ["ReadmeExample.swift", "ReadmeTestExample.swift"].map { name in
            try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
        }
        let blocks = Self.readme.components(separatedBy: "```swift\n").dropFirst()
            .compactMap { $0.components(separatedBy: "```").first }
        #expect(!blocks.isEmpty)
        for block in blocks {
            #expect(compiled.contains { $0.contains(block) }, "no Readme…Example.swift holds\n\(block)")
        }
    }

    @Test("the README's program records what it says")
    func recording() async throws {
        let folder = TemporaryFolder()
        let shown = Locked<[String]>([])
        try recordExample(to: folder.path("run.jsonl")) { label in shown.modify { $0.append(label) } }
        #expect(shown.wrappedValue == ["0 for € 0", "1 for € 20"])
        let run = try await ProgramRun.inspect("replay", "--final", folder.path("run.jsonl"), in: folder)
        #expect(run.status == 0, "\(run)")
        #expect(run.text.contains(#""value":{"cart":{"items":["teapot"],"price":20}}"#), "\(run)")
    }
}

/// The commands that the manual shows as examples.
struct ManualTests {
    /// A page as it is shown, line by line, as far as examples need it.
    private static func lines(_ page: String) throws -> [String] {
        let url = SharedFolder.packageRoot.appendingPathComponent("man/" + page)
        return try String(contentsOf: url, encoding: .utf8).replacing("\\(dq", with: "\"").replacing("\\e", with: "\\")
            .split(separator: "\n").map(String.init)
    }

    /// The blocks of literal lines of a page that are indented; others are recipes and outputs, which have tests of their own.
    private static func blocks(_ lines: [String], _ start: String = ".Bd -literal -offset indent") -> [String] {
        lines.split { $0 == ".Ed" }.compactMap { part in
            part.lastIndex { $0 == start }.map { part[($0 + 1)...].joined(separator: "\n") }
        }
    }

    /// Carries out a command line in a folder with the samples and what the pages take for given.
    private static func run(_ line: String) async throws -> ProgramRun {
        let folder = TemporaryFolder()
        try folder.copySamples()
        let bin = (BuiltProducts.stateInspect as NSString).deletingLastPathComponent
        let given = #"""
            cp samples/checkout.jsonl run.jsonl
            echo '{"amount":1}' > events.jsonl
            for n in 1 2; do
              echo '{"tag":"trace","ts":1,"caller":"a:1","event":{"nid":"1","name":"e","role":"r'$n'","state":{}}}'
            done > trace.ndjson

            """#
        return try await ProgramRun.of(
            "/bin/sh", ["-c", given + line], in: folder,
            environment: ["PATH": bin + ":" + (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")])
    }

    @Test(
        "each example of a page has an answer, and nothing to complain of",
        arguments: ["", "-debug", "-import", "-report"].map { "state-inspect\($0).1" })
    func examples(_ page: String) async throws {
        let lines = try Self.lines(page)
        let commands =
            lines.filter { $0.hasPrefix(".Dl ") }.map { String($0.dropFirst(4)) }
            + Self.blocks(lines).filter { $0.hasPrefix("state-inspect ") || $0.hasPrefix("for ") }
        #expect(commands.count >= 2)
        let hasJQ = ProgramRun.isThere("jq", "--version")
        for command in commands where hasJQ || !command.contains("--run jq") {
            #expect(command.contains("state-inspect "))
            let run = try await Self.run(command)
            #expect(run.status == (command.contains(" diff ") ? 1 : 0), "\(run)")
            #expect(!run.output.isEmpty || command.contains(" check ") || command.contains(" -o "), "\(run)")
            let saysNothing = !command.contains("--run") && !command.contains("import") && !command.contains("report")
            #expect(!run.errors.contains("error:") && (run.errors.isEmpty || !saysNothing), "\(run)")
        }
    }

    @Test("the journal of the page on journals is whole, and its example for jq prints the place")
    func journal() async throws {
        let lines = try Self.lines("state-journal.5")
        let shown = try #require(Self.blocks(lines, ".Bd -literal").first { $0.contains(#""kind":"commit""#) })
        let journal = shown.replacing("\\\n", with: "")
        let folder = TemporaryFolder()
        let path = folder.write(journal + "\n", to: "run.jsonl")
        let verified = try await ProgramRun.inspect("verify", path, in: folder)
        #expect(verified.status == 0, "\(verified)")
        guard ProgramRun.isThere("jq", "--version") else { return }
        let command = try #require(lines.first { $0.hasPrefix(".Dl jq ") }).dropFirst(4)
        let run = try await ProgramRun.of("/bin/sh", ["-c", String(command)], in: folder)
        #expect(run.lines.count == 1 && run.text.contains(#""line":42"#), "\(run)")
    }
}
