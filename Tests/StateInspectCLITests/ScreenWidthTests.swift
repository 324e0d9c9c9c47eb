import Foundation
import TestSupport
import Testing

@testable import CommandLine

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
        for line in run.output.split(separator: "\n") where shownWidth(line) > width {
            // A command is left whole, so that it can be pasted.
            #expect(line.contains("state-inspect "), "\(shownWidth(line)) columns: \(line)")
        }
    }

    private func broken(_ line: StoryLine, _ width: Int?) -> [String] {
        line.wrapped(to: width).map { $0.text(Style(isColored: true)) }
    }

    @Test("what is wider than the screen goes on below what stands behind its label, in its colour")
    func wrapped() {
        #expect(broken("abc def", 7) == ["abc def"])
        #expect(broken("abc def", nil) == ["abc def"])
        #expect(broken("  abc def ghi", 9) == ["  abc def", "   ghi"])
        #expect(
            broken("  ab   cdef ghij klmn", 18) == ["  ab   cdef ghij", "    klmn"]
                || broken("  ab   cdef ghij klmn", 24) == ["  ab   cdef ghij klmn"])
        #expect(broken("total   from here to there and on", 24) == ["total   from here to", "  there and on"])
        #expect(broken("abcdefghij", 4) == ["abcd", " efg", " hij"])
        #expect(broken("\("ab cd", .path) ef", 5) == ["\u{1B}[1mab cd\u{1B}[0m", " ef"])
        #expect(broken("\("ab cd", .path)", 3) == ["\u{1B}[1mab\u{1B}[0m", " \u{1B}[1mcd\u{1B}[0m"])
    }

    @Test("a command to paste is never cut, and what only looks like one is")
    func pasted() {
        let command = "state-inspect show a-journal-with-a-long-name.jsonl 118"
        for line in Advice.lookFurther([command, command]).dropFirst() {
            for line in line.wrapped(to: 30) + [line.clipped(to: 30), line.cut(to: 30)] {
                #expect(line.text.hasSuffix("  " + command))
            }
        }
        let path: StoryLine = "  \(command, .path)"
        #expect(path.clipped(to: 30).columns == 30 && path.wrapped(to: 30).allSatisfy { $0.columns <= 30 })
    }

    @Test("no text is lost where a line is broken", arguments: seeds(1..<201))
    func property(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let parts = ["a", "bc", "日本", "longer", "/cart/items/0", " ", "  ", "   ", "é"]
        let roles: [Style.Role] = [.plain, .path, .commit]
        var line = StoryLine()
        for _ in 0..<Int.random(in: 1...40, using: &random) {
            line += "\(parts.randomElement(using: &random)!, roles.randomElement(using: &random)!)"
        }
        let width = Int.random(in: 6...60, using: &random)
        let lines = line.wrapped(to: width)
        for line in lines + [line.clipped(to: width)] { #expect(line.columns <= width, "seed \(seed): \(line.text)") }
        func bare(_ lines: [StoryLine]) -> String {
            lines.flatMap(\.spans).flatMap { span in span.text.filter { $0 != " " }.map { "\($0)\(span.role)" } }
                .joined()
        }
        #expect(bare(lines) == bare([line]), "seed \(seed)")
    }
}

/// How many columns a line of an answer takes on a screen, on which its colours take none.
func shownWidth(_ line: some StringProtocol) -> Int {
    DisplayWidth.of(String(line).replacing(#/\u{1B}\[[0-9;]*m/#, with: ""))
}

/// Expects a text to be that of a file in `Tests/Screens`; `RECORD_SCREENS=1` writes it anew, and fails the run.
func expectRecorded(_ text: String, _ name: String) throws {
    let file = SharedFolder.packageRoot.appendingPathComponent("Tests/Screens/" + name)
    if ProcessInfo.processInfo.environment["RECORD_SCREENS"] != nil {
        try Data(text.utf8).write(to: file)
        Issue.record("recorded \(name)")
    }
    let expected = String(decoding: try Data(contentsOf: file), as: UTF8.self)
    let difference = text.split(separator: "\n").difference(from: expected.split(separator: "\n"))
    #expect(text == expected, "\(name): \(difference)\n\(text)")
}

/// Every table of the command as people see it at some widths.
@Suite("Tables on screens")
struct TableScreenTests {
    static let commands: [[String]] = [
        ["info", "J"], ["log", "J", "--range", "110..125"], ["log", "J", "-p", "--range", "115..119"],
        ["log", "J", "--stat", "--range", "115..119"], ["history", "J", ".checkout.step"],
        ["history", "J", "/session/token"], ["blame", "J", "/cart/total"], ["blame", "J", "/cart", "--at", "118"],
        ["replay", "J", "--select", ".cart.total", "--changed"], ["marks", "J", "-n", "5"], ["why", "J", "118"],
        ["derived", "J", "--define", "total=.cart.total", "--range", "110..125"],
        ["derived", "J", "--define", "total=.cart.total", "--summary"], ["stats", "J", "-n", "3"],
        ["check", "J", "--invariant", "total=.cart.total >= 0"], ["show", "J", "119"],
        ["bisect", "J", "--bad", ".cart.total < 0"], ["diff", "J", "117", "118"], ["diff", "J", "K"],
        ["origin", "J", "/cart/items/0/price"], ["grep", "J", "SPRING"], ["grep", "J", "courier"],
    ]

    private static let samples = SharedFolder.packageRoot.appendingPathComponent("samples").path

    private static func output(_ command: [String], _ width: Int) -> String {
        let names = ["J": "checkout.jsonl", "K": "checkout-good.jsonl"]
        let typed = command.map { word in names[word].map { samples + "/" + $0 } ?? word }
        let run = ProgramRun(typed + ["--no-pager", "--color", "never", "--format", "human"], width: width)
        return run.output.replacing(samples, with: "samples")
    }

    @Test("every table is as it was recorded", arguments: [60, 80, 100, 200])
    func recorded(_ width: Int) throws {
        let text = Self.commands.map { "$ " + $0.joined(separator: " ") + "\n" + Self.output($0, width) }
            .joined(separator: "\n")
        try expectRecorded(text, "tables-\(width).txt")
    }

    @Test("no line is wider than the screen, no time is cut in the middle", arguments: commands, [60, 80, 100, 200])
    func fits(_ command: [String], _ width: Int) {
        for line in Self.output(command, width).split(separator: "\n") {
            #expect(shownWidth(line) <= width || line.contains("state-inspect "), "\(line)")
            #expect(!line.contains(#/\d\d:…|…\.\d\d\d /#), "\(line)")
        }
    }

    @Test(
        "what fits whole is whole",
        arguments: [
            ["blame", "J", "/cart/total"], ["history", "J", ".checkout.step"],
            ["replay", "J", "--select", ".cart.total", "--changed"], ["grep", "J", "courier"],
        ])
    func whole(_ command: [String]) {
        let whole = Self.output(command, 400)
        let widest = whole.split(separator: "\n").map { shownWidth($0) }.max() ?? 0
        #expect(Self.output(command, widest) == whole)
    }
}

@Suite("The width of columns")
struct ColumnFitTests {
    private typealias Step = ColumnFit.Concession

    @Test("what fits is left as it is")
    func whole() {
        #expect(ColumnFit.widths([3, 12, 0, 8], giving: [.part(1, to: 8)], in: 27) == [3, 12, 0, 8])
    }

    @Test("columns give up exactly what is missing, in their order")
    func exact() {
        let steps: [Step] = [.part(0, to: 8), .cut(1, downTo: 4), .cut(2, downTo: 2)]
        #expect(ColumnFit.widths([12, 10, 10], giving: steps, in: 35) == [8, 10, 10])
        #expect(ColumnFit.widths([12, 10, 10], giving: steps, in: 30) == [8, 8, 10])
        #expect(ColumnFit.widths([12, 10, 10], giving: steps, in: 20) == [8, 4, 4])
        #expect(ColumnFit.widths([12, 10, 10], giving: steps, in: 3) == [8, 4, 2])
    }

    @Test("a part that fits after all is given back")
    func givenBack() {
        let steps: [Step] = [.part(0, to: 8), .part(1, to: 2)]
        #expect(ColumnFit.widths([12, 20], giving: steps, in: 29) == [12, 2])
    }

    @Test("no more is given up than is missing, and all of it where that suffices", arguments: seeds(0..<200))
    func property(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let wanted = (0..<5).map { _ in Int.random(in: 0...30, using: &random) }
        let steps = (0..<5).flatMap { column -> [Step] in
            let part = Int.random(in: 0...max(0, wanted[column]), using: &random)
            return [.part(column, to: part), .cut(column, downTo: min(part, 4))]
        }
        let room = Int.random(in: 10...140, using: &random)
        func used(_ widths: [Int]) -> Int { widths.reduce(-2) { $0 + ($1 > 0 ? $1 + 2 : 0) } }
        let widths = ColumnFit.widths(wanted, giving: steps, in: room)
        #expect(zip(widths, wanted).allSatisfy { $0 <= $1 }, "seed \(seed)")
        if used(wanted) <= room { #expect(widths == wanted, "seed \(seed)") }
        let least = used((0..<5).map { min(wanted[$0], 4) })
        if least <= room { #expect(used(widths) <= room, "seed \(seed): \(wanted) \(widths) in \(room)") }
    }
}

@Suite("The rows of a list")
struct LineListTests {
    @Test(
        "a list prints the first rows, or in reverse the last ones, whatever is held back",
        arguments: [0, 1, 3, 7, 100, Int.max], [1, 2, 64])
    func rows(_ limit: Int, _ lookAhead: Int) {
        for count in [0, 1, 2, 3, 6, 7, 8, 63, 64, 65, 200] {
            let rows = Array(0..<count)
            for isReversed in [false, true] {
                var order = ListOrder(limit: limit)
                order.isReversed = isReversed
                var list = LineList<Int>(order, lookAhead: lookAhead)
                var printed: [Int] = []
                for row in rows where !list.isFull { printed += list.take(row) }
                #expect(printed.isEmpty || !isReversed, "a reversed list has no row before its end")
                printed += list.flush()
                #expect(printed == (isReversed ? rows.suffix(limit).reversed() : Array(rows.prefix(limit))))
            }
        }
    }

    @Test("rows that are not counted stand among the others, also after the last one that is wanted")
    func uncounted() {
        var list = LineList<String>(ListOrder(limit: 2), lookAhead: 4)
        #expect(list.take("a").isEmpty && list.take("mark", isCounted: false).isEmpty && list.take("b").isEmpty)
        #expect(list.isFull && list.take("c").isEmpty)
        #expect(list.take("note", isCounted: false) == ["a", "mark", "b", "note"])
        #expect(list.take(nil).isEmpty && list.flush().isEmpty)
    }

    @Test("after the first rows were printed, each further one is due at once")
    func flowing() {
        var list = LineList<Int>(ListOrder())
        #expect(list.take(1).isEmpty)
        #expect(list.flush() == [1])
        #expect(list.take(2) == [2])
    }
}

@Suite("Lines that a workflow's runner reads")
struct LogLineTests {
    @Test(
        "no line begins with two colons, and none holds two number signs",
        arguments: [
            ("::error::x", #":\u003aerror::x"#), ("  ::add-mask::x", #"  :\u003aadd-mask::x"#),
            ("\u{3000}::set-env", "\u{3000}:\\u003aset-env"), ("a\n::b", "a\n:\\u003ab"),
            ("x ##[error]y", #"x #\u0023[error]y"#), ("###vso[x]", #"#\u0023\u0023vso[x]"#),
        ])
    func defused(_ text: String, _ expected: String) { #expect(LogLine.defused(text) == expected) }

    @Test(
        "other lines stay as they are",
        arguments: ["", "a::b", "Shop::Cart", "# heading", "12:00:01  cart", "a: b :: c"])
    func untouched(_ text: String) { #expect(LogLine.defused(text) == text) }
}
