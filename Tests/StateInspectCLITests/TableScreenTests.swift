import Foundation
import TestSupport
import Testing

@testable import StateInspectCLI

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
        ["derived", "J", "--define", "total=.cart.total"],
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
            #expect(DisplayWidth.of(String(line)) <= width || line.contains("state-inspect "), "\(line)")
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
        let widest = whole.split(separator: "\n").map { DisplayWidth.of(String($0)) }.max() ?? 0
        #expect(Self.output(command, widest) == whole)
    }
}
