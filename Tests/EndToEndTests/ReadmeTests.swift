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
