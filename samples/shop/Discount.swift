/// A code that takes a part off the price of everything in the cart.
struct Discount: Encodable, Equatable, Sendable {
    let code: String
    let percent: Int
}
