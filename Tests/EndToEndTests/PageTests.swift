import Foundation
import TestSupport
import Testing

/// The page of a run in a real browser: `Tests/Browser/page.py` drives a headless Chromium and holds what the page shows
/// against what the command says; `Tests/Browser/layout.py` holds properties of its layout on three screens.
struct PageTests {
    private static let browsers = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]

    private static let isPossible =
        ProgramRun.isThere("python3", "--version") && browsers.contains { ProgramRun.isThere($0, "--version") }

    @Test(
        "the page shows, moves, searches and blames as the command does, and asks for nothing; what matters is in sight",
        .enabled(if: isPossible, "there is no Chromium, or no Python to drive it"), arguments: ["page.py", "layout.py"])
    func page(script: String) async throws {
        let folder = TemporaryFolder()
        let path = SharedFolder.packageRoot.appendingPathComponent("Tests/Browser/" + script).path
        let run = try await ProgramRun.of(
            "python3", [path, BuiltProducts.stateInspect, BuiltProducts.sample("checkout.jsonl"), folder.path],
            in: folder)
        #expect(run.status == 0, "\(run)")
    }
}
