import StateStore
import StateStoreTesting
import Testing

#if canImport(SwiftUI)
import SwiftUI
#endif

private struct SessionState: Encodable, Equatable, Sendable {
    var user: String?
}

private struct CartState: Encodable, Equatable, Sendable {
    var items: [String] = []
}

private final class AppStores: Sendable {
    let session: Store<SessionState>
    let cart: Store<CartState>
    let badge: Derived<Int>

    init(recorder: Recorder? = .current) {
        session = Store(SessionState(), name: "session", recorder: recorder)
        cart = Store(CartState(), name: "cart", recorder: recorder)
        badge = cart.derived(\.items, named: "badge") { $0.count }
    }
}

#if canImport(SwiftUI)
private struct CartButton: View {
    @Environment(Store<CartState>.self) private var cart

    var body: some View { Button("\(cart[\.items].count) things") { cart.commit { $0.items.removeAll() } } }
}

private struct Screen: View {
    let stores: AppStores

    var body: some View {
        CartButton().environment(stores.cart)
    }
}
#endif

/// The code on the page OwningStores.md.
struct OwningStoresExamples {
    @Test("a test has stores of its own", .journaled)
    func own() {
        let stores = AppStores()
        stores.cart.commit { $0.items.append("apple") }
        #expect(stores.badge.value == 1)
        #expect(stores.cart.recorder === Recorder.current && stores.session.state.user == nil)
    }
}
