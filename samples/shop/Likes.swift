import StateStore

/// The hearts that were asked for: on their way, there, or why not.
struct LikesState: Encodable, Equatable, Sendable {
    var hearts: LoadingStates<Product.ID, Heart> = [:]
}

/// The hearts of the products, wherever they come from: who observes one is not told whether it was there or had to be fetched.
final class Likes: Sendable {
    let store: Store<LikesState>
    let hearts: Repository<Product.ID, Heart>
    /// The titles with a filled heart on the list screen.
    let listHearts: Derived<[String]>
    /// Whether the detail screen shows a filled heart.
    let detailHeart: Derived<Bool>
    private let server: Server

    init(of catalogue: Catalogue, from server: Server, recorder: Recorder?) {
        let store = Store(LikesState(), recorder: recorder)
        let source = RepositorySource<Product.ID, Heart> { id in try await server.heart(of: id) }
        (self.store, self.server) = (store, server)
        hearts = Repository(in: store, at: \.hearts, source: source)

        // Of two stores each: a title is the catalogue's, the heart beside it is not.
        let (known, products) = (store.input(\.hearts), catalogue.store)
        listHearts = Derived(products[\.products], products[\.order], known, named: "listHearts") {
            products, order, hearts in
            products.ordered(by: order).filter { hearts[$0.id]?.content?.isFilled ?? false }.map(\.title)
        }
        detailHeart = Derived(products[\.shown], known, named: "detailHeart") { shown, hearts in
            shown.flatMap { hearts[$0]?.content?.isFilled } ?? false
        }
    }

    /// Asks the server anew; meanwhile the heart from before is shown.
    func reload(_ product: Product.ID) async throws {
        _ = try await hearts.refresh(product).value
    }

    /// Likes a product, or no longer: every button that observes it hears of what the server answers.
    func toggle(_ product: Product.ID) async throws {
        try await hearts.update(product) { [server] heart in
            heart = try await server.setLike(!heart.isFilled, of: product)
        }
    }
}
