/// Something to buy.
struct Product: Encodable, Equatable, Identifiable, Sendable {
    typealias ID = String

    let id: ID
    var title: String
    /// In whole euros; this shop has no cents.
    var price: Int
    var stock: Int
    /// Whether the shopper likes it.
    ///
    /// It stands here only, however many screens show it.
    var isLiked = false
}
