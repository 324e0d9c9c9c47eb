import Foundation
import Testing

@testable import StateInspectCLI

@Suite("Checking a journal while it is written")
struct CheckFollowTests {
    private static let invariant = ["--invariant", "total=.cart.total >= 0"]

    @Test("each time an invariant stops to hold has a line of its own, and the end says what became of it")
    func lines() throws {
        let journal = ShopJournal { $0.removeLast(6) }
        var rest = ShopJournal.lines.suffix(6)
        // What is added comes when what was there is answered.
        let sink = MemorySink {
            journal.append(rest)
            rest = []
        }
        let run = ProgramRun(["check", journal.path, "--follow"] + Self.invariant, output: sink)
        let kinds = run.output.split(separator: "\n").map { $0.dropFirst(9).prefix { $0 != "\"" } }
        #expect(run.status == 1 && kinds == ["violated", "violated", "violation"], "\(run)")
        #expect(run.output.contains(#""invariant":"total","seq":3,"record":{"seq":3"#), "\(run)")
        #expect(run.output.contains(#""invariant":"total","seq":5,"record":{"seq":5"#), "\(run)")
        #expect(run.output.contains(#""lastSeq":6,"positions":3,"stretches":2"#), "\(run)")
    }

    @Test("for people, each is told with what changed, and the end is one line")
    func story() throws {
        let journal = ShopJournal()
        let run = ProgramRun(["check", journal.path, "--follow", "--color", "never"] + Self.invariant, width: 80)
        #expect(run.output.contains("total is violated  3   cart   Shop/Cart.swift:42"), "\(run)")
        #expect(run.output.contains("/total   12 → -3"), "\(run)")
        #expect(run.output.contains("total  violated at 3 of 7 positions, from 3 to the end in 2 ranges"), "\(run)")
    }

    @Test("a path that is nowhere is told while the journal is followed, and in the end is no verdict")
    func misspelt() throws {
        for comparison in ["<= 100", "> 100"] {
            let invariant = "total=.cart.totl \(comparison)"
            let run = ShopJournal().run("check", "J", "--follow", "--invariant", invariant)
            #expect(run.status == 4 && run.messages.contains("nothing was ever at '/cart/totl'"), "\(run)")
            #expect(!run.output.contains("violat"), "\(run)")
        }
    }

    @Test("damage ends it with status 3, and what was told before stands")
    func damage() throws {
        let journal = ShopJournal { $0.remove(at: 10) }
        let run = ProgramRun(["check", journal.path, "--follow"] + Self.invariant)
        #expect(run.status == 3 && run.output.contains("violated"), "\(run)")
    }

    @Test(
        "only one journal can be followed, and no document written of it",
        arguments: [
            ["j", "k", "--follow"], ["j", "--follow", "--format", "sarif"], ["j", "--follow", "--format", "junit"],
        ])
    func refused(_ arguments: [String]) {
        let run = ProgramRun(["check"] + arguments + Self.invariant)
        #expect(run.status == 2 && run.output.isEmpty, "\(run)")
    }
}
