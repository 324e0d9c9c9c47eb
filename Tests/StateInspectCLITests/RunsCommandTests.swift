import Foundation
import JSONCore
import TestSupport
import Testing

/// `diff LEFT RIGHT`, `slice`, `merge`, `redact` and `minimize` on a small journal.
@Suite("Commands on runs, and that make journals")
struct RunsCommandTests {
    private let folder = TemporaryFolder()
    private let journal = ShopJournal()

    /// A second run of the shop: commit 3 discounts otherwise.
    private func other() throws -> ShopJournal {
        ShopJournal { lines in
            lines[7] = lines[7].replacingOccurrences(of: #""value":-3"#, with: #""value":3"#)
            lines[9] = lines[9].replacingOccurrences(of: #""old":-3"#, with: #""old":3"#)
        }
    }

    @Test("diff of two runs names the first commit that differs, in both forms")
    func diff() throws {
        let (left, right) = (try other(), ShopJournal())
        let json = ProgramRun(["diff", left.path, right.path])
        #expect(
            json.status == 1 && json.output.hasPrefix(#"{"kind":"divergence","common":2,"left":{"seq":3,"#), "\(json)")
        #expect(
            json.output.hasSuffix(#""patch":[{"op":"replace","path":"/cart/total","value":-3,"old":3}]}"# + "\n"),
            "\(json)")
        let human = ProgramRun(["diff", left.path, right.path, "--color", "never"], width: 100)
        #expect(human.output.hasPrefix("the runs part after 2 commits that both have, in the store cart\n"), "\(human)")
        #expect(human.output.contains("/cart/total   left 3  right -3"), "\(human)")
        let ignored = ProgramRun(["diff", left.path, right.path, "--ignore", "/cart/total"])
        #expect(ignored.status == 0, "\(ignored)")
        #expect(
            ignored.output == #"{"kind":"equal","common":6}"# + "\n", "\(ignored)")
        let final = ProgramRun(["diff", left.path, right.path, "--final"])
        #expect(final.status == 0 && final.output == #"{"kind":"equal","common":null}"# + "\n", "\(final)")
        let named = ProgramRun(["diff", left.path, right.path, "--name-only", "--store", "cart"])
        #expect(named.output.hasSuffix(#""paths":["/total"]}"# + "\n"), "\(named)")
    }

    @Test("the other stores in which two runs part are named, and both ways round the same divergence is")
    func mirrored() throws {
        let samples = SharedFolder.packageRoot.appendingPathComponent("samples")
        let (good, bad) = (samples.path + "/checkout-good.jsonl", samples.path + "/checkout.jsonl")
        let there = ProgramRun(["diff", good, bad])
        #expect(there.output.contains(#""common":116,"left":null,"right":{"seq":117,"#), "\(there)")
        #expect(there.output.contains(#"{"store":"checkout","left":117,"right":119}"#), "\(there)")
        let back = ProgramRun(["diff", bad, good])
        #expect(back.output.contains(#""common":116,"left":{"seq":117,"#), "\(back)")
        #expect(back.output.contains(#"{"store":"checkout","left":119,"right":117}"#), "\(back)")
        let story = ProgramRun(["diff", bad, good, "--format", "human"])
        #expect(story.output.hasPrefix("the runs part after 116 commits that both have, in the store session\n"))
        #expect(story.output.contains("they part in the store checkout too"), "\(story)")
        #expect(story.output.contains("/session/refreshes         left 1  right 0"), "\(story)")
        #expect(!story.output.contains("→"), "\(story)")
    }

    @Test("two files of one JSON value each are compared as two states are")
    func plainTexts() throws {
        let a = folder.write(#"{"a": 1, "z": {"n": [1, 2]}, "same": true}"#, to: "a.json")
        let b = folder.write("{\n  \"z\": {\"n\": [1]},\n  \"same\": true, \"a\": 2}\n", to: "b.json")
        let json = ProgramRun(["diff", a, b])
        #expect(json.status == 1, "\(json)")
        #expect(json.output.contains(#"{"op":"replace","path":"/a","value":2,"old":1}"#), "\(json)")
        #expect(json.output.contains(#"{"op":"remove","path":"/z/n/1","old":2}"#), "\(json)")
        let human = ProgramRun(["diff", a, b, "--format", "human", "--ignore", "/z"])
        #expect(human.status == 1 && human.output == "/a   1 → 2\n", "\(human)")
        let equal = ProgramRun(["diff", a, a])
        #expect(equal.status == 0 && equal.output.hasSuffix(#""patch":[]}"# + "\n"), "\(equal)")
        #expect(ProgramRun(["diff", a, b, "--name-only"]).output.contains(#""paths":["/a","/z/n/1"]"#))
        #expect(ProgramRun(["diff", a, journal.path]).status == 3)
    }

    @Test("what a commit caused stays where the commit is left out, which is said, and goes with '--with-effects'")
    func effects() throws {
        let bad = SharedFolder.packageRoot.appendingPathComponent("samples/checkout.jsonl").path
        let words = "118 was caused by 117 and stays; '--with-effects' takes it too"
        let replay = ["replay", bad, "--final", "--select", ".cart.total", "--without", "117"]
        let alone = ProgramRun(replay)
        #expect(alone.output.contains(#""value":-6"#) && alone.messages.contains(words), "\(alone)")
        let whole = ProgramRun(replay + ["--with-effects"])
        #expect(!whole.output.contains(#""value":-6"#) && !whole.messages.contains("caused by"), "\(whole)")
        #expect(ProgramRun(["replay", bad, "--with-effects"]).status == 2)

        func debug(_ lines: String) -> String {
            let script = folder.write(lines, to: "script")
            return ProgramRun(["debug", bad, "-x", script, "--batch"]).output
        }
        let stays = debug("goto 118\nskip 117\nprint .cart.total\n")
        #expect(
            stays.contains("118 was caused by 117 and stays; 'skip --with-effects 117' takes it too")
                && stays.hasSuffix("-6\n"), "\(stays)")
        let goes = debug("goto 118\nskip --with-effects 117\nprint .cart.total\n")
        #expect(!goes.contains("stays") && goes.hasSuffix("12\n"), "\(goes)")

        let fewest = ProgramRun(["minimize", bad, "--bad", ".cart.total < 0", "-o", folder.path + "/a.jsonl"])
        #expect(fewest.messages.contains("2 of 412 commits are enough: 71, 118 ("), "\(fewest)")
        let caused = ProgramRun(
            ["minimize", bad, "--bad", ".cart.total < 0", "--with-effects", "-o", folder.path + "/b.jsonl"])
        #expect(caused.status == 0 && caused.messages.contains("117"), "\(caused)")
        let why = ProgramRun(["why", folder.path + "/b.jsonl", "end", "--json"])
        #expect(why.output.contains("refresh"), "\(why)")
        #expect(ProgramRun(["verify", folder.path + "/b.jsonl"]).status == 0)
    }

    @Test("a slice has its own end, and an empty one is a journal too")
    func slice() throws {
        let part = journal.run("slice", "J", "2..4")
        #expect(part.status == 0 && part.output.contains(ShopJournal.lines[9] + "\n"), "\(part)")
        #expect(part.output.hasPrefix(#"{"seq":2,"kind":"journal","version":1,"id":"run-1","#), "\(part)")
        #expect(part.output.contains(#""open":["cart","session"],"derived":["badge"],"marks":1"#), "\(part)")
        #expect(journal.run("slice", "J", "3..3").status == 0)
        #expect(journal.run("slice", "J", "4..2").status == 2)
        #expect(journal.run("slice", "J", "4..20").status == 4)
    }

    /// Commands that write a journal, with the option that names it.
    private static let writers = [
        ["slice", "0..2", "-o"], ["merge", "-o"], ["redact", "--path", "/cart", "-o"],
        ["minimize", "--bad", ".cart.total < 0", "-o"], ["verify", "--repair"],
    ]

    @Test("no command writes over a journal that it reads, whatever names it has", arguments: writers)
    func sameFile(_ command: [String]) throws {
        let link = journal.path + ".link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: journal.path)
        for (read, written) in [(journal.path, journal.path), (journal.path, link), (link, journal.path)] {
            let run = ProgramRun([command[0], read] + command.dropFirst() + [written])
            #expect(run.status == 2 && run.messages.contains("is the journal itself"), "\(run)")
        }
        #expect(
            try String(contentsOfFile: journal.path, encoding: .utf8) == ShopJournal.lines.map { $0 + "\n" }.joined())
    }

    @Test("a file that cannot be written is status 3", arguments: writers, ["no/such/out.jsonl", "/tmp"])
    func unwritable(_ command: [String], _ path: String) throws {
        let run = ProgramRun([command[0], journal.path] + command.dropFirst() + [path])
        #expect(run.status == 3 && run.messages.contains("cannot be written"), "\(run)")
    }

    @Test("what cannot be answered leaves an old file as it was, and nothing beside it")
    func oldFile() throws {
        let journal = folder.write(ShopJournal.lines.map { $0 + "\n" }.joined(), to: "run.jsonl")
        let none = folder.write("no journal\n", to: "none.jsonl")
        let out = folder.write("old", to: "out.jsonl")
        for (command, status) in [
            (["redact", journal, "--path", "/cart", "--check", "b7", "-o", out], 1),
            (["verify", none, "--repair", out], 3),
            (["minimize", journal, "--bad", ".cart.total > 99", "-o", out], 1),
        ] as [([String], Int32)] {
            let run = ProgramRun(command)
            #expect(run.status == status && run.output.isEmpty, "\(run)")
            #expect(TemporaryFolder.read(out) == Array("old".utf8) && folder.names.count == 3, "\(run)")
        }
    }

    /// A run whose commits name the one before them as what they take back, and say in `thread` which commit of which run they are.
    private func undoing(_ run: String) throws -> ShopJournal {
        ShopJournal { lines in
            lines = lines.map { line in
                guard line.contains(#""kind":"commit""#), let digits = line.dropFirst(7).split(separator: ",").first,
                    let seq = Int(digits), seq > 1
                else { return line.replacingOccurrences(of: #","patch":"#, with: #","thread":"\#(run)1","patch":"#) }
                return line.replacingOccurrences(
                    of: #","patch":"#, with: #","thread":"\#(run)\#(seq)","undoes":\#(seq - 1),"patch":"#)
            }
        }
    }

    /// For each commit of a journal that takes one back, its thread and that of the other.
    private func undone(in text: String) throws -> [[String]] {
        let commits = try text.split(separator: "\n").map { try JSONParser.parse(String($0)).object ?? JSONObject() }
            .filter { $0["kind"] == .string("commit") }
        return commits.compactMap { commit in
            guard let undoes = commit["undoes"] else { return nil }
            let target = commits.first { $0["seq"] == undoes }
            return [commit["thread"]?.string ?? "", target?["thread"]?.string ?? "none"]
        }
    }

    @Test("what a commit takes back stays the same commit where commits are numbered anew, and must be an earlier one")
    func undoes() throws {
        let (left, right) = (try undoing("L"), try undoing("R"))
        let merged = ProgramRun(["merge", left.path, right.path])
        let pairs = try undone(in: merged.output)
        #expect(merged.status == 0 && pairs.count == 10, "\(merged)")
        for pair in pairs {
            let (run, seq) = (pair[0].prefix(1), Int(pair[0].dropFirst()) ?? 0)
            #expect(pair[1] == "\(run)\(seq - 1)")
        }

        let small = left.run("minimize", "J", "--bad", ".cart.total < 0")
        let minimal = try undone(in: small.output)
        #expect(
            small.status == 0
                && minimal.allSatisfy { pair in
                    pair[1] == "L\((Int(pair[0].dropFirst()) ?? 0) - 1)"
                }, "\(small)")

        let redacted = left.run("redact", "J", "--path", "/session")
        #expect(try undone(in: redacted.output).count == 5, "\(redacted)")
        #expect(left.run("verify", "J").status == 0)

        let wrong = ShopJournal { lines in
            lines[7] = lines[7].replacingOccurrences(of: #","patch":"#, with: #","undoes":3,"patch":"#)
        }
        let verified = wrong.run("verify", "J")
        #expect(
            verified.status == 1 && (verified.output + verified.messages).contains("'undoes' is commit 3"),
            "\(verified)")
        let repaired = wrong.run("verify", "J", "--repair", wrong.path + ".whole")
        let text = try String(contentsOfFile: wrong.path + ".whole", encoding: .utf8)
        #expect(!text.contains("undoes") && text.contains(#""seq":3,"kind":"commit""#), "\(repaired)")
        try FileManager.default.removeItem(atPath: wrong.path + ".whole")
    }

    @Test("merged journals of different apps are told, and stores with one name are renamed")
    func merge() throws {
        let left = ShopJournal()
        let right = ShopJournal { $0[0] = $0[0].replacingOccurrences(of: #""app":"shop""#, with: #""app":"feed""#) }
        let run = ProgramRun(["merge", left.path, right.path])
        #expect(run.status == 0 && run.output.contains(#""store":"cart_2""#), "\(run)")
        #expect(run.messages.contains("the journals are of different apps: 'shop', 'feed'"), "\(run)")
        #expect(run.messages.contains("is called 'cart_2'"), "\(run)")
    }

    @Test("redact proves that a secret is gone, and tells where one is left")
    func redact() throws {
        let journal = ShopJournal {
            $0[8] = #"{"seq":3,"kind":"mark","time":"2026-11-21T12:00:03.500000Z","text":"token-b7"}"#
            $0[6] = $0[6].replacingOccurrences(of: #""b7""#, with: #""token-b7""#)
        }
        let gone = journal.run("redact", "J", "--path", "/session/token", "--check", "token-b7")
        #expect(gone.status == 0 && gone.output.contains(#"{"$redacted":""#), "\(gone)")
        #expect(!gone.output.contains("token-b7"), "\(gone)")
        let left = journal.run("redact", "J", "--check", "token-b7")
        #expect(left.status == 1 && left.output.isEmpty, "\(left)")
        #expect(left.messages.contains("a secret is left in '/text' of the mark record at line 9"), "\(left)")
        #expect(journal.run("redact", "J").status == 2)
    }

    @Test("minimize writes the journal of the commits that are enough")
    func minimize() throws {
        let run = journal.run("minimize", "J", "--bad", ".cart.total < 0")
        #expect(run.status == 0 && run.messages.contains("1 of 6 commits are enough: 3 ("), "\(run)")
        #expect(run.output.contains(#""value":-3,"old":0"#), "\(run)")
        let later = journal.run("minimize", "J", "--bad", "$seq > 3 and .cart.total < 0")
        #expect(later.status == 0 && later.messages.contains("4 of 6 commits are enough"), "\(later)")
        #expect(journal.run("minimize", "J", "--bad", "error(\"x\")").status == 5)
        #expect(journal.run("minimize", "J", "--bad", ".cart.total > 99").status == 1)
        #expect(journal.run("minimize", "J").status == 2)
    }
}
