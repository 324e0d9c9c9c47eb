/// The state of a small shop: what an app of that kind holds, in about 15 kB of JSON.
struct ShopState: Codable, Equatable, Sendable {
    struct Product: Codable, Equatable, Identifiable, Sendable {
        var id: Int
        var name: String
        var price: Int
        var stock: Int
        var rating: Double
    }

    struct CartLine: Codable, Equatable, Identifiable, Sendable {
        var id: Int
        var product: Int
        var quantity: Int
        var price: Int
    }

    struct Cart: Codable, Equatable, Sendable {
        var lines: [CartLine] = []
        var discount = 0
        var total = 0

        mutating func addUp() {
            total = lines.reduce(0) { $0 + $1.price * $1.quantity } - discount
        }
    }

    struct User: Codable, Equatable, Sendable {
        var name = "Ada"
        var token = "token-0"
        var refreshes = 0
    }

    struct Post: Codable, Equatable, Identifiable, Sendable {
        var id: Int
        var author: String
        var text: String
        var likes: Int
    }

    var cart = Cart()
    var catalogue: [Product]
    var feed: [Post]
    var unread = 0
    var user = User()

    /// A shop of so many products.
    init(products: Int = 100, posts: Int = 20) {
        catalogue = (0..<products).map { id in
            Product(
                id: id, name: "product number \(id)", price: 100 + 37 * (id % 50), stock: 1_000,
                rating: Double(id % 50) / 10)
        }
        feed = (0..<posts).map(ShopState.post)
    }

    static func post(_ id: Int) -> Post {
        Post(id: id, author: "author \(id % 13)", text: "what the author had to say, number \(id)", likes: 0)
    }
}
