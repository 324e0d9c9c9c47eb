import StateStore
import Synchronization
import Testing

private struct CartState: Encodable, Equatable {
    var items: [String] = []
    var discount = 0
}

private struct ScreenState: Encodable, Equatable {
    var percent = 0
}

private struct SessionState: Encodable, Equatable {
    var user: String?
}

private struct Point: Encodable {
    var x: Double
}

private struct MapState: Encodable {
    var position = Point(x: 0)
}

/// What subscribers wrote down.
private final class Shown<Value: Sendable>: Sendable {
    private let list = Mutex<[Value]>([])
    var values: [Value] { list.withLock(\.self) }
    func append(_ value: Value) { list.withLock { $0.append(value) } }
}

/// The code of the pages `DerivedValues` and `Atoms`.
struct DerivedExamples {
    @Test("a derived value is memoized twice, and combined with other stores")
    func derivedValues() {
        let cart = Store(CartState(), recorder: nil)
        let session = Store(SessionState(), recorder: nil)
        let shown = Shown<Int>()
        let badge = cart.derived(\.items) { items in items.count }
        let label = cart.derived(\.items, \.discount) { items, discount in
            discount > 0 ? "\(items.count) items, \(discount) % off" : "\(items.count) items"
        }
        let subscription = badge.subscribe { changes in shown.append(changes.current) }
        cart.commit { $0.items.append("apple") }
        cart.commit { $0.items[0] = "pear" }
        #expect(shown.values == [0, 1])
        #expect(label.value == "1 items")
        let canBuy = Derived(badge, session[\.user]) { count, user in count > 0 && user != nil }
        #expect(!canBuy.value)
        session.commit { $0.user = "Ann" }
        #expect(canBuy.value)
        withExtendedLifetime(subscription) {}
    }

    @Test("a derived value is set by what it is made of, and assigned to another store")
    func setting() {
        let cart = Store(CartState(), recorder: nil)
        let screen = Store(ScreenState(), recorder: nil)
        let percent = cart.derived(\.discount) { $0 * 100 }
        percent.binding(in: cart) { cart, percent in cart.discount = percent / 100 }.wrappedValue = 300
        let link = percent.assign(to: screen.binding(\.percent))
        #expect(cart.discount == 3 && screen.percent == 300)
        withExtendedLifetime(link) {}
    }

    @Test("comparisons are the caller's where there is no ==")
    func comparisons() {
        let map = Store(MapState(), recorder: nil)
        let near = map.input(\.position, by: { abs($0.x - $1.x) < 10 })
        let position = Derived(near, isEqual: { $0.x == $1.x }) { Point(x: $0.x.rounded()) }
        #expect(position.value.x == 0)
        map.commit { $0.position.x = 9 }
        #expect(position.value.x == 0)
        map.commit { $0.position.x = 10.4 }
        #expect(position.value.x == 10)
    }

    @Test("atoms are set, updated and combined")
    func atoms() {
        let requests = Shown<String>()
        let query = Atom("")
        let page = Atom(1)
        let request = Derived(query, page) { query, page in "/search?q=\(query)&page=\(page)" }
        let subscription = request.subscribe { changes in requests.append(changes.current) }
        query.set("apple")
        page.update { $0 += 1 }
        #expect(requests.values == ["/search?q=&page=1", "/search?q=apple&page=1", "/search?q=apple&page=2"])
        withExtendedLifetime(subscription) {}
    }
}
