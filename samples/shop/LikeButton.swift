import StateStore

/// The heart beside a product: the same button on the list screen and on the detail screen.
///
/// It observes the product's heart and has none of its own, so the two cannot disagree.
final class LikeButton {
    private let product: Product.ID
    private let screen: String
    private let shop: Shop
    private let observation: Subscription

    /// - Parameter draw: shows a heart, an empty one while it is loading, a grey one after a failure.
    init(
        _ product: Product.ID, on screen: String, of shop: Shop,
        draw: @escaping @Sendable (LoadingState<Heart>) -> Void = { _ in }
    ) {
        (self.product, self.screen, self.shop) = (product, screen, shop)
        observation = shop.likes.hearts.observe(product, draw)
    }

    func tap() async {
        shop.recorder?.mark("tapped the heart of \(product) on the \(screen) screen")
        do {
            try await shop.likes.toggle(product)
        } catch {
            shop.feed.post("Your like of \(product) was not saved: \(error)")
        }
    }
}
