import Observation
import StateStore
import TestSupport
import Testing

#if canImport(SwiftUI)
import SwiftUI
#endif

private struct CartState: Encodable, Equatable, Sendable {
    var title = "cart"
    var items: [String] = []
    var discount = 0
}

@MainActor
private final class CartModel {
    let store: Store<CartState>
    let badge: Derived<String>

    init(store: Store<CartState> = Store(CartState(), name: "cart")) {
        self.store = store
        badge = store.derived(\.items, named: "badge") { items in items.isEmpty ? "" : "\(items.count)" }
    }

    var title: String { store.title }

    func add(_ item: String) { store.commit { $0.items.append(item) } }
}

#if canImport(SwiftUI)
private struct CartView: View {
    let model: CartModel

    var body: some View {
        VStack {
            Text(model.title)
            Text(model.badge.value)
            TextField("Title", text: Binding(model.store.binding(\.title)))
            Button("Add an apple") { model.add("apple") }
        }
    }
}

private struct RowView: View {
    let model: CartModel
    let index: Int

    var body: some View { ForEach(model.store.items, id: \.self) { item in Text(item) } }
}
#endif

/// The code of the page `UsingSwiftUI`: the model that a view shows, rendered as SwiftUI does it.
@MainActor
struct SwiftUIExamples {
    /// Renders once, and again whenever what was read has changed.
    @MainActor private final class Screen {
        private(set) var frames: [String] = []
        private let body: @MainActor () -> String

        init(_ body: @escaping @MainActor () -> String) {
            self.body = body
            render()
        }

        private func render() {
            withObservationTracking {
                frames.append(body())
            } onChange: { [weak self] in
                // SwiftUI renders in a later turn of the main actor.
                Task { @MainActor in self?.render() }
            }
        }
    }

    /// Lets the main actor have the turns that were asked for.
    private func settle() async { for _ in 0..<10 { await Task.yield() } }

    @Test("a view is rendered again where what it reads has changed, and not elsewhere")
    func rendering() async {
        let model = CartModel()
        let heading = Screen { model.title }
        let badge = Screen { model.badge.value }
        model.add("apple")
        await settle()
        model.store.commit { $0.discount = 5 }
        model.store.commit { $0.items[0] = "pear" }
        await settle()
        #expect(heading.frames == ["cart"])
        #expect(badge.frames == ["", "1"])
        model.store.binding(\.title).wrappedValue = "basket"
        await settle()
        #expect(heading.frames == ["cart", "basket"])
        #expect(badge.frames.count == 2)
    }

    @Test("a list is rendered again where its rows change, come or go; a row that reads its element, with each commit")
    func rows() async {
        let model = CartModel()
        model.add("apple")
        model.add("pear")
        let list = Screen { model.store[\.items].joined(separator: ",") }
        let row = Screen { model.store[\.items].count > 1 ? model.store[\.items[1]] : "" }
        for change in [
            { $0.items[1] = "plum" }, { $0.title = "basket" }, { $0.items.removeLast() }, { $0.items.append("fig") },
        ] as [(inout CartState) -> Void] {
            model.store.commit { change(&$0) }
            await settle()
        }
        #expect(list.frames == ["apple,pear", "apple,plum", "apple", "apple,fig"])
        #expect(row.frames == ["pear", "plum", "plum", "", "fig"])
    }

    @Test("commits of other threads are rendered too; one that comes while a view renders with the next one")
    func background() async {
        let model = CartModel()
        let badge = Screen { model.badge.value }
        let store = model.store
        await Task.detached { for index in 0..<50 { store.commit { $0.items.append("\(index)") } } }.value
        await settle()
        model.add("last")
        await store.waitUntilDelivered()
        await settle()
        #expect(badge.frames.last == "51")
    }

    @Test("what only the main actor may do is done in its subscribers and loops")
    func effects() async {
        let model = CartModel()
        var titles: [String] = []
        var subscriptions: Set<Subscription> = []
        model.store.subscribe(\.title) { @MainActor title in titles.append(title) }
            .store(in: &subscriptions)
        let counting = Task { @MainActor in
            for await badge in model.badge.values() where badge == "2" { return badge }
            return ""
        }
        model.store.commit { $0.title = "basket" }
        model.add("apple")
        model.add("pear")
        #expect(await counting.value == "2")
        await model.store.waitUntilDelivered()
        #expect(titles.last == "basket")
    }
}
