import StateStore
import SwiftUI

/// What is in the cart: each row is rendered again where its own item changed, and the toolbar where a derived value fired.
struct CartScreen: View {
    let shop: Shop
    let report: BugReport

    var body: some View {
        List {
            Section("Cart") {
                ForEach(shop.cart.store[\.items]) { item in
                    CartRow(item: item, remove: { shop.cart.remove(item.id) })
                }
            }
            Section("Notices") {
                Toggle("Likes", isOn: Binding(shop.settings.store.binding(\.notices.likes)))
                Toggle("Cart", isOn: Binding(shop.settings.store.binding(\.notices.cart)))
            }
            Section(shop.cart.total.value) {
                Button("Buy") { shop.checkout.actions.dispatch(.begin) }
                    .disabled(!shop.cart.canCheckOut.value)
                ReportButton(report: report)
            }
        }
        .navigationTitle("Shop")
        .badge(shop.cart.badge.value)
    }
}

/// One product of the cart.
struct CartRow: View {
    let item: CartItem
    let remove: @MainActor () -> Void

    var body: some View {
        HStack {
            Text("\(item.quantity) × \(item.id)")
            Spacer()
            Button("Remove", action: remove)
        }
    }
}
