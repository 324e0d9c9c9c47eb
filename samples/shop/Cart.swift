import StateStore

/// What the shopper is about to buy.
struct CartState: Encodable, Equatable, Sendable {
    var items: [CartItem] = []
    var discounts: [Discount] = []
    /// What it costs, in whole euros.
    var total = 0

    /// Works out the total again.
    fileprivate mutating func settle() {
        let full = items.reduce(0) { $0 + $1.price * $1.quantity }
        let percent = discounts.reduce(0) { $0 + $1.percent }
        total = full * (100 - percent) / 100
    }
}

/// The store of the cart.
final class Cart: Sendable {
    let store: Store<CartState>
    /// The number on the cart's icon.
    let badge: Derived<Int>
    /// The text above the button.
    let total: Derived<String>
    /// Whether the button "Buy" can be tapped.
    let canCheckOut: Derived<Bool>

    init(recorder: Recorder?) {
        store = Store(CartState(), recorder: recorder)
        badge = store.derived(\.items, named: "badge") { items in items.reduce(0) { $0 + $1.quantity } }
        total = store.derived(\.total, named: "total") { "€ \($0)" }
        canCheckOut = store.derived(\.items, \.total, named: "canCheckOut") { !$0.isEmpty && $1 >= 0 }
    }

    /// Takes a part off the price of everything in it.
    func applyDiscount(_ discount: Discount) {
        store.commit { cart in
            cart.discounts.append(discount)
            cart.settle()
        }
    }

    /// The cross beside a code: takes it back, as often as it is there.
    func removeDiscount(_ code: String) {
        store.commit { cart in
            cart.discounts.removeAll { $0.code == code }
            cart.settle()
        }
    }

    /// Puts one more of a product in; throws where the shop has no more of it.
    func add(_ product: Product) throws(OutOfStock) {
        try store.commit { cart throws(OutOfStock) in
            let index = cart.items.firstIndex { $0.id == product.id }
            let quantity = index.map { cart.items[$0].quantity } ?? 0
            guard quantity < product.stock else { throw OutOfStock(product: product.id, stock: product.stock) }
            if let index {
                cart.items[index].quantity += 1
            } else {
                cart.items.append(CartItem(id: product.id, price: product.price, quantity: 1))
            }
            cart.settle()
        }
    }

    /// Takes all of a product out.
    func remove(_ id: Product.ID) {
        store.commit { cart in
            cart.items.removeAll { $0.id == id }
            cart.settle()
        }
    }

    /// Everything in it is paid for.
    func empty() {
        store.commit { $0 = CartState() }
    }
}
