import Foundation
import StateReplay
import StateStore
import TestSupport
import Testing

private struct CartState: Codable, Equatable {
    var items: [String] = []
}

private struct AppState: Codable, Equatable {
    struct User: Codable, Equatable { var token: String }
    var user = User(token: "")
}

/// The code of the page `ReadingStatesBack`.
struct ReadingStatesBackExamples {
    @Test("a store starts where a run was after a commit, or at a mark")
    func startingThere() throws {
        let folder = TemporaryFolder()
        let path = folder.path("run.jsonl")
        try record(path)
        do {
            let cart = try JournalReader(path).state(at: 2, of: "cart", as: CartState.self)
            let store = Store(cart)
            #expect(store.state.items == ["apple 1", "apple 2"])
        }
        let reader = try JournalReader(path)
        let before = try reader.state(at: .mark("tapped Buy"), of: "cart", as: CartState.self)
        #expect(before.items.count == 3)
        do {
            let store = Store(CartState(), name: "cart", recorder: nil)
            try store.restore(from: reader, at: 2)
            #expect(store.items == ["apple 1", "apple 2"])
        }
        do {
            let store = Store(CartState(), name: "cart", recorder: nil)
            let badge = store.derived(\.items, named: "badge") { items in items.count }
            try store.replay(reader) { commit in #expect(badge.value == commit.state.items.count) }
            #expect(store.version > 2)
        }
        let app = try reader.state(of: "app", as: AppState.self, substituting: ["/user/token": "test-token"])
        #expect(app.user.token == "test-token")
    }

    @Test("the first lines of the page, with a run of 117 commits")
    func firstLines() async throws {
        await #expect(processExitsWith: .success) {
            let folder = TemporaryFolder()
            let recorder = try Recorder(folder.path("run.jsonl"))
            let recorded = Store(CartState(), name: "cart", recorder: recorder)
            for number in 1...120 { recorded.commit { $0.items.append("apple \(number)") } }
            recorder.close()
            _ = FileManager.default.changeCurrentDirectoryPath(folder.path)
            let cart = try JournalReader("run.jsonl").state(at: 117, of: "cart", as: CartState.self)
            let store = Store(cart)
            precondition(store.state.items.count == 117)
        }
    }

    private func record(_ path: String) throws {
        let recorder = try Recorder(path)
        let cart = Store(CartState(), name: "cart", recorder: recorder)
        let app = Store(AppState(), name: "app", recorder: recorder)
        for number in 1...3 { cart.commit { $0.items.append("apple \(number)") } }
        recorder.mark("tapped Buy")
        cart.commit { $0.items.removeAll() }
        app.commit { $0.user.token = "secret" }
        recorder.close()
    }
}
