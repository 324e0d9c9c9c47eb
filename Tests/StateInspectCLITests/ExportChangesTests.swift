import JSONCore
import JournalFormat
import TestSupport
import Testing

@testable import StateInspectCLI

@Suite("Every change as a row of a change data feed")
struct ExportChangesTests {
    /// Applies the rows of one commit to the state of its store, each held against what is there.
    private func apply(_ rows: [JSONObject], to state: inout JSONValue) throws {
        for row in rows {
            let whole = try JSONPointer(parsing: try #require(row["path"]?.string))
            #expect(whole.segments.first == row["store"]?.string)
            let path = JSONPointer(Array(whole.segments.dropFirst()))
            let there = path.value(in: state)
            let operation: JSONPatch.Operation
            switch row["_change_type"] {
            case "insert":
                let parent = JSONPointer(Array(path.segments.dropLast())).value(in: state)
                #expect(row["old"] == nil && (there == nil || parent?.array != nil))
                operation = .add(path, try #require(row["new"]))
            case "delete":
                #expect(row["new"] == nil && row["old"] == there)
                operation = .remove(path, old: nil)
            default:
                #expect(row["_change_type"] == "update_postimage" && row["old"] == there)
                operation = .replace(path, try #require(row["new"]), old: nil)
            }
            try JSONPatch([operation]).apply(to: &state, order: .ascending)
        }
    }

    @Test(
        "the rows of each commit lead from the state before it to the one after, in any journal",
        arguments: seeds(0..<16))
    func rows(seed: UInt64) throws {
        let maker = JournalMaker(seed: seed, foreign: seed % 2 == 1, commits: 60)
        let folder = TemporaryFolder()
        let path = folder.write(maker.bytes, to: "run.jsonl")
        let text = String(decoding: maker.bytes, as: UTF8.self)
        let run = ProgramRun(["export", "changes", path])
        let rows = try run.output.split(separator: "\n").map { line in
            try #require(try JSONParser.parse(String(line), order: .ascending).object)
        }
        #expect(!rows.isEmpty, "seed \(seed): \(run)")
        for (seq, changes) in Dictionary(grouping: rows, by: { $0["_commit_version"]?.number?.integerValue ?? -1 }) {
            let store = changes[0]["store"]?.string ?? ""
            guard var state = maker.states[seq - 1]?.member(store) else { continue }
            try apply(changes, to: &state)
            // A store that opened after the commit may have the name of one that closed.
            if text.contains(#"{"seq":\#(seq),"kind":"store","store":\#(JSONValue.string(store).text()),"#) { continue }
            #expect(state == maker.states[seq]?.member(store), "seed \(seed), commit \(seq)")
        }
        // One store alone has the rows that it has among the others.
        let store = rows[0]["store"]?.string ?? ""
        let alone = ProgramRun(["export", "changes", path, "--store", store])
        let among = run.output.split(separator: "\n").filter {
            $0.contains("\"store\":\(JSONValue.string(store).text())")
        }
        #expect(alone.output.split(separator: "\n") == among, "seed \(seed)")
        // A table has as many rows, and a head.
        let raw = ProgramRun(["export", "changes", path, "--csv", "--raw"])
        #expect(raw.status == run.status && raw.output.hasPrefix("_change_type,_commit_version,_commit_timestamp,"))
    }

    @Test("an element that moves is taken out and put in, and what a member replaces is an update")
    func moves() throws {
        let patch =
            #"[{"op":"move","from":"/a/0","path":"/a/1"},{"op":"add","path":"/b","value":2},{"op":"add","path":"/c","value":null},{"op":"test","path":"/b","value":2},{"op":"copy","from":"/a","path":"/d"}]"#
        let text = """
            {"seq":0,"kind":"journal","version":1,"id":"x","time":"2026-01-01T00:00:00.000000Z","recorder":"t"}
            {"seq":0,"kind":"store","store":"s","type":"T","time":"2026-01-01T00:00:00.000000Z","at":{"file":"F.swift","line":1,"column":1,"function":"f()"},"state":{"a":["x","y"],"b":1}}
            {"seq":1,"kind":"commit","store":"s","version":1,"time":"2026-01-01T00:00:01.000000Z","at":{"file":"F.swift","line":3,"column":1,"function":"g()"},"name":"@n","cause":0,"patch":\(patch)}

            """
        let folder = TemporaryFolder()
        let path = folder.write(text, to: "run.jsonl")
        let rows = ProgramRun(["export", "changes", path]).output
        func row(_ type: String, _ rest: String) -> String {
            #"{"_change_type":"\#(type)","_commit_version":1,"_commit_timestamp":"2026-01-01T00:00:01.000000Z","store":"s",\#(rest),"file":"F.swift","line":3,"function":"g()","name":"@n","cause":0}"#
                + "\n"
        }
        #expect(
            rows == row("delete", #""path":"/s/a/0","old":"x""#) + row("insert", #""path":"/s/a/1","new":"x""#)
                + row("update_postimage", #""path":"/s/b","old":1,"new":2"#)
                + row("insert", #""path":"/s/c","new":null"#)
                + row("insert", #""path":"/s/d","new":["y","x"]"#))
        let table = ProgramRun(["export", "changes", path, "--csv"]).output.split(separator: "\n")
        #expect(
            table.dropFirst(3).first
                == "update_postimage,1,2026-01-01T00:00:01.000000Z,s,/s/b,1,2,F.swift,3,g(),'@n,0")
        let raw = ProgramRun(["export", "changes", path, "--csv", "--raw"]).output
        #expect(raw.contains(",g(),@n,0\n") && !raw.contains("'@n"))
    }

    @Test("'--csv' is for changes alone, and '--raw' for tables")
    func options() throws {
        let journal = ShopJournal()
        for words in [["csv", "--csv"], ["itf", "--csv"], ["changes", "--raw"], ["changes", "--select", "."]] {
            let run = ProgramRun(["export", words[0], journal.path] + words.dropFirst())
            #expect(run.status == 2 && run.output.isEmpty, "\(run)")
        }
    }
}

/// What holds no state while a run goes on answers as what does.
@Suite("Answers that hold no states")
struct HeldStateTests {
    private func journal(_ seed: UInt64, in folder: TemporaryFolder) -> String {
        let maker = JournalMaker(
            seed: seed, foreign: seed % 3 == 2, commits: 50, keyframeEvery: 12, gaps: seed % 2 == 0)
        return folder.write(maker.bytes, to: "run.jsonl")
    }

    @Test("patches are exported as they are where states are compared", arguments: seeds(0..<24))
    func patches(seed: UInt64) {
        let folder = TemporaryFolder()
        let path = journal(seed, in: folder)
        for range in [[], ["--range", "7..30"], ["-n", "9"]] {
            let words = ["export", "json-patch", path] + range
            let direct = ProgramRun(words)
            // With '--recover' each patch is applied, and what it leads to is compared.
            let compared = ProgramRun(words + ["--recover"])
            // A range may begin in a gap.
            let isThere = !direct.output.isEmpty || direct.status == ExitStatus.notThere.rawValue
            #expect(isThere && direct.output == compared.output, "seed \(seed)\n\(direct)\n\(compared)")
            #expect(direct.status == compared.status, "seed \(seed)")
        }
    }
}
