import Foundation
import TestSupport
import Testing

/// The recipes of `state-inspect-import(1)`, each as it stands there, on a file of its program's form.
struct RecipeTests {
    /// A recipe by the beginning of its title, what has to be there, and what the journal answers.
    struct Recipe: Sendable, CustomTestStringConvertible {
        let title: String
        /// Lines of a shell that make the file.
        let given: String
        var needs = "sh"
        let journal: String
        let commits: Int
        /// A query on the last state, and its output.
        let query: String
        let output: String
        /// The name of the last commit.
        let name: String
        var testDescription: String { title }
    }

    private static func file(_ name: String, _ text: String) -> String { "cat > \(name) <<'END'\n\(text)\nEND" }

    private static let recipes = [
        Recipe(
            title: "The counterexample that TLC dumps",
            given: file(
                "trace.json",
                #"""
                {"state":[[2,{"big":5}],[1,{"big":0}],[3,{"big":2}]],"action":[
                [[1,{"big":0}],{"name":"Fill","location":{"beginLine":68,"beginColumn":18,"module":"DieHard"}},[2,{"big":5}]],
                [[2,{"big":5}],{"name":"Pour","location":{"beginLine":71,"beginColumn":18,"module":"DieHard"}},[3,{"big":2}]]]}
                """#), journal: "trace.jsonl", commits: 2, query: ".state.big", output: "2", name: "Pour"),
        Recipe(
            title: "The requests of a HAR file",
            given: file(
                "site.har",
                #"""
                {"log":{"version":"1.2","entries":[
                {"startedDateTime":"2026-01-01T00:00:00.000Z","time":3,"request":{"method":"GET","url":"/a"},"response":{"status":200}},
                {"startedDateTime":"2026-01-01T00:00:01.000Z","time":4,"request":{"method":"GET","url":"/a"},"response":{"status":500}}]}}
                """#), journal: "site.jsonl", commits: 2, query: #".state["/a"].status"#, output: "500", name: "GET /a"),
        Recipe(
            title: "The calls of a trace of Playwright",
            given: file(
                "x.trace",
                #"""
                {"version":8,"type":"context-options","wallTime":1767225600000}
                {"type":"before","callId":"call@1","startTime":10.5,"class":"Page","method":"goto","params":{"url":"/"}}
                {"type":"after","callId":"call@1","endTime":11.5,"error":{"name":"TimeoutError","message":"Timeout"}}
                """#) + "\npython3 -c 'import zipfile; zipfile.ZipFile(\"trace.zip\", \"w\").write(\"x.trace\")'",
            needs: "unzip", journal: "trace.jsonl", commits: 2,
            query: #".state["call@1"] | "\(.call) \(.done) \(.error)""#,
            output: #""Page.goto true Timeout""#, name: "after call@1"),
    ]

    /// The lines of the recipe that the manual has under a title.
    private static func command(_ title: String) throws -> String? {
        let page = try String(
            contentsOf: SharedFolder.packageRoot.appendingPathComponent("man/state-inspect-import.1"), encoding: .utf8)
        let section = page.components(separatedBy: ".Ss Recipes\n").last?.components(separatedBy: "\n.Ss ").first
        let entry = section?.components(separatedBy: ".It ").first { $0.hasPrefix(title) }
        let text = entry?.components(separatedBy: ".Bd -literal\n").last?.components(separatedBy: "\n.Ed").first
        return text?.replacingOccurrences(of: "\\e", with: "\\")
    }

    @Test("makes a journal that holds, with the states that the file has", arguments: recipes)
    func runs(_ recipe: Recipe) async throws {
        let isThere = recipe.needs == "sh" || ProgramRun.isThere("sh", "-c", "command -v \(recipe.needs)")
        try #require(isThere, "'\(recipe.needs)' is not there, which this recipe needs")
        let folder = TemporaryFolder()
        let command = try #require(try Self.command(recipe.title))
        let bin = (BuiltProducts.stateInspect as NSString).deletingLastPathComponent
        let script = """
            (\(recipe.given)
            ) > /dev/null && \(command) && state-inspect verify \(recipe.journal) > /dev/null &&
            state-inspect info \(recipe.journal) --json | state-inspect query .commits &&
            state-inspect state \(recipe.journal) --select '\(recipe.query)' &&
            state-inspect log \(recipe.journal) --reverse -n 1 | state-inspect query -r .name
            """
        let run = try await ProgramRun.of(
            "/bin/sh", ["-c", script], in: folder,
            environment: ["PATH": bin + ":" + (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")])
        #expect(run.lines == ["\(recipe.commits)", recipe.output, recipe.name], "\(run)")
        #expect(!run.errors.contains("warning") && !run.errors.contains("error"), "\(run)")
    }

    @Test("every recipe of the manual is run")
    func all() throws {
        let page = try String(
            contentsOf: SharedFolder.packageRoot.appendingPathComponent("man/state-inspect-import.1"), encoding: .utf8)
        let section = page.components(separatedBy: ".Ss Recipes\n").last?.components(separatedBy: "\n.Ss ").first ?? ""
        let titles = section.components(separatedBy: "\n").filter { $0.hasPrefix(".It ") }.map { $0.dropFirst(4) }
        #expect(titles.count == Self.recipes.count)
        #expect(titles.allSatisfy { title in Self.recipes.contains { title.hasPrefix($0.title) } })
    }

    @Test(
        "runs of a language model's agent: a store for each, its tools' answers as state, each answer caused by its call",
        .enabled(
            if: SharedFolder.has("data/agent-runs-tau-retail.json.gz") && ProgramRun.isThere("gzip", "--version"),
            "the runs or gzip are not there"))
    func agents() async throws {
        let folder = TemporaryFolder()
        let runs = SharedFolder.root.appendingPathComponent("data/agent-runs-tau-retail.json.gz").path
        let imported = try await ProgramRun.inspect("import", "messages", runs, "-o", "runs.jsonl", in: folder)
        // 434 messages and what twelve runs say at their end.
        #expect(
            imported.status == 0 && imported.errors.hasPrefix("note: 1 text, 446 commits, 12 stores\n"), "\(imported)")
        let why = try await ProgramRun.inspect("why", "runs.jsonl", "8", in: folder)
        #expect(
            why.text.contains(#""name":"answer get_user_details""#)
                && why.text.contains(#""name":"call get_user_details""#))
        let rewards = try await ProgramRun.inspect(
            "state", "runs.jsonl", "--select", "[.[].result.reward] | group_by(.) | map(length)", in: folder)
        #expect(rewards.text == "[6,6]\n", "\(rewards)")
        let bisect = try await ProgramRun.inspect(
            "bisect", "runs.jsonl", "--bad", #"."run-0".tools.get_order_details.status == "delivered""#, in: folder)
        #expect(bisect.status == 0 && bisect.text.contains("answer get_order_details"), "\(bisect)")
    }
}
