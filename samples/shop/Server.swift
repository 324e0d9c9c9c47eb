/// The shop's server as the app sees it: it answers from memory, each time a moment later, or not at all.
actor Server {
    private let clock: ShopClock
    private var isReachable = true
    private var likes = Dictionary(
        uniqueKeysWithValues: Assortment.products.map { ($0.id, Heart(count: $0.stock * 3)) })
    private var tokens = ["a100", "b200", "c300", "d400"].makeIterator()

    init(clock: ShopClock) { self.clock = clock }

    /// Takes the shopper's network away, or gives it back.
    func setReachable(_ isReachable: Bool) { self.isReachable = isReachable }

    func products() throws(ServerError) -> [Product] {
        try answer()
        return Assortment.products
    }

    func heart(of product: Product.ID) throws(ServerError) -> Heart {
        try answer()
        guard let heart = likes[product] else { throw .noSuchProduct }
        return heart
    }

    func setLike(_ isFilled: Bool, of product: Product.ID) throws(ServerError) -> Heart {
        var heart = try heart(of: product)
        if heart.isFilled != isFilled { heart.count += isFilled ? 1 : -1 }
        heart.isFilled = isFilled
        likes[product] = heart
        return heart
    }

    /// A fresh token; the one before is too old from now on.
    func token() throws(ServerError) -> String {
        try answer()
        guard let token = tokens.next() else { throw .notSignedIn }
        return token
    }

    /// Takes money off a card.
    ///
    /// - Returns: the receipt's number.
    func pay(_ amount: Int, with card: String) throws(ServerError) -> String {
        try answer()
        if card.hasSuffix("0002") { throw .cardDeclined }
        return "R-\(amount)-\(card.suffix(4))"
    }

    private func answer() throws(ServerError) {
        clock.advance(milliseconds: 40)
        if !isReachable { throw .unreachable }
    }
}

/// Why there is no answer.
enum ServerError: Error {
    case unreachable, noSuchProduct, notSignedIn, cardDeclined
}
