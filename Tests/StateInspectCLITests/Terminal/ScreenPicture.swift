import Foundation
import TestSupport
import Testing

@testable import CommandLine
@testable import Debugger

/// A screen as a picture (SVG): what the README shows of answers and of the full screen.
///
/// Each run of one style gets the width of its cells, so columns align in whatever font the reader has; lines and bars are drawn,
/// since fonts leave gaps between them.
struct ScreenPicture {
    let screen: ScreenBuffer

    /// The pixels of a cell.
    private static let (width, height) = (8, 18)
    /// The pixels around all cells.
    private static let margin = 12
    private static let (ink, ground) = ("#d6dae2", "#1b1f27")
    /// The eight colours of a theme, and their bright ones.
    private static let palette = [
        "#3b4252", "#ef6b73", "#7fd08a", "#e9c46a", "#7aa2f7", "#c792ea", "#5fc9d8", "#d6dae2",
        "#8b93a5", "#ff8b92", "#9be3a5", "#f5d98b", "#9dbcff", "#dcb3f5", "#86deea", "#ffffff",
    ]

    init(_ screen: ScreenBuffer) { self.screen = screen }

    /// A screen just large enough for lines as a `Style` coloured them.
    init(lines: [String]) {
        let lines = lines.map(Self.line)
        var screen = ScreenBuffer(ScreenSize(columns: lines.map(\.columns).max() ?? 0, rows: lines.count))
        for (row, line) in lines.enumerated() { screen.write(line, row: row, column: 0) }
        self.screen = screen
    }

    /// What a `Style` put around the parts of a line becomes their look.
    private static func line(_ colored: String) -> StoryLine {
        var pieces = colored.components(separatedBy: "\u{1B}[")[...]
        var line: StoryLine = "\(pieces.removeFirst())"
        for piece in pieces {
            let end = piece.firstIndex(of: "m") ?? piece.startIndex
            var look = CellStyle.plain
            for part in piece[..<end].split(separator: ";") {
                switch Int(part) ?? 0 {
                case 1: look = look.with(.bold)
                case 2: look = look.with(.dim)
                case let code where (30...37).contains(code): look.foreground = .base(UInt8(code - 30))
                default: break
                }
            }
            line += "\(piece[end...].dropFirst(), .look(look))"
        }
        return line
    }

    /// The picture's file.
    var svg: String {
        let width = screen.size.columns * Self.width + 2 * Self.margin
        let height = screen.size.rows * Self.height + 2 * Self.margin
        var lines = [
            #"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \#(width) \#(height)" width="\#(width)""#
                + #" height="\#(height)" font-family="ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace""#
                + #" font-size="13" fill="\#(Self.ink)">"#,
            #"<rect width="100%" height="100%" rx="8" fill="\#(Self.ground)"/>"#,
        ]
        for row in 0..<screen.size.rows { lines += runs(of: row).flatMap { draw($0, row) } }
        return lines.joined(separator: "\n") + "\n</svg>\n"
    }

    /// Cells beside each other that look alike.
    private struct Run {
        let column: Int
        var text: String
        var columns: Int
        let style: CellStyle
    }

    /// The runs of a row; what follows two spaces begins another, so that no font moves it.
    private func runs(of row: Int) -> [Run] {
        var runs: [Run] = []
        for column in 0..<screen.size.columns {
            let cell = screen[row, column]
            if let last = runs.last, last.style == cell.style, cell.text == " " || !last.text.hasSuffix("  "),
                Self.isDrawn(cell.text) == Self.isDrawn(last.text)
            {
                runs[runs.count - 1].text += cell.text
                runs[runs.count - 1].columns += 1
            } else {
                runs.append(Run(column: column, text: cell.text, columns: 1, style: cell.style))
            }
        }
        return runs
    }

    private func draw(_ run: Run, _ row: Int) -> [String] {
        let isReverse = run.style.attributes.contains(.reverse)
        let own = (run.style.foreground.map(Self.text) ?? Self.ink, run.style.background.map(Self.text))
        let (front, back) = isReverse ? (own.1 ?? Self.ground, own.0) : own
        let (left, top) = (Self.margin + run.column * Self.width, Self.margin + row * Self.height)
        let opacity = run.style.attributes.contains(.dim) ? #" opacity=".6""# : ""
        var lines: [String] = []
        if let back {
            lines.append(Self.shape(Self.box(left, top, run.columns * Self.width, Self.height), back, opacity: ""))
        }
        if Self.isDrawn(run.text) {
            let boxes = run.text.unicodeScalars.enumerated().map { Self.outline($1, left + $0 * Self.width, top) }
            return boxes.isEmpty ? lines : lines + [Self.shape(boxes.joined(), front, opacity: opacity)]
        }
        let text = run.text.replacing(#/ +$/#, with: "")
        guard !text.allSatisfy({ $0 == " " }) else { return lines }
        let columns = DisplayWidth.of(text)
        let escaped = text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
        let weight = run.style.attributes.contains(.bold) ? #" font-weight="bold""# : ""
        let fill = front == Self.ink ? "" : #" fill="\#(front)""#
        let size = #" textLength="\#(columns * Self.width)" xml:space="preserve""#
        lines.append(#"<text x="\#(left)" y="\#(top + 13)"\#(size)\#(fill)\#(weight)\#(opacity)>\#(escaped)</text>"#)
        return lines
    }

    /// Whether a text is of lines and bars, which are drawn.
    private static func isDrawn(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { "─│┬".unicodeScalars.contains($0) || (0x2581...0x2588).contains($0.value) }
    }

    /// The outline of a line or a bar in its cell.
    private static func outline(_ scalar: Unicode.Scalar, _ left: Int, _ top: Int) -> String {
        let (middle, centre) = (left + width / 2, top + height / 2)
        switch scalar {
        case "─": return box(left, centre, width, 1)
        case "│": return box(middle, top, 1, height)
        case "┬": return box(left, centre, width, 1) + box(middle, centre, 1, height / 2)
        default:
            let filled = (height - 2) * (Int(scalar.value) - 0x2580) / 8
            return box(left, top + height - 1 - filled, width, filled)
        }
    }

    private static func box(_ left: Int, _ top: Int, _ width: Int, _ height: Int) -> String {
        "M\(left) \(top)h\(width)v\(height)h-\(width)z"
    }

    private static func shape(_ outline: String, _ fill: String, opacity: String) -> String {
        #"<path d="\#(outline)" fill="\#(fill)"\#(opacity)/>"#
    }

    private static func text(_ color: ScreenColor) -> String {
        switch color {
        case .base(let number): palette[Int(number & 15)]
        case .rgb(let red, let green, let blue): "rgb(\(red),\(green),\(blue))"
        }
    }
}

/// The pictures of the README are what the program shows; `RECORD_SCREENS=1` draws them anew, and fails the run.
@Suite("The README's pictures")
struct PictureTests {
    private static let root = SharedFolder.packageRoot
    private static let readme =
        (try? String(contentsOf: root.appendingPathComponent("README.md"), encoding: .utf8)) ?? ""

    private func expect(_ picture: ScreenPicture, _ name: String) throws {
        let file = Self.root.appendingPathComponent(".github/pictures/\(name).svg")
        if ProcessInfo.processInfo.environment["RECORD_SCREENS"] != nil {
            try Data(picture.svg.utf8).write(to: file)
            Issue.record("recorded \(file.lastPathComponent)")
        }
        #expect(try picture.svg == String(contentsOf: file, encoding: .utf8), "\(picture.screen.text)")
        #expect(Self.readme.contains("](.github/pictures/\(name).svg)"))
    }

    @Test("the first one is the answer to the command above it")
    func answer() throws {
        let command = "bisect samples/checkout.jsonl --bad '.cart.total < 0'"
        #expect(Self.readme.contains("```sh\nswift run state-inspect \(command)\n```"))
        let samples = Self.root.appendingPathComponent("samples").path
        let run = ProgramRun(
            ["bisect", samples + "/checkout.jsonl", "--bad", ".cart.total < 0", "--no-pager", "--color", "always"],
            width: 400)
        #expect(run.status == 0, "\(run)")
        var lines = run.output.replacing(samples, with: "samples").split(
            separator: "\n", omittingEmptySubsequences: false
        ).map(String.init)
        if lines.last?.isEmpty == true { lines.removeLast() }
        try expect(ScreenPicture(lines: ["$ state-inspect " + command] + lines), "bisect")
    }

    @Test("the full screen is that of the sample's bug")
    func fullScreen() throws {
        let driver = try FullScreenTests.Driver("checkout.jsonl", ScreenSize(columns: 100, rows: 28))
        try driver.type("118g")
        try expect(ScreenPicture(FullScreenView(driver.model).screen), "debug")
    }
}
