import JournalFormat
import StateStore

/// The shopper's taps and the server's messages, each a moment after the one before.
struct Shopper {
    static let ada = User(name: "Ada", voucher: Discount(code: "SPRING", percent: 60))

    let shop: Shop
    let clock: ShopClock
    /// How many products were looked at: what decides which one is next.
    private var looked = 0

    init(in shop: Shop, clock: ShopClock) {
        self.shop = shop
        self.clock = clock
    }

    func openShop() {
        shop.catalogue.receive(Assortment.products)
        shop.feed.post("Welcome to the tea shop")
        pause()
    }

    /// Comes back to the app, which asks the server for all products: they are as they were, a commit that changes nothing.
    func comeBack() {
        let catalogue = shop.catalogue.store.state
        shop.catalogue.receive(catalogue.order.compactMap { catalogue.products[$0] })
        pause()
    }

    /// Looks at some products, likes one here and there, reads the feed, while the server counts its stock.
    mutating func browse(_ count: Int) {
        for _ in 0..<count {
            looked += 1
            look(at: Assortment.products[looked * 3 % Assortment.products.count].id)
            if looked % 4 == 0 { LikeButton(product: listed, screen: "list", shop: shop).tap() }
            if looked % 9 == 0 { shop.feed.readAll() }
            if looked % 5 == 0 { shop.catalogue.setStock("cup", to: 40 - looked / 5) }
            pause()
        }
    }

    /// The product at the top of the list screen, as far as it was scrolled.
    private var listed: Product.ID { Assortment.products[looked / 4 * 5 % Assortment.products.count].id }

    private func look(at product: Product.ID) {
        shop.catalogue.show(product)
        pause()
        if looked % 7 == 0 {
            LikeButton(product: product, screen: "detail", shop: shop).tap()
            pause()
        }
        shop.catalogue.back()
        pause()
    }

    /// Puts a product into the cart, or finds out that there is no more of it.
    func put(_ id: Product.ID, times: Int = 1) {
        for _ in 0..<times {
            guard let product = shop.catalogue.store.state.products[id] else { return }
            shop.recorder?.mark("tapped Add on \(id)")
            do {
                try shop.cart.add(product)
            } catch {
                shop.recorder?.mark("only \(error.stock) of \(error.product) left", level: .warning)
            }
            pause()
        }
    }

    func takeOut(_ id: Product.ID) {
        shop.cart.remove(id)
        pause()
    }

    func takeBack(_ code: String) {
        shop.cart.removeDiscount(code)
        pause()
    }

    func signIn() {
        shop.recorder?.mark("signed in")
        shop.session.signIn(Self.ada, token: "a100")
        pause()
    }

    /// What the app does when the server says that the token is too old.
    func refreshToken(_ token: String) {
        shop.session.refresh(token: token)
        pause()
    }

    func buy() {
        shop.tapBuy()
        pause()
    }

    func pause(milliseconds: Int = 730) {
        clock.advance(milliseconds: milliseconds)
    }
}
