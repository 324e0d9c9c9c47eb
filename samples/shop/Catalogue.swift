import StateStore

/// What the shop sells, each product once, and the order of the list kept apart.
struct CatalogueState: Encodable, Equatable, Sendable {
    var products: [Product.ID: Product] = [:]
    var order: [Product.ID] = []
    /// The product on the detail screen.
    var shown: Product.ID?
}

/// The store of the products.
final class Catalogue: Sendable {
    let store: Store<CatalogueState>
    /// The titles with a heart on the list screen.
    let listHearts: Derived<[String]>
    /// Whether the detail screen shows a heart.
    let detailHeart: Derived<Bool>

    init(recorder: Recorder?) {
        store = Store(CatalogueState(), recorder: recorder)
        listHearts = store.derived("listHearts", \.products, \.order) { products, order in
            order.compactMap { products[$0] }.filter(\.isLiked).map(\.title)
        }
        detailHeart = store.derived("detailHeart", \.products, \.shown) { products, shown in
            shown.flatMap { products[$0]?.isLiked } ?? false
        }
    }

    /// Takes what the server sells now: new products and new numbers, the shopper's own likes kept.
    func receive(_ products: [Product]) {
        store.commit { state in
            for var product in products {
                product.isLiked = state.products[product.id]?.isLiked ?? false
                state.products[product.id] = product
            }
            state.order = products.map(\.id)
        }
    }

    /// Opens the detail screen of a product.
    func show(_ id: Product.ID) {
        store.commit { $0.shown = id }
    }

    /// Goes back to the list.
    func back() {
        store.commit { $0.shown = nil }
    }

    /// The like button, wherever it is shown.
    func toggleLike(_ id: Product.ID) {
        store.commit { $0.products[id]?.isLiked.toggle() }
    }

    /// The server counted the stock of a product.
    func setStock(_ id: Product.ID, to count: Int) {
        store.commit { $0.products[id]?.stock = count }
    }
}
