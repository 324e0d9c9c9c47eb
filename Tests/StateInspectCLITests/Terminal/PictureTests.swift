import Foundation
import TestSupport
import Testing

@testable import StateInspectCLI

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
