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

private struct CartModule: StoreModule {
    typealias State = Cart
    let pay: @Sendable ([String]) async throws -> String

    func add(_ context: Context, _ item: String) {
        context.commit { $0.items.append(item) }
    }

    func buy(_ context: Context) async throws {
        context.commit { $0.isPaying = true }
        let receipt = try await pay(context.state.items)
        context.commit { $0 = Cart(receipt: receipt) }
    }
}

/// The code of the page `MutationsAndActions`.
struct MutationsAndActionsExamples {
    @Test("functions are mutations and actions, and name their commits")
    func module() async throws {
        let folder = TemporaryFolder()
        let path = folder.path("run.jsonl")
        let recorder = try Recorder(path)
        let store = Store(Shop(), name: "shop", recorder: recorder)
        let cart = store.module(CartModule(pay: { "paid \($0.count)" }), at: \.cart)
        cart.dispatch { $0.add($1, "apple") }
        try await cart.dispatch { try await $0.buy($1) }
        recorder.close()
        #expect(store.state.cart == Cart(receipt: "paid 1"))
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
        let names = lines.filter { $0.contains(#""kind":"commit""#) }.compactMap { line in
            ["add(_:_:)", "buy(_:)"].first { line.contains(#""name":"\#($0)""#) }
        }
        #expect(names == ["add(_:_:)", "buy(_:)", "buy(_:)"])
        #expect(lines.contains { $0.contains(#""cause":2"#) })
    }
}
