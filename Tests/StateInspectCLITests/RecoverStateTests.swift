import Testing

@testable import StateInspectCLI

@Suite("The state of a damaged journal")
struct RecoverStateTests {
    @Test("'--recover' gives the last state that is known where damage hides the end, and says which")
    func end() throws {
        for damaged in [7, 12] {
            let journal = try ShopJournal { lines in
                lines[damaged] = lines[damaged].replacing("\"seq\"", with: "\"sqe\"", maxReplacements: 1)
                if damaged == 12 { lines.removeLast() }
            }
            defer { journal.delete() }
            let last = damaged == 7 ? 2 : 5
            #expect(journal.run("state", "J").status == 3)
            let run = journal.run("state", "J", "--recover")
            let whole = try ShopJournal()
            defer { whole.delete() }
            #expect(run.status == 5 && run.output == whole.run("state", "J", "\(last)").output, "\(run)")
            #expect(run.messages.contains("the state at \(last) is the last one before it that is known"), "\(run)")
        }
    }

    @Test("a position that damage hides has no state, also with '--recover'")
    func hidden() throws {
        let journal = try ShopJournal { $0[7] = "damage" }
        defer { journal.delete() }
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
            let journal = try ShopJournal(change)
            defer { journal.delete() }
            let run = journal.run("state", "J", "--recover", "--select", ".cart.total")
            #expect(run.status == 0 && run.output == "-9\n", "\(run)")
        }
    }
}
