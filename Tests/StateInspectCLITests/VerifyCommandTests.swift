import Foundation
import Testing

@testable import StateInspectCLI

@Suite("'verify'")
struct VerifyCommandTests {
    @Test("a name that stands twice in an object is warned of, and is no damage")
    func repeatedNames() throws {
        let journal = try ShopJournal { lines in
            lines[1] = lines[1].replacingOccurrences(of: #"{"token":"a1"}"#, with: #"{"to\u006ben":"a0","token":"a1"}"#)
            lines[4] = lines[4].replacingOccurrences(of: #"{"id":1,"price":12}"#, with: #"{"id":1,"price":12,"id":1}"#)
        }
        defer { journal.delete() }
        let run = journal.run("verify", "J")
        #expect(run.status == 0, "\(run)")
        #expect(run.messages.contains("warning: the name 'token' stands twice in an object of line 2"), "\(run)")
        #expect(run.messages.contains("so it is in 1 line more"), "\(run)")
        let plain = try ShopJournal { $0[4] = $0[4].replacingOccurrences(of: #","price":12"#, with: #", "price":12"#) }
        defer { plain.delete() }
        #expect(!plain.run("verify", "J").messages.contains("twice"))
    }

    @Test("what is repaired does not go where the problems stand", arguments: ["-", "/dev/stdout"])
    func repairToOutput(_ path: String) throws {
        let journal = try ShopJournal()
        defer { journal.delete() }
        let run = journal.run("verify", "J", "--repair", path)
        #expect(run.status == 2 && run.output.isEmpty, "\(run)")
    }

    @Test("a line that a repair leaves out is named by its number, and its kind")
    func leftOutLines() throws {
        let journal = try ShopJournal { lines in
            lines.insert(lines[4], at: 5)
            lines.insert("torn {", at: 6)
        }
        defer { journal.delete() }
        let run = journal.run("verify", "J", "--repair", journal.path + ".whole")
        #expect(run.status == 1 && run.messages.contains("left out: 6 (commit), 7 (no record)"), "\(run)")
    }
}
