import StateStore

/// Something to buy.
struct Product: Encodable, Equatable, Identifiable, Sendable {
    /// A product's identity, which no other kind of identity can be taken for.
    typealias ID = EntityID<Product, String>

    /// The shelf that it stands on.
    enum Shelf: String, Codable, Sendable {
        case pots, tea, things
    }

    let id: ID
    var title: String
    var shelf: Shelf
    /// In whole euros; this shop has no cents.
    var price: Int
    var stock: Int
}
