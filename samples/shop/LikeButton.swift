import StateStore

/// The heart beside a product: the same button on the list screen and on the detail screen.
///
/// It holds no state of its own, so the two cannot disagree.
struct LikeButton {
    let product: Product.ID
    let screen: String
    let shop: Shop

    func tap() {
        shop.recorder?.mark("tapped the heart of \(product) on the \(screen) screen")
        shop.catalogue.toggleLike(product)
    }
}
