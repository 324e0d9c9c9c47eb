import Foundation
import StateReplay
import StateStore
import TestSupport
import Testing

private struct Cart: Codable, Equatable {
    var total = 0
}

private struct SessionState: Codable, Equatable {
    var token = "secret"
}

private struct Reporter {
    let recorder: Recorder

    func makeReport(at copy: URL) throws {
        recorder.mark("reported a bug", level: .error)
        try FileManager.default.copyItem(at: URL(fileURLWithPath: recorder.path), to: copy)
    }
}

/// The code on the page ReportingABug.md.
struct ReportingABugExamples {
    @Test("a copy of a run that goes on has the state at its mark, and no secret")
    func report() async throws {
        let folder = TemporaryFolder()
        let path = folder.path("shop.jsonl")
        let recorder = try Recorder(path, durability: .background, redact: ["/session/token"], limit: 8 << 20)
        let cart = Store(Cart(), name: "cart", recorder: recorder)
        let session = Store(SessionState(), name: "session", recorder: recorder)
        for total in 1...100 { cart.commit { $0.total = total } }

        // A copy may be made before what waits in memory is written; then the next one has it.
        let copy = URL(fileURLWithPath: folder.path("shop-report.jsonl"))
        var total: Int?
        while total != 100 {
            try? FileManager.default.removeItem(at: copy)
            try Reporter(recorder: recorder).makeReport(at: copy)
            total = try? JournalReader(copy.path).state(at: .mark("reported a bug"), of: "cart", as: Cart.self).total
            await Task.yield()
        }

        #expect(!String(decoding: TemporaryFolder.read(copy.path), as: UTF8.self).contains("secret"))
        withExtendedLifetime((cart, session)) { recorder.close() }
    }
}
