import JournalFormat
import StateStore

/// The app: its stores, and what links them.
///
/// It has a bug, on purpose, which `README.md` finds with one command.
final class Shop {
    let session: Session
    let catalogue: Catalogue
    let cart: Cart
    let feed: Feed
    let recorder: Recorder?
    private var links: [Subscription] = []

    init(recorder: Recorder? = .current) {
        self.recorder = recorder
        session = Session(recorder: recorder)
        catalogue = Catalogue(recorder: recorder)
        cart = Cart(recorder: recorder)
        feed = Feed(recorder: recorder)
        links = [linkVoucher(), linkLikes(), linkOrders()] + display()
    }

    /// A user's voucher comes off the cart.
    private func linkVoucher() -> Subscription {
        session.store.subscribe(initially: false) { [cart] session in
            if let voucher = session.user?.voucher { cart.applyDiscount(voucher) }
        }
    }

    /// The feed tells what the shopper likes.
    private func linkLikes() -> Subscription {
        catalogue.listHearts.subscribe(initially: false) { [feed] hearts in
            guard let before = hearts.previous?.current else { return }
            for title in hearts.current where !before.contains(title) { feed.post("You like \(title)") }
        }
    }

    /// The feed tells what is put into the cart.
    private func linkOrders() -> Subscription {
        cart.badge.subscribe(initially: false) { [feed] badge in
            feed.post(badge.current == 1 ? "1 thing is in your cart" : "\(badge.current) things are in your cart")
        }
    }

    /// What the screens show: they ask for these values as long as the app runs.
    private func display() -> [Subscription] {
        [
            session.greeting.subscribe { _ in }, catalogue.detailHeart.subscribe { _ in },
            cart.total.subscribe { _ in }, cart.canCheckOut.subscribe { _ in }, feed.unread.subscribe { _ in },
        ]
    }

    /// The button "Buy", which is grey while there is nothing to pay.
    func tapBuy() {
        recorder?.mark("tapped Buy", level: cart.canCheckOut.value ? .info : .warning)
    }
}
