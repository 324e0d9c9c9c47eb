import Foundation
import Testing

@testable import StateInspectCLI

@Suite("How far a work is, told on a terminal")
struct ProgressTests {
    /// A journal of a few megabytes, which any command needs several looks at.
    private static let large = ShopJournal { lines in
        let head = Array(lines[...3])
        lines = head
        for seq in 1...4000 {
            lines.append(
                #"{"seq":\#(seq),"kind":"commit","store":"cart","version":\#(seq),"time":"2026-11-21T12:00:01.000000Z","at":{"file":"Shop/Cart.swift","line":\#(seq % 50 + 1),"column":9,"function":"add(_:)"},"patch":[{"op":"replace","path":"/total","value":\#(seq),"old":\#(seq - 1)}]}"#
            )
        }
        lines.append(#"{"seq":4000,"kind":"end","time":"2026-11-21T12:00:07.000000Z"}"#)
    }

    @Test(
        "every command that reads much tells of it, and takes the line away",
        arguments: [
            ["log", "J", "--source", "Cart.swift:77", "--store", "cart"], ["log", "J", "--where", ".cart.total < 0"],
            ["log", "J", "--reverse", "--where", ".cart.total < 0"],
            ["blame", "J", "/session"], ["blame", "J", "--reverse", "/session"], ["info", "J"],
            ["check", "J", "--invariant", "a=.cart.total >= 0"],
            ["check", "J", "J", "--jobs", "2", "--invariant", "a=.cart.total >= 0"],
            ["replay", "J", "--final", "--without", "3"], ["bisect", "J", "--bad", ".cart.total == 7777"],
            ["history", "J", "/session"], ["derived", "J", "--define", "a=.cart.total > 5", "--summary"],
            ["stats", "J"], ["verify", "J"], ["diff", "J", "J"], ["slice", "J", "1.."],
            ["redact", "J", "--check", "nowhere"], ["redact", "J", "--path", "/session/token", "--check", "nowhere"],
            ["minimize", "J", "--bad", ".cart.total == 7777"], ["marks", "J"],
        ])
    func everyCommand(_ arguments: [String]) throws {
        let journal = Self.large
        let run = ProgramRun(arguments.map { $0 == "J" ? journal.path : $0 }, errorWidth: 60)
        let shown = run.messages.components(separatedBy: "\r").filter { $0.hasPrefix(arguments[0] + "  ") }
        #expect(!shown.isEmpty, "\(run)")
        for line in shown { #expect(line.hasSuffix("\u{1B}[K") && line.count < 63, "\(run)") }
        #expect(run.messages.components(separatedBy: "\r").contains { $0.hasPrefix("\u{1B}[K") }, "\(run)")
        // Nothing of it is seen where messages go to a file.
        #expect(!journal.run(arguments).messages.contains("\r"))
    }

    @Test("the total is that of all journals, also where several are read at a time")
    func total() throws {
        let journal = Self.large
        let size = try #require(try FileManager.default.attributesOfItem(atPath: journal.path)[.size] as? Int)
        let run = ProgramRun(
            ["check", journal.path, journal.path, "--jobs", "2", "--invariant", "a=.cart.total >= 0"], errorWidth: 90)
        #expect(run.messages.contains(" of " + Progress.size(Double(2 * size))), "\(run)")
    }

    @Test("messages as JSON, and terminals that cannot move their cursor, are left alone")
    func left() throws {
        let journal = Self.large
        for (arguments, environment) in [(["--messages", "json"], [:]), ([], ["TERM": "dumb"])] {
            let run = ProgramRun(["stats", journal.path] + arguments, errorWidth: 80, environment: environment)
            #expect(!run.messages.contains("\r"), "\(run)")
        }
    }
}
