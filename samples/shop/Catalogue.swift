import StateStore

/// What the shop sells: each product once, in a table; what else there is holds identities only.
struct CatalogueState: EntityDatabase, Equatable {
    var products = EntityTable<Product>()
    /// The order of the list screen.
    var order = OrderedIndex<Product>()
    /// What stands on each shelf; it follows the products by itself.
    var shelves = GroupIndex<Product.Shelf, Product>()
    /// The product on the detail screen.
    var shown: Product.ID?

    static var indexes: [IndexRule<CatalogueState>] {
        [.ordered(\.order, of: \.products), .grouped(\.shelves, of: \.products, by: \.shelf)]
    }
}

/// The store of the products.
final class Catalogue: Sendable {
    let store: Store<CatalogueState>
    /// The titles of what stands beside the product on the detail screen.
    let neighbours: Derived<[String]>

    init(recorder: Recorder?) {
        store = Store(CatalogueState(), recorder: recorder)
        neighbours = store.derived(\.products, \.shelves, \.shown, named: "neighbours") { products, shelves, shown in
            guard let shown, let product = products[shown] else { return [] }
            return products.ordered(by: shelves[product.shelf]).filter { $0.id != shown }.map(\.title)
        }
    }

    /// Takes what the server sells now: one batch, after which the indexes are right.
    func receive(_ products: [Product]) {
        store.batch(\.self) { catalogue in
            catalogue.products.setAll(products)
            catalogue.order = OrderedIndex(products.map(\.id))
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

    /// The server counted the stock of a product, which no index is about.
    func setStock(_ id: Product.ID, to count: Int) {
        store.commit { $0.products[id]?.stock = count }
    }
}
