import JournalFormat
import StateStore

/// The shopper's taps and the server's messages, each a moment after the one before.
///
/// What the app does in tasks is waited for, each before the next begins: the order of the journal's lines is the story's.
struct Shopper {
    static let ada = User(name: "Ada", voucher: Discount(code: "SPRING", percent: 60))

    let shop: Shop
    let server: Server
    let clock: ShopClock
    /// The hearts on the list screen.
    private var listed: [Product.ID: LikeButton] = [:]
    /// How many products were looked at: what decides which one is next.
    private var looked = 0

    init(in shop: Shop, of server: Server, clock: ShopClock) {
        (self.shop, self.server, self.clock) = (shop, server, clock)
    }

    // MARK: The list

    /// Opens the app: the list is loaded, and then the hearts that are seen.
    mutating func openShop() async throws {
        shop.catalogue.receive(try await server.products())
        shop.feed.post("Welcome to the tea shop")
        for id in shop.catalogue.store.state.order {
            listed[id] = LikeButton(id, on: "list", of: shop)
            _ = try await shop.likes.hearts.value(for: id)
            // The value may be there before everybody was told of it.
            await shop.likes.store.waitUntilDelivered()
        }
        pause()
    }

    /// Comes back to the app, which asks the server for all products: they are as they were, a commit that changes nothing.
    func comeBack() {
        let catalogue = shop.catalogue.store.state
        shop.catalogue.receive(catalogue.products.ordered(by: catalogue.order))
        pause()
    }

    /// Looks at some products, likes one here and there, reads the feed, while the server counts its stock.
    mutating func browse(_ count: Int) async {
        for _ in 0..<count {
            looked += 1
            await look(at: Assortment.products[looked * 3 % Assortment.products.count].id)
            if looked % 4 == 0 { await listed[topmost]?.tap() }
            if looked % 9 == 0 { shop.feed.readAll() }
            if looked % 5 == 0 { shop.catalogue.setStock("cup", to: 40 - looked / 5) }
            pause()
        }
    }

    /// The product at the top of the list screen, as far as it was scrolled.
    private var topmost: Product.ID { Assortment.products[looked / 4 * 5 % Assortment.products.count].id }

    private func look(at product: Product.ID) async {
        shop.catalogue.show(product)
        // Observed by two buttons now; what the store holds is there at once.
        let button = LikeButton(product, on: "detail", of: shop)
        pause()
        if looked % 7 == 0 {
            await button.tap()
            pause()
        }
        shop.catalogue.back()
        pause()
    }

    /// Types a text into the search field, letter by letter, and clears it.
    func search(_ text: String) {
        for length in 1...text.count {
            shop.search.type(String(text.prefix(length)))
            pause(milliseconds: 210)
        }
        shop.search.type("")
        pause()
    }

    /// Has no network for a while: the heart cannot be loaded anew, nor a like be saved.
    func goThroughTunnel(looking product: Product.ID) async throws {
        shop.recorder?.mark("no network", level: .warning)
        await server.setReachable(false)
        try? await shop.likes.reload(product)
        pause()
        await listed[product]?.tap()
        pause()
        await server.setReachable(true)
        try await shop.likes.reload(product)
        pause()
    }

    // MARK: The cart

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

    // MARK: The till

    func goToTill() {
        shop.checkout.actions.dispatch(.begin)
        pause()
    }

    func choose(_ delivery: Delivery) {
        shop.checkout.actions.dispatch(.chooseDelivery(delivery))
        pause()
    }

    func buy(with card: String) async {
        await shop.tapBuy(with: card)
        pause()
    }

    // MARK: The account

    func signIn() async throws {
        shop.recorder?.mark("signed in")
        try await shop.session.store.scope(\.self).run { try await shop.session.module.signIn($0, as: Self.ada) }
        pause()
    }

    /// What the app does when the server says that the token is too old.
    func renewToken() async throws {
        try await shop.session.store.scope(\.self).run { try await shop.session.module.renew($0) }
        pause()
    }

    /// Says where to send parcels, and wants to hear no more of the cart.
    func fillInForm() {
        let form = shop.settings.openForm()
        form.save(street: "Dorset Street 1", city: "London")
        pause()
        form.notices.cart.wrappedValue = false
        pause()
    }

    func pause(milliseconds: Int = 730) {
        clock.advance(milliseconds: milliseconds)
    }
}
