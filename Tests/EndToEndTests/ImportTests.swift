import Foundation
import JSONCore
import TestSupport
import Testing

/// `import` and `export` as a script calls them.
struct ImportTests {
    private static let shop = SharedFolder.packageRoot.appendingPathComponent("samples/checkout.jsonl").path
    private static let log = SharedFolder.packageRoot.appendingPathComponent("samples/orders.log").path
    private static let hasJSONPatch = ProgramRun.isThere("python3", "-c", "import jsonpatch")

    /// Imports, and holds the journal against its own rules.
    private func imported(
        _ arguments: [String], to name: String = "run.jsonl", in folder: TemporaryFolder
    ) async throws -> String {
        let path = folder.path(name)
        let run = try await ProgramRun.of(
            BuiltProducts.stateInspect, ["import"] + arguments + ["-o", path], in: folder)
        #expect(run.status == 0, "\(run)")
        let verified = try await ProgramRun.inspect("verify", path, in: folder)
        #expect(verified.status == 0, "\(verified)")
        return path
    }

    /// What a program in Python prints.
    private func python(_ program: String, _ arguments: String..., in folder: TemporaryFolder) async throws -> String {
        let run = try await ProgramRun.of("python3", ["-c", program] + arguments, in: folder)
        #expect(run.status == 0, "\(run)")
        return run.text
    }

    @Test("a log becomes a journal, through a pipe, with a preset, and with what a suggestion says")
    func log() async throws {
        let folder = TemporaryFolder()
        let suggested = try await ProgramRun.inspect("import", "jsonl", Self.log, "--suggest", in: folder)
        #expect(suggested.status == 0 && suggested.text.contains("--store .service --state .state"), "\(suggested)")
        let preset = folder.write(
            "# what our services log\n--store '.service'\n--state .state\n--time .ts\n--where=.service != \"none\"\n",
            to: "orders.preset")
        let path = try await imported(["jsonl", Self.log, "--preset", preset, "--name", ".event"], in: folder)
        folder.write("--state .state\n", to: ".state-inspect/orders")
        let misspelt = try await ProgramRun.inspect("import", "jsonl", Self.log, "--preset", "odrers", in: folder)
        #expect(misspelt.status == 2 && misspelt.errors.contains("help: write 'orders'"), "\(misspelt)")
        let nothing = try await ProgramRun.inspect("import", "jsonl", "-", "--suggest", in: folder)
        #expect(nothing.status == 3 && nothing.errors.contains("there is nothing in it"), "\(nothing)")
        let bytes = try Data(contentsOf: URL(fileURLWithPath: Self.log))
        let piped = try await ProgramRun.inspect(
            "import", "jsonl", "-", "--store", ".service", "--state", ".state", in: folder, input: bytes)
        #expect(piped.status == 0 && piped.lines.count == 10, "\(piped)")
        let bisect = try await ProgramRun.inspect("bisect", path, "--bad", ".cart.total < 0", in: folder)
        #expect(bisect.text.contains(#""name":"discounted""#), "\(bisect)")
    }

    @Test("what does not fit ends an import with status 3, or is left out with status 5")
    func badInput() async throws {
        let folder = TemporaryFolder()
        let path = folder.write(
            "{\"n\":1}\n[{\"op\":\"remove\",\"path\":\"/m\"}]\n{\"patch\":[]}\n", to: "patches.jsonl")
        let refused = try await ProgramRun.inspect("import", "json-patch", path, in: folder)
        #expect(refused.status == 3 && refused.errors.contains("patches.jsonl:2"), "\(refused)")
        #expect(refused.errors.contains(#"note: the whole state is {"n":1}"#), "\(refused)")
        let skipped = try await ProgramRun.inspect("import", "json-patch", path, "--skip-bad", in: folder)
        #expect(skipped.status == 5 && skipped.errors.contains("line 2"), "\(skipped)")
        let lines = folder.write("{\"n\":1}\nno\n{\"n\":2}\n", to: "log.txt")
        let lenient = try await ProgramRun.inspect("import", "jsonl", lines, "--state", ".", in: folder)
        #expect(lenient.status == 5 && lenient.errors.contains("line 2"), "\(lenient)")
        let strict = try await ProgramRun.inspect("import", "jsonl", lines, "--state", ".", "--strict", in: folder)
        #expect(strict.status == 3, "\(strict)")
        for words in [
            ["jsonl", lines], ["jsnol", lines], ["immer", lines, "--where", "."],
            ["jsonl", lines, "--state", ".", "--store", "cart"],
        ] {
            let run = try await ProgramRun.of(BuiltProducts.stateInspect, ["import"] + words, in: folder)
            #expect(run.status == 2, "\(run)")
        }
        let empty = try await ProgramRun.inspect("import", "itf", "-", in: folder)
        #expect(empty.status == 3, "\(empty)")
    }

    // MARK: Files of other programs

    private static let raft = SharedFolder.root.appendingPathComponent("data/etcd-raft-trace.ndjson.gz").path

    @Test(
        "the trace of ten Raft nodes answers what its authors would ask",
        .enabled(
            if: SharedFolder.has("data/etcd-raft-trace.ndjson.gz") && ProgramRun.isThere("gzip", "--version"),
            "the trace or gzip is not there"))
    func raft() async throws {
        let folder = TemporaryFolder()
        let path = try await imported(
            [
                "jsonl", Self.raft, "--where", #".tag == "trace""#, "--store", #""node" + .event.nid"#, "--state",
                ".event.state + {role: .event.role}", "--name", ".event.name", "--time", ".ts", "--at", ".caller",
            ], in: folder)
        let leaders = try await ProgramRun.inspect(
            "bisect", path, "--bad", #"[.[] | select(.role == "StateLeader")] | group_by(.term) | any(length > 1)"#,
            in: folder)
        #expect(leaders.status == 1 && leaders.text.contains(#""firstBad":null"#), "\(leaders)")
        let falls = try await ProgramRun.inspect(
            "check", path, "--invariant",
            "grows=. as $now | all(($old // {}) | to_entries[]; .value.commit <= ($now[.key].commit // 0))", in: folder)
        #expect(falls.status == 0, "\(falls)")
        let candidate = try await ProgramRun.inspect(
            "bisect", path, "--bad", #"any(.[]; .role == "StateCandidate")"#, in: folder)
        #expect(candidate.status == 0 && candidate.text.contains(#""name":"BecomeCandidate""#), "\(candidate)")
    }

    @Test(
        "somebody's edits give the text that the file ends with",
        .enabled(if: EditingTrace.isThere, "the editing trace or gzip is not there"))
    func editingTrace() async throws {
        let folder = TemporaryFolder()
        let trace = try await EditingTrace.read(in: folder)
        let path = try await imported(
            ["editing-trace", SharedFolder.root.appendingPathComponent(EditingTrace.file).path], in: folder)
        let run = try await ProgramRun.inspect(
            "state", path, "-r", "--select", #".text.lines | join("\n")"#, in: folder)
        #expect(run.text == trace.endContent + "\n")
    }

    @Test(
        "each state of each branch of real study sessions is the one that Python's jsonpatch makes",
        .enabled(
            if: SharedFolder.has("data/persist-trrack-graphs.jsonl") && hasJSONPatch,
            "the graphs or jsonpatch are not there"))
    func trrack() async throws {
        let folder = TemporaryFolder()
        let graphs = SharedFolder.root.appendingPathComponent("data/persist-trrack-graphs.jsonl").path
        let all = try await imported(["trrack", graphs], in: folder)
        let text = try await python(
            """
            import copy, json, sys, jsonpatch
            taken = set()
            for number, line in enumerate(open(sys.argv[1]), 1):
                nodes = json.loads(line)["graph"]["nodes"]
                leaves = [i for i, n in nodes.items() if not [c for c in n["children"] if c in nodes]]
                for k, leaf in enumerate(sorted(leaves, key=lambda i: (nodes[i]["createdOn"], i)), 1):
                    path, i, state, states = [], leaf, None, []
                    while i: path.insert(0, i); i = nodes[i].get("parent")
                    for i in path:
                        s = nodes[i]["state"]
                        state = copy.deepcopy(s["val"]) if s["type"] == "checkpoint" else jsonpatch.apply_patch(state, s["val"])
                        states.append(state)
                    name = "state" if len(leaves) == 1 else f"branch{k}"
                    print(json.dumps({"name": f"{number}.{name}" if name in taken else name, "states": states[1:]}))
                    taken.add(name)
            """, graphs, in: folder)
        let branches = text.split(separator: "\n")
        #expect(branches.count == 61)
        for branch in branches {
            let expected = try #require(try JSONParser.parse(String(branch)).objectValue)
            let name = expected["name"]?.text ?? ""
            let run = try await ProgramRun.inspect("replay", all, "--store", name, in: folder)
            let states = try run.lines.map { try JSONParser.parse($0).objectValue?["value"] ?? .null }
            #expect(JSONValue.array(states) == expected["states"], "\(name)")
        }
    }

    @Test(
        "each computed state of a lifted state is the state at its position",
        .enabled(
            if: SharedFolder.has("data/redux-devtools-lifted-state.e2e-run-output.json"),
            "the lifted state is not there"))
    func liftedState() async throws {
        let folder = TemporaryFolder()
        let file = "data/redux-devtools-lifted-state.e2e-run-output.json"
        let path = try await imported(
            ["redux-devtools", SharedFolder.root.appendingPathComponent(file).path], in: folder)
        let lifted = try #require(try JSONParser.parse([UInt8](try SharedFolder.data(file))).objectValue)
        guard case .array(let computed)? = lifted["computedStates"] else { throw CocoaError(.fileReadCorruptFile) }
        for (position, entry) in computed.enumerated() {
            let run = try await ProgramRun.inspect(
                "state", path, "--at", "\(position)", "--select", ".state", in: folder)
            #expect(try JSONParser.parse(run.text) == entry.objectValue?["state"])
        }
    }

    @Test(
        "events of a recorded page are states like any other, and no patches",
        .enabled(if: SharedFolder.has("data/rrweb-events.jsonl"), "the events are not there"))
    func pageEvents() async throws {
        let folder = TemporaryFolder()
        let events = SharedFolder.root.appendingPathComponent("data/rrweb-events.jsonl").path
        _ = try await imported(["jsonl", events, "--state", ".data", "--time", ".timestamp"], in: folder)
        let refused = try await ProgramRun.inspect("import", "json-patch", events, in: folder)
        #expect(refused.status == 3 && refused.errors.contains("rrweb"), "\(refused)")
    }

    // MARK: Other programs' readers

    @Test(
        "a table is read by Python's csv, and each patch by its jsonpatch",
        .enabled(if: hasJSONPatch, "Python's jsonpatch is not there"))
    func readByPython() async throws {
        let folder = TemporaryFolder()
        for (format, name) in [("csv", "run.csv"), ("json-patch", "run.patches")] {
            let run = try await ProgramRun.inspect("export", format, Self.shop, "-o", folder.path(name), in: folder)
            #expect(run.status == 0, "\(run)")
        }
        let rows = try await python(
            "import csv, sys; rows = list(csv.reader(open(sys.argv[1], newline=''))); print(len(rows), {len(r) for r in rows})",
            folder.path("run.csv"), in: folder)
        #expect(rows == "557 {11}\n")
        let last = try await python(
            """
            import json, sys, jsonpatch
            document = {}
            for line in open(sys.argv[1]): document = jsonpatch.apply_patch(document, json.loads(line))
            print(json.dumps(document))
            """, folder.path("run.patches"), in: folder)
        let state = try await ProgramRun.inspect("state", Self.shop, in: folder)
        #expect(try JSONParser.parse(last) == JSONParser.parse(state.text))
    }

    @Test("what was exported is imported with the same states", arguments: ["json-patch", "redux-devtools", "itf"])
    func thereAndBack(format: String) async throws {
        let folder = TemporaryFolder()
        let there = try await ProgramRun.inspect("export", format, Self.shop, "-o", folder.path("there"), in: folder)
        #expect(there.status == 0, "\(there)")
        let path = try await imported([format, folder.path("there")], in: folder)
        let states = try await ProgramRun.inspect("replay", path, "--select", ".state", in: folder)
        let own = try await ProgramRun.inspect("replay", Self.shop, in: folder)
        let values = try [states, own].map {
            try $0.lines.map { try JSONParser.parse($0).objectValue?["value"] ?? .null }
        }
        #expect(values[0] == values[1] && values[0].count == 412)
    }

    private static let modules = BuiltProducts.folder.appendingPathComponent("Modules").path

    @Test(
        "an exported test compiles where the state can be decoded and compared",
        .enabled(
            if: ProgramRun.isThere("swiftc", "--version") && FileManager.default.fileExists(atPath: modules),
            "swiftc or the modules are not there"))
    func exportedTest() async throws {
        let folder = TemporaryFolder()
        let run = try await ProgramRun.inspect("export", "swift-test", Self.shop, "--at", "118", in: folder)
        #expect(run.status == 0, "\(run)")
        // In the place of the app, whose states the recorder needs only to encode.
        let app = "struct CartState: Codable, Equatable { var total: Int }\n"
        let path = folder.write(run.text.replacing("@testable import shop\n", with: app), to: "CartTests.swift")
        let checked = try await ProgramRun.of(
            "swiftc", ["-typecheck", "-swift-version", "6", "-I", Self.modules, path], in: folder)
        #expect(checked.status == 0 && checked.errors.isEmpty, "\(checked)")
        let none = try await ProgramRun.inspect("export", "swift-test", Self.shop, "--at", "start", in: folder)
        #expect(none.status == 4, "\(none)")
    }

    /// The objects of the library, and of what it is built on; without those that a file left behind which is gone.
    private static var objects: [String] {
        [
            "Diagnostics", "Platform", "JSONCore", "JournalFormat", "EntityTables", "StateEncoding", "StoreCore",
            "JournalReading", "StateReplay",
        ].flatMap { module -> [String] in
            let sources = SharedFolder.packageRoot.appendingPathComponent("Sources/\(module)").path
            let files = (FileManager.default.enumerator(atPath: sources)?.compactMap { $0 as? String } ?? [])
                .filter { $0.hasSuffix(".swift") }.map { URL(fileURLWithPath: $0).lastPathComponent }
            let folder = BuiltProducts.folder.appendingPathComponent("\(module).build")
            return files.map { folder.appendingPathComponent($0 + ".o").path }
                .filter { FileManager.default.fileExists(atPath: $0) }
        }
    }

    @Test(
        "an exported test runs and holds, and fails once its call does something else",
        .enabled(
            if: FileManager.default.fileExists(atPath: modules), "the modules are not beside the program"))
    func exportedTestRuns() async throws {
        let folder = TemporaryFolder()
        let run = try await ProgramRun.inspect("export", "swift-test", Self.shop, "--at", "118", in: folder)
        let app = "struct CartState: Codable, Equatable { var total: Int }\n"
        let text = run.text.replacing("@testable import shop\n", with: app)
        let entry = folder.write(
            "@_spi(Experimental) @_spi(ForToolsIntegrationOnly) import Testing\n"
                + "@main struct Runner { static func main() async { await Testing.__swiftPMEntryPoint() as Never } }\n",
            to: "Runner.swift")
        for (wrong, status) in [("", Int32(0)), ("state.total += 1\n    ", 1)] {
            let test = folder.write(
                text.replacing("#expect(state == expected)", with: wrong + "#expect(state == expected)"),
                to: "CartTests.swift")
            let built = try await ProgramRun.of(
                "swiftc",
                ["-parse-as-library", "-swift-version", "6", "-I", Self.modules, test, entry] + Self.objects + [
                    "-o", folder.path("cart-tests"),
                ], in: folder)
            #expect(built.status == 0, "\(built)")
            let tested = try await ProgramRun.of(
                folder.path("cart-tests"), ["--testing-library", "swift-testing"], in: folder)
            #expect(tested.status == status, "\(tested)")
            #expect((tested.text + tested.errors).contains("after commit 118"), "\(tested)")
        }
    }
}
