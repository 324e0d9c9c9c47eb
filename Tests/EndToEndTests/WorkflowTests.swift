import Foundation
import TestSupport
import Testing

/// The workflow in `samples/ci`, its action and its page: their commands run.
struct WorkflowTests {
    private static let folder = BuiltProducts.samples.appendingPathComponent("ci")

    /// The scripts of the action's steps that run `state-inspect`, by the steps' names.
    private static func scripts() throws -> [(name: String, script: String)] {
        try steps().filter { $0.script.contains("state-inspect check") || $0.script.contains("state-inspect report") }
    }

    /// The scripts of all steps of the action.
    private static func steps() throws -> [(name: String, script: String)] {
        let text = try String(contentsOf: folder.appendingPathComponent("action/action.yml"), encoding: .utf8)
        let steps = text.components(separatedBy: "      - ").dropFirst()
        return steps.compactMap { step in
            guard let run = step.range(of: "        run: ") else { return nil }
            let body = step[run.upperBound...]
            let lines = body.split(separator: "\n", omittingEmptySubsequences: false)
            let script =
                lines.first == "|"
                ? lines.dropFirst().prefix { $0.hasPrefix("          ") }.joined(separator: "\n") : String(lines[0])
            let name = step.hasPrefix("name: ") ? String(step.dropFirst(6).prefix { $0 != "\n" }) : ""
            return (name, script)
        }
    }

    @Test("the workflow gives the action every input that it needs, and no script has an input in its text")
    func inputs() throws {
        func text(_ name: String) throws -> String {
            try String(contentsOf: Self.folder.appendingPathComponent(name), encoding: .utf8)
        }
        let (workflow, action) = (try text("state.yml"), try text("action/action.yml"))
        let names = action.components(separatedBy: "\n").filter { $0.hasPrefix("  ") && !$0.hasPrefix("   ") }
            .prefix { !$0.contains("using") }.map { String($0.dropFirst(2).dropLast()) }
        #expect(names == ["archive", "sha256", "journals", "invariants", "source-root"])
        for name in ["archive", "sha256", "invariants"] { #expect(workflow.contains("          \(name): "), "\(name)") }
        for step in try Self.steps() { #expect(!step.script.contains("${{"), "\(step.name)") }
    }

    @Test("an archive is unpacked where its hash is the one given, and otherwise nothing is")
    func install() async throws {
        let step = try #require(try Self.steps().first { $0.name == "Install state-inspect" })
        let shell = try ExampleShell()
        let make = """
            set -e
            rm -rf made temp path && mkdir -p made/state-inspect-0/bin temp
            cp "$BUILT" made/state-inspect-0/bin/state-inspect
            tar -czf archive.tar.gz -C made state-inspect-0
            export RUNNER_TEMP=$PWD/temp GITHUB_PATH=$PWD/path ARCHIVE=archive.tar.gz

            """
        let hash = "export SHA256=$(sha256sum archive.tar.gz | cut -d ' ' -f 1)\n"
        let good = try await shell.run(
            make + hash + "(\n" + step.script + "\n)\n\"$(cat path)/state-inspect\" --version")
        #expect(good.status == 0 && good.printed.hasPrefix("state-inspect "), "\(good)")
        let bad = try await shell.run(
            make + "export SHA256=\(String(repeating: "0", count: 64))\n(\nset -e\n" + step.script
                + "\n) || true\nls temp/state-inspect")
        #expect(bad.printed.hasSuffix("archive.tar.gz") && !bad.printed.contains("bin"), "\(bad)")
    }

    @Test(
        "the workflow's steps annotate, write the reports, and fail where an invariant is violated",
        arguments: [("checkout-good.jsonl", 0), ("checkout.jsonl", 1)] as [(String, Int32)])
    func steps(journal: String, status: Int32) async throws {
        let scripts = try Self.scripts()
        #expect(scripts.count == 5)
        let prepare = """
            set -e
            export JOURNALS=journals INVARIANTS=App/invariants.jq SOURCE_ROOT=.
            mkdir -p journals App
            cp samples/\(journal) journals/a.jsonl
            cp samples/checkout-good.jsonl journals/b.jsonl
            cp samples/invariants.jq App/
            rm -f state.sarif state.xml

            """
        let shell = try ExampleShell()
        let check = try await shell.run(prepare + scripts[0].script)
        #expect(check.status == status, "\(check)")
        #expect(check.printed.contains("::error file=samples/shop/Cart.swift,line=37") == (status == 1), "\(check)")
        for step in scripts.dropFirst() {
            let run = try await shell.run(prepare + step.script)
            #expect(run.status == 0, "\(step.name): \(run)")
            #expect(run.printed.isEmpty || step.name == "Write the page", "\(step.name): \(run)")
        }
        let documents = try await shell.run(
            prepare + "{\n" + scripts.dropFirst().map(\.script).joined(separator: "\n")
                + "\n} 2>/dev/null\ngrep -c '\"ruleId\"' state.sarif || true\ngrep -c '<failure' state.xml || true")
        #expect(documents.printed == (status == 1 ? "2\n2" : "0\n0"), "\(documents)")
    }

    @Test("each command of the page prints what stands below it", .enabled(if: ProgramRun.isThere("jq", "--version")))
    func page() async throws {
        let text = try String(contentsOf: Self.folder.appendingPathComponent("README.md"), encoding: .utf8)
        let shell = try ExampleShell()
        for example in ConsoleExamples(text).all {
            let printed = try await shell.run(example.command).printed
            #expect(printed == example.printed, "$ \(example.command)\n\(printed)")
        }
    }
}
