import StateStore

struct CartState: Encodable, Equatable, Sendable {
    var items: [String] = []
    var price = 0
}

final class Cart: Sendable {
    let store: Store<CartState>
    let label: Derived<String>

    init(recorder: Recorder? = .current) {
        store = Store(CartState(), recorder: recorder)
        label = store.derived(\.items, \.price, named: "label") { items, price in "\(items.count) for € \(price)" }
    }

    func add(_ item: String, price: Int) {
        store.commit { cart in
            cart.items.append(item)
            cart.price += price
        }
    }
}

func recordExample(to path: String, show: @escaping @Sendable (String) -> Void) throws {
    let recorder = try Recorder(path)
    let cart = Cart(recorder: recorder)
    let subscription = cart.label.subscribe { changes in show(changes.current) }
    recorder.mark("tapped Add")
    cart.add("teapot", price: 20)
    subscription.cancel()
    recorder.close()
}
