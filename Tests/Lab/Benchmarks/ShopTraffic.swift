import StateStore
import TestSupport

/// What happens in the shop: one commit after another, in a mix that follows from a seed.
///
/// A discount larger than any cart is given once, near the end; from there on `cart.total` is negative.
struct ShopTraffic {
    private let store: Store<ShopState>
    /// The commit with the discount.
    let discountAt: Int
    private var random = SeededGenerator(seed: 2)
    private var nextID = 1_000

    init(_ store: Store<ShopState>, commits: Int) {
        self.store = store
        discountAt = max(1, commits - commits / 50)
    }

    /// Makes the commit of a number, counted from 1.
    mutating func commit(_ number: Int) {
        if number == discountAt { return giveDiscount() }
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<20: changeQuantity()
        case 20..<30: addLine()
        case 30..<38: removeLine()
        case 38..<60: sell()
        case 60..<70: changePrice()
        case 70..<80: refreshToken()
        case 80..<88: receivePost()
        case 88..<96: like()
        default: markRead()
        }
    }

    private mutating func pick(_ count: Int) -> Int { Int.random(in: 0..<max(count, 1), using: &random) }

    private func giveDiscount() {
        store.commit { state in
            state.cart.discount = 100_000_000
            state.cart.addUp()
        }
    }

    private mutating func changeQuantity() {
        let (place, quantity) = (pick(8), 1 + pick(9))
        store.commit { state in
            guard place < state.cart.lines.count else { return }
            state.cart.lines[place].quantity = quantity
            state.cart.addUp()
        }
    }

    private mutating func addLine() {
        let (product, id) = (pick(100), nextID)
        nextID += 1
        store.commit { state in
            if state.cart.lines.count >= 8 { state.cart.lines.removeFirst() }
            let price = state.catalogue[product].price
            state.cart.lines.append(ShopState.CartLine(id: id, product: product, quantity: 1, price: price))
            state.cart.addUp()
        }
    }

    private mutating func removeLine() {
        let place = pick(8)
        store.commit { state in
            guard place < state.cart.lines.count else { return }
            state.cart.lines.remove(at: place)
            state.cart.addUp()
        }
    }

    private mutating func sell() {
        let product = pick(100)
        store.commit { $0.catalogue[product].stock -= 1 }
    }

    private mutating func changePrice() {
        let (product, price) = (pick(100), 100 + pick(2_000))
        store.commit { $0.catalogue[product].price = price }
    }

    private mutating func refreshToken() {
        let token = "token-\(random.next())"
        store.commit { state in
            state.user.token = token
            state.user.refreshes += 1
        }
    }

    private mutating func receivePost() {
        let id = nextID
        nextID += 1
        store.commit { state in
            state.feed.removeLast()
            state.feed.insert(ShopState.post(id), at: 0)
            state.unread += 1
        }
    }

    private mutating func like() {
        let place = pick(20)
        store.commit { $0.feed[place].likes += 1 }
    }

    private func markRead() {
        store.commit { $0.unread = 0 }
    }
}
