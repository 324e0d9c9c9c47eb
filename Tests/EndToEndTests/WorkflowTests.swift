import Foundation
import TestSupport
import Testing

/// The workflow in `samples/ci` and its page: their commands run.
@Suite(.timeLimit(.minutes(3)))
struct WorkflowTests {
    private static let folder = BuiltProducts.samples.appendingPathComponent("ci")

    /// The scripts of the steps that run `state-inspect`, by the steps' names.
    private static func scripts() throws -> [(name: String, script: String)] {
        let text = try String(contentsOf: folder.appendingPathComponent("state.yml"), encoding: .utf8)
        let steps = text.components(separatedBy: "      - ").dropFirst()
        return steps.compactMap { step in
            guard let run = step.range(of: "        run: ") else { return nil }
            let body = step[run.upperBound...]
            let lines = body.split(separator: "\n", omittingEmptySubsequences: false)
            let script =
                lines.first == "|"
                ? lines.dropFirst().prefix { $0.hasPrefix("          ") }.joined(separator: "\n") : String(lines[0])
            let name = step.hasPrefix("name: ") ? String(step.dropFirst(6).prefix { $0 != "\n" }) : ""
            return script.contains("state-inspect check") || script.contains("state-inspect report")
                ? (name, script) : nil
        }
    }

    @Test(
        "the workflow's steps annotate, write the reports, and fail where an invariant is violated",
        arguments: [("checkout-good.jsonl", 0), ("checkout.jsonl", 1)] as [(String, Int32)])
    func steps(journal: String, status: Int32) async throws {
        let scripts = try Self.scripts()
        #expect(scripts.count == 5)
        let prepare = """
            set -e
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
        for example in ConsoleExamples(markdown: text).all {
            let printed = try await shell.run(example.command).printed
            #expect(printed == example.printed, "$ \(example.command)\n\(printed)")
        }
    }
}
