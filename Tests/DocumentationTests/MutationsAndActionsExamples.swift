import Foundation
import StateStore
import TestSupport
import Testing

private struct Cart: Encodable, Equatable, Sendable {
    var items: [String] = []
    var isPaying = false
    var receipt: String?
}

private struct Shop: Encodable, Equatable, Sendable {
    var cart = Cart()
}

extension Scope where Part == Cart {
    func add(_ item: String) {
        commit { $0.items.append(item) }
    }

    func buy(paying pay: ([String]) async throws -> String) async throws {
        commit { $0.isPaying = true }
        let receipt = try await pay(state.items)
        commit { $0 = Cart(receipt: receipt) }
    }
}

/// The code of the page `MutationsAndActions`.
struct MutationsAndActionsExamples {
    @Test("functions are mutations and actions, and name their commits")
    func scopes() async throws {
        let folder = TemporaryFolder()
        let path = folder.path("run.jsonl")
        let recorder = try Recorder(path)
        let store = Store(Shop(), name: "shop", recorder: recorder)
        let cart = store.scope(\.cart)
        cart.add("apple")
        try await cart.run { try await $0.buy { items in "paid \(items.count)" } }
        recorder.close()
        #expect(store.state.cart == Cart(receipt: "paid 1"))
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
        let names = lines.filter { $0.contains(#""kind":"commit""#) }.compactMap { line in
            ["add(_:)", "buy(paying:)"].first { line.contains(#""name":"\#($0)""#) }
        }
        #expect(names == ["add(_:)", "buy(paying:)", "buy(paying:)"])
        #expect(lines.contains { $0.contains(#""cause":2"#) })
    }
}
