/// What the shop of `samples/shop` holds, with what happens after the till.
enum ShopState {
    struct Item: Encodable, Equatable, Sendable {
        let id: String
        var price: Int
        var quantity: Int
        var worth: Int { price * quantity }
    }

    struct Session: Encodable, Equatable, Sendable {
        var user: String?
        var voucher: Int?
        var refreshes = 0
        var signIns = 0
    }

    struct Catalogue: Encodable, Equatable, Sendable {
        var prices: [String: Int] = [:]
        var shown: String?
        var visits = 0
    }

    struct Cart: Encodable, Equatable, Sendable {
        var items: [Item] = []
        var percent = 0
        var coupon: String?
        var total = 0
    }

    struct Till: Encodable, Equatable, Sendable {
        var step = "away"
        var amount = 0
        var courier = false
        var problem: String?
        var refusals = 0
    }

    struct Order: Encodable, Equatable, Sendable {
        let number: Int
        var lines: [Item]
        var paid: Int
        var fee: Int
        var status = "paid"
    }

    struct Orders: Encodable, Equatable, Sendable {
        var list: [Order] = []
        var next = 1
    }

    struct Warehouse: Encodable, Equatable, Sendable {
        var stock: [String: Int] = [:]
        var reserved: [String: Int] = [:]
        var sold: [String: Int] = [:]
        var delivered: [String: Int] = [:]
    }

    struct Ledger: Encodable, Equatable, Sendable {
        var balance = 0
        var refunds = 0
        var entries = 0
    }

    struct Loyalty: Encodable, Equatable, Sendable {
        var points = 0
        var spent = 0
        var level = "plain"
    }

    struct Post: Encodable, Equatable, Sendable {
        var waiting: [Int] = []
        var sent: [Int] = []
        var letters = 0
    }

    /// What the books of a day say: differences, which are all 0 if nothing is wrong.
    struct Books: Encodable, Equatable, Sendable {
        var day = 0
        var money = 0
        var goods = 0
        var reserved = 0
        var parcels = 0
        var points = 0
        var cart = 0
        var charged = 0
    }
}
