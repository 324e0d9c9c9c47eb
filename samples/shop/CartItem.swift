/// So many of one product, at the price that it had when it was put in.
struct CartItem: Encodable, Equatable, Identifiable, Sendable {
    let id: Product.ID
    let price: Int
    var quantity: Int
}

/// There is no more of a product to put in.
struct OutOfStock: Error {
    let product: Product.ID
    let stock: Int
}
