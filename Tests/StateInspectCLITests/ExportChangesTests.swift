import Foundation
import JSONCore
import JournalFormat
import TestSupport
import Testing

@testable import CommandLine

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

@Suite("Where a text came in")
struct GrepCommandTests {
    private static let sample = SharedFolder.packageRoot.appendingPathComponent("samples/checkout.jsonl").path

    private func grep(_ arguments: String...) -> ProgramRun { ProgramRun(["grep", Self.sample] + arguments) }

    @Test("each place is a line: the record that brought the text, and the commit that took it away")
    func people() {
        let run = grep("courier", "--format", "human")
        #expect(run.status == 0, "\(run)")
        #expect(
            run.output == """
                73  12:00:36.730  shop/Shopper.swift:129  payload  (all)  "courier"
                73  12:00:36.730  shop/Shopper.swift:129  value    /checkout/delivery  "courier"  gone at 119

                """, "\(run)")
    }

    @Test("for programs it is a 'hit'")
    func programs() {
        let run = grep("SPRING", "--path", "/cart", "-n", "1")
        #expect(
            run.output == """
                {"kind":"hit","in":"value","path":"/cart/discounts/0/code","value":"SPRING","seq":71,\
                "time":"2026-03-01T12:00:35.270000Z","at":{"file":"shop/Cart.swift","line":37,"column":22,\
                "function":"applyDiscount(_:)"},"gone":null}

                """, "\(run)")
    }

    @Test(
        "the filters choose the commits that brought it, a path what is there",
        arguments: [
            (["--path", "/cart"], ["71", "118"]), (["--store", "cart"], ["71", "118"]), (["-n", "1"], ["70"]),
            (["--reverse", "-n", "1"], ["118"]), (["--range", "71.."], ["118"]), (["--range", "..70"], ["70"]),
            (["--function", "applyDiscount"], ["71", "118"]), (["--where", ".cart.total < 0"], ["118"]),
            (["-n", "0"], []),
        ])
    func filters(_ options: [String], _ commits: [String]) {
        let run = ProgramRun(["grep", Self.sample, "SPRING", "--format", "human"] + options)
        let numbers = run.output.split(separator: "\n").map { String($0.prefix { $0.isNumber }) }
        #expect(numbers == commits, "\(run)")
    }

    @Test("under '--store' paths begin at the store")
    func store() {
        #expect(grep("SPRING", "--store", "cart", "--format", "human").output.contains("  /discounts/0/code  "))
        #expect(grep("cart", "--store", "cart", "-n", "9").output.isEmpty)
    }

    @Test("small letters stand for capitals where that is asked for; an expression is one of the query language")
    func patterns() {
        #expect(grep("spring").status == 1)
        #expect(grep("spring", "-i").output == grep("SPRING").output)
        #expect(grep("-e", "^SPR.NG$").output == grep("SPRING").output)
        #expect(grep("-i", "-e", "^spring$").output == grep("SPRING").output)
    }

    @Test("where there is nothing, the status is 1 and it is said what was searched")
    func nothing() {
        let run = grep("nowhere")
        #expect(run.status == 1 && run.output.isEmpty, "\(run)")
        #expect(
            run.messages
                == "note: nothing in 412 commits has 'nowhere': values, names, marks and payloads were searched\n",
            "\(run)")
    }

    @Test(
        "what cannot be looked for is refused",
        arguments: [[], [""], ["SPRING", "-e", "S"], ["-e", "("], ["a", "1..2", "2..3"]])
    func usage(_ arguments: [String]) { #expect(ProgramRun(["grep", Self.sample] + arguments).status == 2) }

    @Test("git's and the shell's words lead here")
    func words() {
        let search = ProgramRun(["search", Self.sample, "SPRING"]).messages
        #expect(search.contains("write 'state-inspect grep \(Self.sample) SPRING'"), "\(search)")
        #expect(ProgramRun(["log", Self.sample, "-S", "SPRING"]).messages.contains("grep JOURNAL TEXT"))
        #expect(ProgramRun(["log", Self.sample, "--grep", "SPRING"]).messages.contains("grep JOURNAL TEXT"))
    }

    @Test("escapes hide no text, and write nothing to the terminal")
    func escapes() throws {
        let journal = ShopJournal { $0[6] = $0[6].replacing(#""b7""#, with: #""\u0062\u0037\u001b[31m""#) }
        let found = journal.run("grep", "J", "b7", "--format", "human", "--color", "never")
        #expect(found.output.contains("2  12:00:02.000"), "\(found)")
        #expect(!found.output.contains("\u{1B}"))
        let mark = journal.run("grep", "J", "red", "--format", "human", "--color", "never")
        #expect(mark.output.contains("mark") && !mark.output.contains("\u{1B}"), "\(mark)")
    }

    @Test("what is lost in a gap is reported, and no answer is good across it")
    func gap() throws {
        let journal = ShopJournal { lines in
            lines[9] = """
                {"seq":4,"kind":"gap","first":4,"lost":1,"time":"2026-11-21T12:00:04.000000Z","reason":"disk full",\
                "states":{"cart":{"items":[{"id":1,"price":12}],"total":12},"session":{"token":"b7"}}}
                """
        }
        let run = journal.run("grep", "J", "nowhere")
        #expect(run.status == 5 && run.messages.contains("was lost: 4"), "\(run)")
    }

    @Test("a journal that is damaged ends with status 3, unless reading may go on")
    func damage() throws {
        let journal = ShopJournal { $0[9] = "{\"seq\":4," }
        #expect(journal.run("grep", "J", "b7").status == 3)
        #expect(journal.run("grep", "J", "b7", "--recover").status == 5)
    }

    @Test("a value of many megabytes costs what it is long")
    func large() throws {
        let long = String(repeating: "a", count: 2_000_000)
        let journal = ShopJournal { $0[6] = $0[6].replacing(#""b7""#, with: "\"\(long)b\"") }
        let run = journal.run("grep", "J", String(repeating: "a", count: 2_000) + "b", "--format", "human", width: 80)
        #expect(run.status == 0, "\(run.messages)")
        #expect(run.output.split(separator: "\n").allSatisfy { shownWidth($0) <= 80 })
    }
}
