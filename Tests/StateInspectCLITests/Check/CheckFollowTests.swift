import Foundation
import Testing

@testable import StateInspectCLI

@Suite("Checking a journal while it is written")
struct CheckFollowTests {
    private static let invariant = ["--invariant", "total=.cart.total >= 0"]

    /// Runs a command on the first lines of the shop's journal; the others come later, a moment after one another.
    private func followed(_ arguments: [String], from first: Int, width: Int? = nil) throws -> ProgramRun {
        let journal = try ShopJournal { $0.removeLast($0.count - first) }
        defer { journal.delete() }
        let path = journal.path
        Thread.detachNewThread {
            for line in ShopJournal.lines[first...] {
                Thread.sleep(forTimeInterval: 0.15)
                let file = FileHandle(forWritingAtPath: path)
                file?.seekToEndOfFile()
                file?.write(Data((line + "\n").utf8))
            }
        }
        return ProgramRun(arguments.map { $0 == "J" ? path : $0 }, width: width)
    }

    @Test("each time an invariant stops to hold has a line of its own, and the end says what became of it")
    func lines() throws {
        let run = try followed(["check", "J", "--follow"] + Self.invariant, from: 6)
        let kinds = run.output.split(separator: "\n").map { $0.dropFirst(9).prefix { $0 != "\"" } }
        #expect(run.status == 1 && kinds == ["violated", "violated", "violation"], "\(run)")
        #expect(run.output.contains(#""invariant":"total","seq":3,"record":{"seq":3"#), "\(run)")
        #expect(run.output.contains(#""invariant":"total","seq":5,"record":{"seq":5"#), "\(run)")
        #expect(run.output.contains(#""lastSeq":6,"positions":3,"stretches":2"#), "\(run)")
    }

    @Test("for people, each is told with what changed, and the end is one line")
    func story() throws {
        let run = try followed(["check", "J", "--follow", "--color", "never"] + Self.invariant, from: 9, width: 80)
        #expect(run.output.contains("total is violated  3   cart   Shop/Cart.swift:42"), "\(run)")
        #expect(run.output.contains("/total   12 → -3"), "\(run)")
        #expect(run.output.contains("total  violated at 3 of 7 positions, from 3 to the end in 2 ranges"), "\(run)")
    }

    @Test("a path that is nowhere is told while the journal is followed, and in the end is no verdict")
    func misspelt() throws {
        for comparison in ["<= 100", "> 100"] {
            let invariant = "total=.cart.totl \(comparison)"
            let run = try followed(["check", "J", "--follow", "--invariant", invariant], from: 6)
            #expect(run.status == 4 && run.messages.contains("there is no '/cart/totl'"), "\(run)")
            #expect(!run.output.contains("violat"), "\(run)")
        }
    }

    @Test("damage ends it with status 3, and what was told before stands")
    func damage() throws {
        let journal = try ShopJournal { $0.remove(at: 10) }
        defer { journal.delete() }
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
