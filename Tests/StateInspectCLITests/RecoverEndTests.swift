import Foundation
import JournalFormat
import JournalReading
import TestSupport
import Testing

@Suite("Answers around damage")
struct RecoverEndTests {
    static let commands: [[String]] = [
        ["replay", "J"], ["replay", "J", "--reverse"], ["replay", "J", "--final"], ["replay", "J", "--changed"],
        ["replay", "J", "--without", "2"], ["history", "J", "/cart/total"], ["log", "J", "--store", "cart"],
        ["log", "J", "--store", "cart", "--reverse"], ["log", "J", "--where", ".cart.total < 0"], ["stats", "J"],
        ["derived", "J", "--define", "total=.cart.total"], ["stats", "J", "--range", "end-3.."],
        ["check", "J", "--invariant", "total=.cart.total != null"],
        ["history", "J", "--range", "mark:total..", "/cart/total"],
        ["log", "J", "--range", "12:00:02..", "--path", "/cart/total"],
    ]

    @Test("a damaged last line does not take the answers away: they are those before it, status 5", arguments: commands)
    func damagedEnd(_ command: [String]) throws {
        let (whole, damaged) = (ShopJournal(), ShopJournal { $0.append(#"{"seq":6,"kind":nothing"#) })
        func run(_ journal: ShopJournal, _ options: [String]) -> ProgramRun {
            ProgramRun(command.map { $0 == "J" ? journal.path : $0 } + options)
        }
        // What ends before it need not meet it: only a search for the end does.
        #expect(run(damaged, []).status == 3)
        let (expected, found) = (run(whole, []), run(damaged, ["--recover"]))
        func lines(_ run: ProgramRun, _ journal: ShopJournal) -> [String] {
            run.output.replacing(journal.path, with: "J").replacing("\"unanswered\":1", with: "\"unanswered\":0")
                .split(separator: "\n").map(String.init).filter { !$0.hasPrefix(#"{"kind":"stats.kind""#) }
        }
        #expect(lines(found, damaged) == lines(expected, whole), "\(found)")
        #expect(found.status == 5 && expected.status == 0, "\(found)")
        #expect(found.messages.contains("a line is not JSON") && !found.messages.contains("--recover"), "\(found)")
    }

    @Test("a commit that is left out after damage in what is not asked about is left out with '--recover'")
    func leftOutAfterDamage() throws {
        let (time, at) = ("2026-01-01T00:00:00.000000Z", #"{"file":"A/A.swift","line":1,"column":1,"function":"f()"}"#)
        func store(_ name: String) -> String {
            #"{"seq":0,"kind":"store","store":"\#(name)","type":"T","time":"\#(time)","at":\#(at),"state":{"t":0}}"#
        }
        func commit(_ seq: Int, _ store: String, version: Int, old: Int) -> String {
            #"{"seq":\#(seq),"kind":"commit","store":"\#(store)","version":\#(version),"time":"\#(time)","at":\#(at),"#
                + #""patch":[{"op":"replace","path":"/t","value":\#(seq),"old":\#(old)}]}"#
        }
        let lines = [
            #"{"seq":0,"kind":"journal","version":1,"id":"x","time":"\#(time)","recorder":"t"}"#, store("a"),
            store("b"),
            commit(1, "a", version: 1, old: 0), commit(2, "b", version: 1, old: 7), commit(3, "a", version: 2, old: 1),
        ]
        let journal = ShopJournal(text: lines.map { $0 + "\n" }.joined())
        for words in [["--select", ".a.t"], ["--select", ".b.t"], []] {
            let run = ProgramRun(["replay", journal.path, "--without", "3", "--recover"] + words)
            #expect(run.status == 5, "\(words): \(run)")
            #expect(run.messages.components(separatedBy: "claims another value").count == 2, "\(words): \(run)")
        }
    }

    @Test("a range that begins where damage hides the way is walked to", arguments: ["2..", "12:00:02.5..", "end-4.."])
    func hiddenBeginning(_ range: String) throws {
        // The first commit of the range is there; the line before it is there twice.
        let keyframe =
            #"{"seq":3,"kind":"keyframe","states":{"cart":{"items":[{"id":1,"price":12}],"total":-3},"session":{"token":"b7"}},"totals":{"commits":{"cart":2,"session":1},"open":["cart","session"],"derived":[],"marks":0,"gaps":0,"aborts":0}}"#
        let journal = ShopJournal { lines in
            lines.insert(lines[6], at: 7)
            lines.insert(keyframe, at: 9)
        }
        #expect(journal.run("history", "J", "--range", range, "/cart/total").status == 3)
        let run = journal.run("history", "J", "--range", range, "--recover", "/cart/total")
        let seqs = run.output.split(separator: "\n").compactMap { $0.split(separator: ",").dropFirst().first }
        #expect(seqs == [#""seq":3"#, #""seq":4"#, #""seq":5"#], "\(run)")
    }

    @Test("'$seq' and a number are known of a journal whose last line is damaged")
    func state() throws {
        let journal = ShopJournal { $0.append("damage") }
        let end = journal.run("state", "J", "--recover", "--select", "[$seq, $old.cart.total]")
        #expect(end.status == 5 && end.output == "[6,-9]\n", "\(end)")
        let number = journal.run("state", "J", "3", "--recover", "--select", ".cart.total")
        #expect(number.status == 0 && number.output == "-3\n", "\(number)")
    }

    @Test(
        "a commit that a filter could have wanted and damage hid makes 'log' inconclusive",
        arguments: [[], ["--reverse"]])
    func log(order: [String]) throws {
        let keyframe =
            #"{"seq":4,"kind":"keyframe","states":{"cart":{"items":[{"id":1,"price":12}],"total":12},"session":{"token":"b7"}},"totals":{"commits":{"cart":3,"session":1},"open":["cart","session"],"derived":[],"marks":0,"gaps":0,"aborts":0}}"#
        let journal = ShopJournal { $0.replaceSubrange(7...9, with: ["{}", keyframe]) }
        let run = ProgramRun(["log", journal.path, "--recover", "--store", "cart"] + order)
        #expect(run.status == 5 && run.messages.contains("2 commits of"), "\(run)")
        #expect(run.messages.contains("were lost, the first is 3"), "\(run)")
    }
}

@Suite("The state of a damaged journal")
struct RecoverStateTests {
    @Test("'--recover' gives the last state that is known where damage hides the end, and says which")
    func end() throws {
        for damaged in [7, 12] {
            let journal = ShopJournal { lines in
                lines[damaged] = lines[damaged].replacing("\"seq\"", with: "\"sqe\"", maxReplacements: 1)
                if damaged == 12 { lines.removeLast() }
            }
            let last = damaged == 7 ? 2 : 5
            #expect(journal.run("state", "J").status == 3)
            let run = journal.run("state", "J", "--recover")
            let whole = ShopJournal()
            #expect(run.status == 5 && run.output == whole.run("state", "J", "\(last)").output, "\(run)")
            #expect(run.messages.contains("the state at \(last) is the last one before it that is known"), "\(run)")
        }
    }

    @Test(
        "an answer stands where only what it says besides is damaged, and that is reported",
        arguments: [
            (5, ["--format", "human"], "what a derived value was before commit 5"),
            (5, ["--format", "github"], "what a derived value was before commit 5"),
            (5, ["--format", "markdown"], "what a derived value was before commit 5"),
            (5, ["--format", "sarif"], "what a derived value was before commit 5"),
            (11, ["--format", "human"], "what the derived values did after commit 5"),
        ])
    func besides(_ damaged: Int, _ options: [String], _ note: String) throws {
        let journal = ShopJournal { lines in
            // The value that it had before lies in the damage, or what it did is no outcome.
            if damaged == 11 { return lines[11] = lines[11].replacing("\"derived\":[", with: "\"derived\":7,\"x\":[") }
            lines[damaged] = "damage"
            lines.insert(Self.keyframe, at: 7)
        }
        let bad = ["--bad", ".cart.total == -9", "--recover"]
        let bisect = ProgramRun(["bisect", journal.path] + bad + options)
        #expect(bisect.output.contains("5") && bisect.messages.contains(note), "\(bisect)")
        #expect([0, 5].contains(bisect.status), "\(bisect)")
        let report = ProgramRun(["report", journal.path, "-o", "-"] + bad)
        #expect(report.output.contains("</html>") && report.messages.contains(note), "\(report.messages)")
        let check = ProgramRun(["check", journal.path, "--invariant", "a=.cart.total != -9", "--recover"] + options)
        #expect(check.status == 1 && check.output.contains("5") && check.messages.contains(note), "\(check)")
        let show = journal.run("show", "J", "5")
        #expect(show.output.contains(#""seq":5"#) && show.messages.contains(note), "\(show)")
    }

    private static let keyframe =
        #"{"seq":2,"kind":"keyframe","time":"2026-11-21T12:00:02.100000Z","states":{"cart":{"items":[{"id":1,"price":12}],"total":12},"session":{"token":"b7"}}}"#

    @Test("a position that damage hides has no state, also with '--recover'")
    func hidden() throws {
        let journal = ShopJournal { $0[7] = "damage" }
        let run = journal.run("state", "J", "4", "--recover")
        #expect(run.status == 3 && run.output.isEmpty, "\(run)")
    }

    @Test("of a whole journal it is what it is without, and behind a keyframe the end is known")
    func whole() throws {
        let keyframe =
            #"{"seq":5,"kind":"keyframe","time":"2026-11-21T12:00:05.100000Z","states":{"cart":{"items":[],"total":-9},"session":{"token":"b7"}}}"#
        for change in [
            { _ in },
            { (lines: inout [String]) in
                lines[7] = "damage"; lines.insert(keyframe, at: 11)
            },
        ] {
            let journal = ShopJournal(change)
            let run = journal.run("state", "J", "--recover", "--select", ".cart.total")
            #expect(run.status == 0 && run.output == "-9\n", "\(run)")
        }
    }
}

@Suite("A first line that does not hold")
struct FirstLineTests {
    private let folder = TemporaryFolder()

    /// A journal of six commits whose first line was edited.
    private func journal(edited edit: (String) -> String = { $0 }) -> [UInt8] {
        let maker = JournalMaker(seed: 3, commits: 6, gaps: false)
        var lines = String(decoding: maker.bytes, as: UTF8.self).split(separator: "\n").map(String.init)
        lines[0] = edit(lines[0])
        return Array((lines.joined(separator: "\n") + "\n").utf8)
    }

    /// Its number is another, with the sum of the line as it was; and without a sum.
    private static let edits: [(name: String, edit: @Sendable (String) -> String)] = [
        ("a flipped digit", { $0.replacingOccurrences(of: #"{"seq":0"#, with: #"{"seq":2"#) }),
        (
            "a flipped digit without a sum",
            { line in
                let front = line.range(of: #","sum":"#).map { line[..<$0.lowerBound] + "}" } ?? line[...]
                return front.replacingOccurrences(of: #"{"seq":0"#, with: #"{"seq":2"#)
            }
        ),
        (
            "an 'after' that is not where commits begin",
            { line in
                let front = line.range(of: #","sum":"#).map { line[..<$0.lowerBound] } ?? line.dropLast()
                return front + #","after":5}"#
            }
        ),
    ]

    private static let commands: [[String]] = [
        ["state", "J", "--at", "start"], ["state", "J"], ["why", "J", "3"], ["show", "J", "3"], ["info", "J"],
        ["log", "J"], ["log", "J", "--reverse"], ["blame", "J"], ["replay", "J"], ["diff", "J", "1", "2"],
        ["bisect", "J", "--bad", ".x"], ["bisect", "J", "--bad", ".x", "--monotone"],
        ["check", "J", "--invariant", "a=true"], ["history", "J", "/x"], ["stats", "J"], ["slice", "J", "1..2"],
        ["redact", "J", "--path", "/x"], ["marks", "J"], ["export", "csv", "J"], ["derived", "J", "--define", "a=."],
    ]

    @Test("is damage to every command, whatever it seeks", arguments: 0..<3)
    func everyCommand(edit: Int) {
        let (name, edit) = Self.edits[edit]
        let path = folder.write(journal(edited: edit), to: "run.jsonl")
        for command in Self.commands {
            let run = ProgramRun(command.map { $0 == "J" ? path : $0 })
            #expect(run.status == 3, "\(name): \(run)")
        }
        let verified = ProgramRun(["verify", path])
        #expect(verified.status == 1, "\(name): \(verified)")
    }

    @Test("hides no commit with '--recover'", arguments: 0..<3)
    func recovering(edit: Int) {
        let whole = folder.write(journal(), to: "whole.jsonl")
        let bytes = journal(edited: Self.edits[edit].edit)
        let path = folder.write(bytes, to: "run.jsonl")
        for question in [
            ["log"], ["log", "--reverse"], ["state", "--at", "1"], ["state"], ["bisect", "--bad", "false"],
        ] {
            let (command, rest) = (question[0], question.dropFirst())
            let run = ProgramRun([command, path] + rest + ["--recover"])
            let ofWhole = ProgramRun([command, whole] + rest)
            #expect(run.status == ofWhole.status && run.output == ofWhole.output, "\(run)")
            #expect(command != "log" || run.messages.contains("warning: "), "\(run)")
        }
    }

    /// Members at the front of a first line, and whether they are damage.
    private static let fronts: [(front: String, isDamage: Bool)] = [
        (#""seq":1"#, true), (#""seq":7"#, true), (#""seq":1e3"#, true), (#""seq":9007199254740992"#, true),
        (#""seq":0,"after":5"#, true), (#""seq":5,"after":5"#, true), (#""seq":0,"after":"0""#, true),
        (#""seq":0,"after":null"#, false), (#""seq":0,"after":0"#, false), (#""seq":0e0,"after":0.0"#, false),
    ]

    @Test(
        "is one to 'verify' as to every other reader, and a repair writes it anew and loses no commit",
        arguments: 0..<10)
    func repaired(front: Int) throws {
        let (front, isDamage) = Self.fronts[front]
        let bytes = journal { line in
            let rest = line.range(of: #","sum":"#).map { line[..<$0.lowerBound] + "}" } ?? line[...]
            return rest.replacingOccurrences(of: #""seq":0"#, with: front)
        }
        let path = folder.write(bytes, to: "run.jsonl")
        for command in [["log", path], ["info", path], ["check", path, "--invariant", "a=true"]] {
            let run = ProgramRun(command)
            #expect((run.status == 3) == isDamage, "\(run)")
        }
        let verified = ProgramRun(["verify", path, "--repair", folder.path("whole.jsonl")])
        #expect(verified.status == (isDamage ? 1 : 0), "\(verified)")
        let again = ProgramRun(["verify", folder.path("whole.jsonl")])
        #expect(again.status == 0 && again.output.contains(#""commits":6"#), "\(verified)\n\(again)")
        #expect(
            ProgramRun(["log", folder.path("whole.jsonl")]).output == ProgramRun(["log", path, "--recover"]).output
                || isDamage)
    }

    @Test(
        "of a segment is written anew with the number that its records go on from",
        arguments: [(40, 4), (4, 40), (77, 77)])
    func repairedSegment(seq: Int, after: Int) throws {
        let maker = JournalMaker(seed: 4, after: 40, commits: 5, gaps: false)
        let text = String(decoding: maker.bytes, as: UTF8.self)
        let end = try #require(text.firstIndex(of: "\n"))
        let sum = text.range(of: #","sum":"#).map(\.lowerBound) ?? end
        let first = text[..<min(sum, end)].replacingOccurrences(of: #""seq":40"#, with: "\"seq\":\(seq)")
            .replacingOccurrences(of: #""after":40"#, with: "\"after\":\(after)")
        let line = sum < end ? first + "}" : first
        let path = folder.write(line + text[end...], to: "run.jsonl")
        let verified = ProgramRun(["verify", path, "--repair", folder.path("whole.jsonl")])
        #expect(verified.status == 1, "\(verified)")
        let again = ProgramRun(["verify", folder.path("whole.jsonl")])
        #expect(again.status == 0 && again.output.contains(#""commits":5"#), "\(verified)\n\(again)")
    }

    @Test("one that is too long is called so, and not what it is not")
    func tooLong() {
        let text = #"{"a":""# + String(repeating: "x", count: Journal.headerLengthLimit) + "\"}\n"
        let run = ProgramRun(["info", folder.write(text, to: "run.jsonl")])
        #expect(run.status == 3 && run.messages.contains("its first line is longer than the 1 MiB"), "\(run)")
    }
}
