import Platform
import TestSupport
import Testing

@testable import CommandLine
@testable import Debugger

@Suite("The screen")
struct ScreenTests {
    private static let styles: [CellStyle] = [
        .plain, .role(.error), .role(.dim), .role(.string), CellStyle(attributes: .reverse),
        CellStyle(foreground: .rgb(200, 30, 30), background: .rgb(20, 20, 20)), .role(.heading).on(.base(8)),
    ]

    private static let words = [
        "a", "abc", "字", "字a字", "e\u{301}", "\u{301}x", "→", "…", "\u{1F600}", "\u{1F468}\u{200D}\u{1F469}",
        "\u{1B}[31m", "\n\t", "\u{202E}", "é", " ",
    ]

    private static func draw(
        on screen: inout ScreenBuffer, _ generator: inout SeededGenerator, count: Int
    ) {
        let size = screen.size
        for _ in 0..<count {
            let row = Int.random(in: 0..<size.rows, using: &generator)
            let column = Int.random(in: 0..<size.columns, using: &generator)
            let end = Int.random(in: 0...size.columns + 3, using: &generator)
            let style = styles.randomElement(using: &generator) ?? .plain
            let part = ScreenArea(row: row, column: column, rows: 2, columns: end)
            switch Int.random(in: 0..<6, using: &generator) {
            case 0: screen.clear(part)
            case 1: screen.restyle(part) { _ in style }
            default:
                let text = (0..<3).map { _ in words.randomElement(using: &generator) ?? "" }.joined()
                screen.write(text, style, row: row, column: column, end: end)
            }
        }
        screen.cursor = Bool.random(using: &generator) ? nil : (size.rows - 1, size.columns / 2)
    }

    @Test(
        "the difference that is written, applied to the old screen, gives the new one", arguments: ColorDepth.allCases)
    func differences(_ depth: ColorDepth) {
        for seed in 0..<40 as Range<UInt64> {
            var generator = SeededGenerator(seed: seed)
            var writer = ScreenWriter(depth)
            var terminal = EmulatedTerminal(ScreenSize(columns: 20, rows: 5))
            var screen = ScreenBuffer(terminal.size)
            for step in 0..<12 {
                if Int.random(in: 0..<8, using: &generator) == 0 {
                    let columns = Int.random(in: 1..<30, using: &generator)
                    screen = ScreenBuffer(ScreenSize(columns: columns, rows: 1 + columns / 4))
                    terminal.resize(screen.size)
                    writer.forget()
                }
                if Int.random(in: 0..<8, using: &generator) == 0 {
                    terminal.garble()
                    writer.forget()
                }
                Self.draw(on: &screen, &generator, count: Int.random(in: 0..<6, using: &generator))
                let bytes = writer.bytes(for: screen)
                terminal.feed(bytes)
                #expect(terminal.problem == nil, "seed \(seed), step \(step): \(terminal.problem ?? "")")
                #expect(terminal.shows(screen, depth), "seed \(seed), step \(step)")
                #expect(writer.bytes(for: screen).isEmpty)
            }
        }
    }

    @Test("a cell that changes costs a few bytes, not a screen")
    func cost() {
        var writer = ScreenWriter(.full)
        var screen = ScreenBuffer(ScreenSize(columns: 200, rows: 60))
        for row in 0..<60 { screen.write(String(repeating: "x", count: 200), row: row, column: 0) }
        #expect(writer.bytes(for: screen).count > 12_000)
        screen.write("y", row: 30, column: 100)
        #expect(writer.bytes(for: screen).count < 40)
    }

    @Test("nothing of a text reaches the terminal that would act on it")
    func escaping() {
        var screen = ScreenBuffer(ScreenSize(columns: 40, rows: 1))
        screen.write("\u{1B}]0;x\u{7}\u{9B}31m\r\n", row: 0, column: 0)
        #expect(screen.text == #"\u001b]0;x\u0007\u009b31m\r\n"# + "\n")
    }

    @Test("a wide character has both its cells or none")
    func wide() {
        var screen = ScreenBuffer(ScreenSize(columns: 5, rows: 1))
        screen.write("字字字", row: 0, column: 0)
        #expect(screen.text == "字字\n")
        screen.write("x", row: 0, column: 1)
        #expect(screen.text == " x字\n")
        screen.write("y", row: 0, column: 2)
        #expect(screen.text == " xy\n")
    }

    @Test(
        "the environment says how many colours there are",
        arguments: [
            (["TERM": "xterm-256color", "COLORTERM": "truecolor"], ColorDepth.full),
            (["TERM": "xterm-256color"], .palette), (["TERM": "xterm"], .sixteen), ([:], .sixteen),
            (["TERM": "xterm-direct"], .full), (["TERM": "screen-256color", "COLORTERM": ""], .palette),
        ])
    func depth(_ variables: [String: String], _ depth: ColorDepth) {
        #expect(ColorDepth(Environment(variables)) == depth)
    }

    @Test("a colour is written as well as the terminal can show it")
    func colors() {
        let style = CellStyle(foreground: .rgb(255, 0, 0), background: .base(12), attributes: [.bold, .reverse])
        #expect(style.parameters(.full) == "1;7;38;2;255;0;0;104")
        #expect(style.parameters(.palette) == "1;7;38;5;196;104")
        #expect(style.parameters(.sixteen) == "1;7;31;104")
        #expect(style.parameters(.none) == "1;7")
        #expect(CellStyle(foreground: .rgb(128, 128, 128)).parameters(.palette) == "38;5;244")
    }
}
