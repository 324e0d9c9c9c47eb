import Foundation
import TestSupport
import Testing

@testable import StateInspectCLI

@Suite("The width of a screen")
struct ScreenWidthTests {
    /// What people ask of a sample; only values that are asked for as they are may be wider than their screen.
    static let commands: [[String]] = [
        ["info", "J"], ["log", "J"], ["log", "J", "--stat", "-n", "20"], ["log", "J", "-p", "-n", "20"],
        ["marks", "J"],
        ["log", "J", "--all", "-n", "60"], ["show", "J", "118"], ["show", "J", "110..120"], ["blame", "J", "/cart"],
        ["blame", "J", "/session", "--reverse"], ["history", "J", "/cart/total"],
        ["history", "J", "/feed/**", "-n", "30"],
        ["diff", "J", "100", "end"], ["diff", "J", "100", "end", "--name-only"], ["diff", "J", "100", "end", "--stat"],
        ["diff", "J", "K"], ["replay", "J", "-n", "20"], ["replay", "J", "--without", "58", "-n", "20"],
        ["why", "J", "118"],
        ["why", "J", "400"], ["origin", "J", "/feed/entries/3/text"], ["origin", "J", "/cart/discounts/1/code"],
        ["stats", "J"], ["stats", "J", "--store", "cart"], ["verify", "J"],
        ["bisect", "J", "--bad", ".cart.total < 0"], ["bisect", "J", "--bad", ".cart.total > 1000"],
        ["bisect", "J", "--bad", ".cart.total >= 0"], ["bisect", "J", "--monotone", "--bad", ".cart.total < 0"],
        ["check", "J", "--invariant", "total=.cart.total >= 0", "--invariant", "a=.cart.total != null"],
        ["check", "J", "--invariant", "total=.cart.total | keys"],
        ["check", "J", "K", "--invariant", "total=.cart.total >= 0"],
        ["derived", "J"], ["derived", "J", "--define", "total=.cart.total", "--all", "-n", "40"],
        ["derived", "J", "--define", "total=.cart", "--summary"],
        ["derived", "J", "--define", "cart=.cart", "--why", "cart", "--at", "118"],
        ["derived", "J", "--define", "badge=.cart.total", "--check"],
    ]

    @Test("no line that people read is wider than their screen", arguments: commands, [40, 80])
    func narrow(_ command: [String], _ width: Int) {
        let samples = SharedFolder.packageRoot.appendingPathComponent("samples/").path
        let (journal, other) = (samples + "/checkout.jsonl", samples + "/checkout-flipping.jsonl")
        let typed = command.map { $0 == "J" ? journal : $0 == "K" ? other : $0 }
        let run = ProgramRun(typed + ["--no-pager"], width: width)
        #expect((0...5).contains(run.status), "\(run)")
        for line in run.output.split(separator: "\n") where DisplayWidth.of(String(line)) > width {
            // A command is left whole, so that it can be pasted.
            #expect(line.contains("state-inspect "), "\(DisplayWidth.of(String(line))) columns: \(line)")
        }
    }

    @Test("what is wider than the screen goes on below what stands behind its label, in its colour")
    func wrapped() {
        #expect(WrappedLine.lines("abc def", width: 7) == ["abc def"])
        #expect(WrappedLine.lines("abc def", width: nil) == ["abc def"])
        #expect(WrappedLine.lines("  abc def ghi", width: 9) == ["  abc def", "   ghi"])
        #expect(
            WrappedLine.lines("  ab   cdef ghij klmn", width: 18) == ["  ab   cdef ghij", "    klmn"]
                || WrappedLine.lines("  ab   cdef ghij klmn", width: 24) == ["  ab   cdef ghij klmn"])
        #expect(
            WrappedLine.lines("total   from here to there and on", width: 24) == [
                "total   from here to", "  there and on",
            ])
        #expect(WrappedLine.lines("abcdefghij", width: 4) == ["abcd", " efg", " hij"])
        #expect(
            WrappedLine.lines("\u{1B}[1mab cd\u{1B}[0m ef", width: 5)
                == ["\u{1B}[1mab cd\u{1B}[0m", " ef"])
        #expect(
            WrappedLine.lines("\u{1B}[1mab cd\u{1B}[0m", width: 3) == ["\u{1B}[1mab\u{1B}[0m", " \u{1B}[1mcd\u{1B}[0m"])
        let command = "look further:  state-inspect show a-journal-with-a-long-name.jsonl 118"
        #expect(WrappedLine.lines(command, width: 60) == [command])
    }

    @Test("no text is lost where a line is broken", arguments: seeds(1..<201))
    func property(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let parts = ["a", "bc", "日本", "longer", "/cart/items/0", " ", "  ", "   ", "\u{1B}[1m", "\u{1B}[0m", "é"]
        let text = (0..<Int.random(in: 1...40, using: &random)).map { _ in parts.randomElement(using: &random)! }
            .joined()
        let width = Int.random(in: 6...60, using: &random)
        let lines = WrappedLine.lines(text, width: width)
        for line in lines { #expect(DisplayWidth.of(line) <= width, "seed \(seed): \(line)") }
        func bare(_ text: String) -> String {
            text.replacingOccurrences(of: "\u{1B}[1m", with: "").replacingOccurrences(of: "\u{1B}[0m", with: "")
                .replacingOccurrences(of: " ", with: "")
        }
        #expect(bare(lines.joined()) == bare(text), "seed \(seed)")
    }
}
