import Foundation
import TestSupport
import Testing

@testable import StateInspectCLI

@Suite("'verify'")
struct VerifyCommandTests {
    @Test("a name that stands twice in an object is warned of, and is no damage")
    func repeatedNames() throws {
        let journal = ShopJournal { lines in
            lines[1] = lines[1].replacingOccurrences(of: #"{"token":"a1"}"#, with: #"{"to\u006ben":"a0","token":"a1"}"#)
            lines[4] = lines[4].replacingOccurrences(of: #"{"id":1,"price":12}"#, with: #"{"id":1,"price":12,"id":1}"#)
        }
        let run = journal.run("verify", "J")
        #expect(run.status == 0, "\(run)")
        #expect(run.messages.contains("warning: the name 'token' stands twice in an object of line 2"), "\(run)")
        #expect(run.messages.contains("so it is in 1 line more"), "\(run)")
        let plain = ShopJournal { $0[4] = $0[4].replacingOccurrences(of: #","price":12"#, with: #", "price":12"#) }
        #expect(!plain.run("verify", "J").messages.contains("twice"))
    }

    @Test("what is repaired does not go where the problems stand", arguments: ["-", "/dev/stdout"])
    func repairToOutput(_ path: String) throws {
        let journal = ShopJournal()
        let run = journal.run("verify", "J", "--repair", path)
        #expect(run.status == 2 && run.output.isEmpty, "\(run)")
    }

    @Test("a line that a repair leaves out is named by its number, and its kind")
    func leftOutLines() throws {
        let journal = ShopJournal { lines in
            lines.insert(lines[4], at: 5)
            lines.insert("torn {", at: 6)
        }
        let run = journal.run("verify", "J", "--repair", journal.path + ".whole")
        #expect(run.status == 1 && run.messages.contains("left out: 6 (commit), 7 (no record)"), "\(run)")
    }

    @Test(
        "a sum that is written in another way is reported, and a repair leaves it out",
        arguments: [
            #","sum":5}"#, #", "sum":"1a2b3c4d"}"#, #","sum": "1a2b3c4d"}"#, #","sum":null}"#, #","sum":"1a2b3c4d" }"#,
        ])
    func misformedSum(_ tail: String) throws {
        let journal = ShopJournal { $0[4] = String($0[4].dropLast()) + tail }
        let run = journal.run("verify", "J")
        #expect(run.status == 1 && run.output.contains(#""code":"sum","line":5"#), "\(run)")
        let repaired = journal.path + ".whole"
        _ = journal.run("verify", "J", "--repair", repaired)
        let again = ProgramRun(["verify", repaired])
        #expect(again.status == 0 && again.output.contains(#""commits":6"#), "\(again)")
    }

    @Test("a member called 'sum' that is not the line's own last one is none of its sum")
    func otherSums() throws {
        let journal = ShopJournal { lines in
            lines[4] = lines[4].replacingOccurrences(of: #"{"id":1,"price":12}"#, with: #"{"id":1,"sum":5}"#)
            lines[10] = lines[10].replacingOccurrences(of: #"{"id":1,"price":12}"#, with: #"{"id":1,"sum":5}"#)
            lines[8] = #"{"seq":3,"kind":"mark","time":"2026-11-21T12:00:03.500000Z","sum":5,"text":"a"}"#
        }
        let run = journal.run("verify", "J")
        #expect(run.status == 0, "\(run)")
    }

    @Test("what is reported of a journal reaches no terminal unescaped")
    func terminalEscapes() throws {
        let journal = ShopJournal { lines in
            lines[4] = lines[4].replacingOccurrences(of: #""store":"cart""#, with: #""store":"c\u001b[31m""#)
        }
        let run = journal.run("verify", "J", "--format", "human")
        #expect(run.status == 1 && run.output.contains(#"'c\u001b[31m'"#), "\(run)")
        #expect(!run.output.contains("\u{1B}"), "\(run)")
    }

    @Test("a gap whose count contradicts its number is damage to 'verify'")
    func contradictingGap() throws {
        let journal = ShopJournal { lines in
            lines[11] =
                #"{"seq":8,"kind":"gap","time":"2026-11-21T12:00:06.000000Z","first":6,"lost":2,"reason":"r","states":{"cart":{"total":1}}}"#
            lines.removeSubrange(12...)
        }
        let run = journal.run("verify", "J")
        #expect(run.status == 1 && run.output.contains(#""code":"record","line":12"#), "\(run)")
    }

    @Test("commits that were damaged become a gap, and it is said how many commits are left")
    func gap() {
        let folder = TemporaryFolder()
        let sample = SharedFolder.packageRoot.appendingPathComponent("samples/checkout.jsonl").path
        let lines = TemporaryFolder.lines(sample).map { line in
            line.hasPrefix(#"{"seq":30,"kind":"commit""#) ? line.dropLast(40) + "\n" : line + "\n"
        }
        let damaged = folder.write(lines.joined(), to: "damaged.jsonl")
        let out = folder.path("whole.jsonl")
        let run = ProgramRun(["verify", damaged, "--repair", out])
        #expect(run.status == 1 && run.messages.contains("became part of a gap"), "\(run)")
        #expect(run.messages.contains("note: '\(out)' has "), "\(run)")
        #expect(ProgramRun(["state", out, "--at", "30"]).status == 4 && ProgramRun(["verify", out]).status == 0)
    }
}
