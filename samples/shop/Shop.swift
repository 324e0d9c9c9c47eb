import JournalFormat
import StateStore

/// The app: its stores, and what links them.
///
/// It has a bug, on purpose, which `README.md` finds with one command.
final class Shop {
    let session: Session
    let catalogue: Catalogue
    let search: Search
    let likes: Likes
    let cart: Cart
    let checkout: Checkout
    let settings: Settings
    let feed: Feed
    let recorder: Recorder?
    private var links: [Subscription] = []

    init(server: Server, recorder: Recorder? = .current) {
        self.recorder = recorder
        session = Session(on: server, recorder: recorder)
        catalogue = Catalogue(recorder: recorder)
        search = Search(in: catalogue, recorder: recorder)
        likes = Likes(of: catalogue, from: server, recorder: recorder)
        cart = Cart(recorder: recorder)
        checkout = Checkout(of: cart, at: server, recorder: recorder)
        settings = Settings(recorder: recorder)
        feed = Feed(recorder: recorder)
        links = [linkVoucher(), linkLikes(), linkCart(), linkOrders()] + display()
    }

    /// A user's voucher comes off the cart.
    private func linkVoucher() -> Subscription {
        session.store.subscribe(initially: false) { [cart] session in
            if let voucher = session.user?.voucher { cart.applyDiscount(voucher) }
        }
    }

    /// The feed tells what the shopper likes.
    private func linkLikes() -> Subscription {
        likes.listHearts.subscribe(initially: false) { [feed, settings] hearts in
            guard settings.store.state.notices.likes, let before = hearts.previous?.current else { return }
            for title in hearts.current where !before.contains(title) { feed.post("You like \(title)") }
        }
    }

    /// The feed tells what is put into the cart.
    private func linkCart() -> Subscription {
        cart.badge.subscribe(initially: false) { [feed, settings] badge in
            guard settings.store.state.notices.cart else { return }
            feed.post(badge.current == 1 ? "1 thing is in your cart" : "\(badge.current) things are in your cart")
        }
    }

    /// What is paid for leaves the cart.
    private func linkOrders() -> Subscription {
        checkout.actions.store.subscribe(\.step, initially: false) { [cart, feed] step in
            guard step == .done else { return }
            cart.empty()
            feed.post("Your order is on its way")
        }
    }

    /// What the screens show: they ask for these values as long as the app runs.
    private func display() -> [Subscription] {
        [
            session.greeting.subscribe { _ in }, search.results.subscribe { _ in },
            catalogue.neighbours.subscribe { _ in }, likes.detailHeart.subscribe { _ in },
            cart.total.subscribe { _ in }, cart.canCheckOut.subscribe { _ in }, feed.unread.subscribe { _ in },
        ]
    }

    /// The button "Buy", which is grey while there is nothing to pay.
    func tapBuy(with card: String) async {
        let isGrey = !cart.canCheckOut.value
        recorder?.mark("tapped Buy", level: isGrey ? .warning : .info)
        if !isGrey { await checkout.pay(cart.store.state.total, with: card) }
    }
}
