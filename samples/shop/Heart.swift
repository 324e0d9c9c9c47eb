/// What the server knows of the likes of one product.
struct Heart: Encodable, Equatable, Sendable {
    /// Whether the shopper likes it.
    var isFilled = false
    /// How many people like it.
    var count: Int
}
