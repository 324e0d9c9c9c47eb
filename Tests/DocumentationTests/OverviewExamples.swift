import Foundation
import JournalFormat
import StateStore
import TestSupport
import Testing

private struct CartState: Encodable, Equatable {
    var items: [String] = []
}

/// The code of the page `StateStore`.
struct OverviewExamples {
    @Test("a recorded commit is a line of the journal")
    func recording() throws {
        let folder = TemporaryFolder()
        let path = folder.path("run.jsonl")
        let recorder = try Recorder(path)
        let cart = Store(CartState(), name: "cart", recorder: recorder)
        cart.commit { $0.items.append("apple") }
        recorder.close()
        let journal = try String(contentsOfFile: path, encoding: .utf8)
        #expect(journal.contains(#""kind":"commit","store":"cart""#))
        #expect(journal.contains(#""patch":[{"op":"add","path":"/items/0","value":"apple"}]"#))
    }
}
