import Foundation
import StateStore
import SwiftUI

/// "Report a bug": the newest part of the run as a file that can be sent, secrets hashed as they were recorded.
///
/// On your computer, `state-inspect debug shop-….jsonl` opens it at the mark, `state-inspect report` makes a page of it.
@MainActor @Observable
final class BugReport {
    private let recorder: Recorder?
    /// The journal to be sent; nil before ``make()``.
    private(set) var file: URL?

    init(_ recorder: Recorder?) { self.recorder = recorder }

    /// Marks where the run is, and copies the newest segment, which begins with a keyframe and is a journal of its own.
    func make() {
        guard let recorder else { return }
        recorder.mark("reported a bug", level: .error)
        let copy = FileManager.default.temporaryDirectory.appendingPathComponent("shop-report.jsonl")
        try? FileManager.default.removeItem(at: copy)
        try? FileManager.default.copyItem(at: URL(fileURLWithPath: recorder.path), to: copy)
        file = FileManager.default.fileExists(atPath: copy.path) ? copy : nil
    }
}

/// The button that makes the report, and the one that sends it.
struct ReportButton: View {
    let report: BugReport

    var body: some View {
        Button("Report a bug") { report.make() }
        if let file = report.file { ShareLink("Send the report", item: file) }
    }
}
