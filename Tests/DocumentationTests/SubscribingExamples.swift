import Dispatch
import Observation
import StateStore
import TestSupport
import Testing

private struct Item: Encodable, Equatable, Sendable {
    var name: String
    var price: Int
}

private struct CartState: Encodable, Equatable, Sendable {
    var title = "cart"
    var items: [Item] = []
}

private enum Total: ComputedProperty {
    static func input(of state: CartState) -> [Item] { state.items }
    static func value(of items: [Item]) -> Int { items.reduce(0) { $0 + $1.price } }
}

extension Changes where State == CartState {
    fileprivate var total: Int { computed(Total.self) }
}

@MainActor private final class Label { var text = "" }

/// The code of the pages `SubscribingToChanges` and `ReadingChanges`.
struct SubscribingExamples {
    private let cart = Store(CartState(), name: "cart")

    @Test("a subscriber is called at once and after each change")
    func subscribe() {
        let heard = Locked<[Int]>([])
        let subscription = cart.subscribe { changes in
            changes.ifChanged(\.items) { items in heard.modify { $0.append(items.count) } }
        }
        cart.commit { $0.items.append(Item(name: "apple", price: 2)) }
        cart.commit { $0.title = "basket" }
        subscription.cancel()
        #expect(heard.wrappedValue == [0, 1])
    }

    @Test("each listener compares with what it saw last")
    func comparisons() {
        struct Map: Equatable, Sendable {
            var x = 0
            var zoom = 1
        }
        let (seen, zooms) = (Locked<[Int]>([]), Locked<[Int]>([]))
        let map = Store(Map(), comparing: { abs($0.x - $1.x) < 10 })
        let whole = map.subscribe(initially: false) { changes in seen.modify { $0.append(changes.x) } }
        let part = map.subscribe(\.zoom, initially: false) { zoom in zooms.modify { $0.append(zoom) } }
        for _ in 1...25 { map.commit { $0.x += 1 } }
        map.commit { $0.zoom = 2 }
        #expect(seen.wrappedValue == [10, 20] && zooms.wrappedValue == [2])
        whole.cancel()
        part.cancel()
    }

    @Test("a derived value in a subscriber is that of the version being delivered")
    func derivedInSubscriber() {
        let (apple, pear) = (Item(name: "apple", price: 2), Item(name: "pear", price: 3))
        let counts = Locked<[Int]>([])
        let cart = cart
        let count = cart.derived(\.items, named: "count") { $0.count }
        let second = cart.subscribe(initially: false) { changes in
            guard changes.items.count == 1 else { return }
            cart.commit { $0.items.append(pear) }
            counts.wrappedValue = [cart.items.count, count.value]
        }
        cart.commit { $0.items.append(apple) }
        #expect(counts.wrappedValue == [2, 1] && count.value == 2)
        second.cancel()
    }

    @Test("subscribers may receive on the main actor, and on a queue")
    @MainActor func contexts() async {
        let label = Label()
        let saved = Locked<[String]>([])
        let saving = DispatchQueue(label: "saving")
        let shown = cart.subscribe { @MainActor changes in label.text = changes.title }
        #expect(label.text == "cart")
        let stored = cart.subscribe(on: .queue(saving), initially: false) { changes in
            saved.modify { $0.append(changes.title) }
        }
        cart.commit { $0.title = "basket" }
        await cart.waitUntilDelivered()
        #expect(label.text == "basket")
        #expect(saved.wrappedValue == ["basket"])
        shown.cancel()
        stored.cancel()
    }

    @Test("a queue that is slower than the commits may skip to the newest")
    func newest() async {
        let saved = Locked<[String]>([])
        let saving = DispatchQueue(label: "saving")
        saving.suspend()
        let stored = cart.subscribe(on: .queue(saving), buffering: .newest(1)) { changes in
            changes.ifChanged(\.title) { title in saved.modify { $0.append(title) } }
        }
        for title in ["a", "b", "c"] { cart.commit { $0.title = title } }
        saving.resume()
        await cart.waitUntilDelivered()
        #expect(saved.wrappedValue == ["c"])
        stored.cancel()
    }

    @Test("changes come as a sequence")
    func sequence() async {
        let log = Store(CartState(), name: "log")
        let sequence = cart.changes()
        cart.commit { $0.title = "done" }
        for await changes in sequence {
            changes.ifChanged(\.title) { title in
                changes.causing { log.commit { $0.title = title } }
            }
            if changes.title == "done" { break }
        }
        #expect(log.state.title == "done")
    }

    @Test("values come as a sequence, the newest always")
    func values() async {
        var titles = cart.values(\.title).makeAsyncIterator()
        cart.commit { $0.title = "basket" }
        cart.commit { $0.title = "bag" }
        print(await titles.next() ?? "")
        cart.commit { $0.title = "bag for life" }
        #expect(await titles.next() == "bag for life")
    }

    @Test("subscribers of a store come before those of its derived values")
    func order() async {
        let order = Locked<[String]>([])
        let badge = cart.derived(\.items, named: "badge") { items in items.count }
        let second = badge.subscribe(initially: false) { _ in order.modify { $0.append("derived") } }
        let first = cart.subscribe(initially: false) { changes in order.modify { $0.append(changes.title) } }
        cart.commit { cart in
            cart.title = "basket"
            cart.items.append(Item(name: "apple", price: 2))
        }
        await cart.waitUntilDelivered()
        #expect(order.wrappedValue == ["basket", "derived"])
        withExtendedLifetime((first, second)) {}
    }

    @Test("a read is tracked")
    func observation() {
        let isDue = Locked(false)
        withObservationTracking {
            print(cart[\.title])
        } onChange: {
            isDue.wrappedValue = true
        }
        cart.commit { $0.title = "basket" }
        #expect(isDue.wrappedValue)
    }

    @Test("changes are compared, computed from, and shown as a patch")
    func changes() throws {
        let kept = Locked<[Changes<CartState>]>([])
        let subscription = cart.subscribe { changes in kept.modify { $0.append(changes) } }
        cart.commit { $0.items.append(Item(name: "apple", price: 2)) }
        subscription.cancel()
        for changes in kept.wrappedValue {
            changes.ifChanged(\.title, \.items) { title, items in print(title, items.count) }
            changes.ifChanged({ ($0.title, $0.items.count) }, ==) { title, count in print(title, count) }
            changes.ifChanged(\.items, by: { $0.count == $1.count }) { items in print(items.count) }
            if changes.noChanges(\.title) { print("the title is the same") }
        }
        let changes = kept.wrappedValue[1]
        #expect(changes.total == 2)
        let patch = try changes.patch
        for operation in patch?.operations ?? [] { print(operation.kind, operation.path) }
        #expect(patch?.json == #"[{"op":"add","path":"/items/0","value":{"name":"apple","price":2}}]"#)
        #expect(changes.noChanges(\.title))
    }
}
