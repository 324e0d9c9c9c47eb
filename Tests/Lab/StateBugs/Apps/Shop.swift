import StateStore
import Synchronization
import TestSupport

/// The rules of the sample shop with faults that can be switched on: session, cart and till of `samples/shop`, and the orders,
/// the warehouse, the money and the parcels after them.
final class Shop: Subject, Sendable {
    static let name = "shop"
    static let invariants = [
        ".cart.total >= 0", ".cart.percent <= 60", "[.warehouse.stock[] | . >= 0] | all",
        ".till.step != \"paying\" or .till.amount > 0", ".books.money == 0", ".books.goods == 0",
        ".books.reserved == 0",
        ".books.parcels == 0", ".books.points == 0", ".books.cart == 0", ".books.charged == 0",
        ".session.user != null or .session.voucher == null",
    ]
    static let prices = ["teapot": 20, "cup": 5, "kettle": 45, "tin": 9, "sencha": 12, "assam": 11]
    static let names = prices.keys.sorted()

    let bugs: Bugs
    let session: Store<ShopState.Session>
    let catalogue: Store<ShopState.Catalogue>
    let cart: Store<ShopState.Cart>
    let till: Store<ShopState.Till>
    let orders: Store<ShopState.Orders>
    let warehouse: Store<ShopState.Warehouse>
    let ledger: Store<ShopState.Ledger>
    let loyalty: Store<ShopState.Loyalty>
    let post: Store<ShopState.Post>
    let books: Store<ShopState.Books>
    private let links = Mutex<[Subscription]>([])

    init(_ bugs: Bugs, _ recorder: Recorder) {
        self.bugs = bugs
        let full = Dictionary(uniqueKeysWithValues: Self.names.map { ($0, 9) })
        session = Store(ShopState.Session(), name: "session", recorder: recorder)
        catalogue = Store(ShopState.Catalogue(prices: Self.prices), name: "catalogue", recorder: recorder)
        cart = Store(ShopState.Cart(), name: "cart", recorder: recorder)
        till = Store(ShopState.Till(), name: "till", recorder: recorder)
        orders = Store(ShopState.Orders(), name: "orders", recorder: recorder)
        warehouse = Store(ShopState.Warehouse(stock: full, delivered: full), name: "warehouse", recorder: recorder)
        ledger = Store(ShopState.Ledger(), name: "ledger", recorder: recorder)
        loyalty = Store(ShopState.Loyalty(), name: "loyalty", recorder: recorder)
        post = Store(ShopState.Post(), name: "post", recorder: recorder)
        books = Store(ShopState.Books(), name: "books", recorder: recorder)
        links.withLock { $0 = [linkVoucher(), linkOrders()] }
    }

    // MARK: What follows from what

    /// A user's voucher comes off the cart, once for a sign-in.
    private func linkVoucher() -> Subscription {
        session.subscribe(initially: false) { [unowned self] change in
            let isNew = bugs.planted(
                .missingFilter, change.current.user != change.previous?.current.user, true, function: "applyVoucher(_:)"
            )
            if isNew, let voucher = change.current.voucher { applyVoucher(voucher) }
            if change.current.user == nil, change.previous?.current.user != nil { dropVoucher() }
        }
    }

    /// What is paid for is booked, taken out of the warehouse, and sent.
    private func linkOrders() -> Subscription {
        orders.subscribe(initially: false) { [unowned self] change in
            let known = change.previous?.current.list.count ?? 0
            if known == change.current.list.count, let order = change.current.list.last {
                if order.status == "shipped", bugs.isPlanted(.missingFilter, function: "hand(_:)") { hand(order) }
                if order.status == "shipped", bugs.isPlanted(.missingFilter, function: "book(_:)") { book(order) }
                if order.status == "cancelled", bugs.isPlanted(.missingFilter, function: "reward(_:)") { reward(order) }
            }
            guard change.current.list.count > known, let order = change.current.list.last else {
                return cancelled(change)
            }
            if bugs.isPlanted(.effectOrder, function: "emptyCart()") {
                emptyCart()
                sell(cart.state.items)
            } else {
                sell(order.lines)
                emptyCart()
            }
            book(order)
            reward(order)
            hand(order)
        }
    }

    /// What was cancelled is paid back.
    private func cancelled(_ change: Changes<ShopState.Orders>) {
        for order in change.current.list where order.status == "cancelled" {
            let before = change.previous?.current.list.first { $0.number == order.number }?.status
            guard bugs.planted(.missingFilter, before == "paid", true, function: "payBack(_:)") else { continue }
            payBack(order)
            takeBack(order)
        }
    }

    // MARK: The session

    func signIn(_ user: String, voucher: Int?) {
        guard bugs.holds(session.state.user == nil) else { return }
        session.commit { session in
            session.user = user
            session.voucher = bugs.planted(.forgottenReset, voucher, voucher ?? session.voucher)
            session.signIns += 1
        }
    }

    func signOut() {
        session.commit { session in
            session.user = nil
            bugs.change { session.voucher = nil }
        }
    }

    func refresh() {
        session.commit { session in
            session.refreshes += 1
            if bugs.isPlanted(.forgottenReset) { session.user = nil }
        }
    }

    func applyVoucher(_ percent: Int) {
        cart.commit { cart in
            guard bugs.holds(cart.percent == 0) else { return }
            cart.percent += bugs.number(bugs.planted(.wrongOperand, percent, 100 - percent))
            settle(&cart)
            if bugs.isPlanted(.effectOrder) { cart.percent = min(cart.percent + 5, 60) }
        }
    }

    func dropVoucher() {
        cart.commit { cart in
            if bugs.isPlanted(.effectOrder) {
                settle(&cart)
                (cart.percent, cart.coupon) = (0, nil)
                return
            }
            cart.percent = bugs.planted(.forgottenReset, 0, cart.percent)
            cart.coupon = nil
            bugs.change { settle(&cart) }
        }
    }

    // MARK: The catalogue

    func show(_ id: String) {
        catalogue.commit { catalogue in
            catalogue.shown = id
            catalogue.visits += 1
        }
    }

    /// A sale: what is in a cart keeps its price.
    func reprice(_ id: String, to price: Int) {
        catalogue.commit { $0.prices[bugs.planted(.wrongKey, id, $0.shown ?? id)] = bugs.number(max(price, 1)) }
    }

    // MARK: The cart

    private func settle(_ cart: inout ShopState.Cart) {
        let full = cart.items.reduce(0) { $0 + $1.worth }
        cart.total = full * (100 - cart.percent) / 100
    }

    func add(_ id: String) {
        let price = catalogue.state.prices[id] ?? 0
        let free = (warehouse.state.stock[id] ?? 0) - (warehouse.state.reserved[id] ?? 0)
        guard bugs.holds(till.state.step != "paying"), bugs.holds(free > bugs.planted(.offByOne, 0, -1)) else { return }
        cart.commit { cart in
            let added = bugs.number(1)
            if let index = cart.items.firstIndex(where: { $0.id == id }) {
                cart.items[bugs.planted(.wrongKey, index, cart.items.count - 1)].quantity += added
                if bugs.isPlanted(.staleRead) { return }
            } else {
                let other = catalogue.state.shown.flatMap { catalogue.state.prices[$0] } ?? price
                cart.items.append(
                    ShopState.Item(id: id, price: bugs.planted(.staleRead, price, other), quantity: added))
            }
            if bugs.isPlanted(.offByOne), cart.items.count > 4 { return }
            settle(&cart)
        }
        reserve(id)
    }

    func reserve(_ id: String) {
        warehouse.commit { warehouse in
            bugs.change {
                warehouse.reserved[bugs.planted(.wrongKey, id, "cup"), default: 0] += bugs.planted(.offByOne, 1, 2)
            }
        }
    }

    func remove(_ id: String) {
        guard bugs.holds(till.state.step != "paying") else { return }
        guard let item = cart.state.items.first(where: { $0.id == id }) else { return }
        cart.commit { cart in
            cart.items.removeAll { bugs.planted(.wrongKey, $0.id == id, $0.price == item.price) }
            bugs.change { settle(&cart) }
        }
        release(item)
    }

    func release(_ item: ShopState.Item) {
        warehouse.commit { warehouse in
            if bugs.isPlanted(.staleRead), warehouse.reserved[item.id] == 1 { return }
            if bugs.isPlanted(.forgottenReset), item.quantity > 2 { return }
            bugs.change {
                warehouse.reserved[item.id, default: 0] -= bugs.planted(.wrongOperand, item.quantity, 1)
            }
        }
    }

    func enterCoupon(_ code: String) {
        cart.commit { cart in
            guard bugs.holds(cart.coupon == nil) else { return }
            if bugs.isPlanted(.effectOrder) { settle(&cart) }
            cart.coupon = bugs.planted(.forgottenReset, code, nil)
            cart.percent = min(cart.percent + bugs.number(10), bugs.planted(.wrongOperand, 60, 100))
            if cart.items.count > 2, bugs.isPlanted(.lostUpdate) { return }
            bugs.change { settle(&cart) }
        }
    }

    func emptyCart() {
        cart.commit { cart in
            let left = cart.items.count > 3 ? bugs.planted(.forgottenReset, [], [cart.items[3]]) : []
            let percent = bugs.planted(.staleRead, session.state.voucher ?? 0, cart.percent)
            let total = cart.total
            cart = ShopState.Cart()
            cart.percent = min(percent, 60)
            cart.total = bugs.planted(.forgottenReset, 0, total)
            cart.items = left
        }
    }

    // MARK: The till

    func begin() {
        guard bugs.holds(!cart.state.items.isEmpty) else { return }
        till.commit { till in
            till.step = "choosing"
            till.courier = bugs.planted(.forgottenReset, false, till.courier)
            till.amount = bugs.planted(.forgottenReset, 0, till.amount)
            till.problem = nil
        }
    }

    func choose(courier: Bool) {
        guard bugs.holds(till.state.step == "choosing") else { return }
        till.commit { till in
            till.courier = courier
            if bugs.isPlanted(.wrongOperand) { till.step = "away" }
        }
    }

    func startPayment() {
        guard bugs.holds(till.state.step == "choosing"), !cart.state.items.isEmpty else { return }
        till.commit { till in
            let known = till.refusals > 0 ? till.amount : cart.state.total
            let amount = bugs.number(bugs.planted(.staleRead, cart.state.total, known))
            let fee = till.courier ? bugs.planted(.wrongUnit, 7, 700) : 3
            till.amount = bugs.planted(.doubleApply, amount + fee, amount + fee + fee)
            if till.courier, bugs.isPlanted(.wrongUnit) { till.amount *= 100 }
            if till.problem != nil, bugs.isPlanted(.wrongOperand) { till.amount = cart.state.percent }
            bugs.change { till.step = "paying" }
        }
    }

    func refuse() {
        guard bugs.holds(till.state.step == "paying") else { return }
        till.commit { till in
            till.step = "choosing"
            till.problem = "declined"
            till.refusals += 1
            till.amount = bugs.planted(.forgottenReset, 0, till.amount)
        }
    }

    func accept() {
        guard bugs.holds(till.state.step == "paying") else { return }
        if till.state.problem != nil, bugs.isPlanted(.doubleApply, function: "place()") { place() }
        place()
        till.commit { till in
            till.step = bugs.planted(.forgottenReset, "away", "paying")
            till.amount = bugs.planted(.staleRead, 0, till.amount)
        }
    }

    func place() {
        let lines = cart.state.items
        orders.commit { orders in
            let fee = bugs.planted(.wrongOperand, till.state.courier, !till.state.courier) ? 7 : 3
            let order = ShopState.Order(
                number: orders.next, lines: bugs.planted(.offByOne, lines, lines.count > 2 ? lines.dropLast() : lines),
                paid: bugs.planted(.staleRead, till.state.amount, orders.list.last?.paid ?? till.state.amount), fee: fee
            )
            if bugs.isPlanted(.staleRead), let last = orders.list.last, last.status == "cancelled" {
                orders.list.append(ShopState.Order(number: orders.next, lines: last.lines, paid: order.paid, fee: fee))
                orders.next += 1
                return
            }
            bugs.change { orders.list.append(order) }
            bugs.change { orders.next += 1 }
        }
    }

    // MARK: After the till

    func sell(_ lines: [ShopState.Item]) {
        warehouse.commit { warehouse in
            for line in lines.dropLast(bugs.planted(.offByOne, 0, lines.count > 2 ? 1 : 0)) {
                bugs.change { warehouse.stock[line.id, default: 0] -= line.quantity }
                bugs.change { warehouse.reserved[line.id, default: 0] -= line.quantity }
                let id = bugs.planted(.wrongKey, line.id, lines[0].id)
                warehouse.sold[id, default: 0] += bugs.planted(.wrongOperand, line.quantity, 1)
                if bugs.isPlanted(.forgottenReset), line.quantity > 1 { warehouse.reserved[line.id] = 1 }
                if bugs.isPlanted(.doubleApply), line.quantity > 2 { warehouse.sold[line.id, default: 0] += 1 }
            }
        }
    }

    func book(_ order: ShopState.Order) {
        ledger.commit { ledger in
            bugs.change { ledger.balance += bugs.number(order.paid) }
            ledger.entries += 1
            if order.fee == 7, bugs.isPlanted(.doubleApply) { ledger.balance += order.fee }
            if order.lines.count > 2, bugs.isPlanted(.wrongOperand) { ledger.balance -= order.fee }
            if ledger.entries == 3, bugs.isPlanted(.staleRead) { ledger.balance = order.paid }
        }
    }

    func reward(_ order: ShopState.Order) {
        loyalty.commit { loyalty in
            bugs.change { loyalty.spent += order.paid - bugs.planted(.wrongOperand, order.fee, 3) }
            let factor = loyalty.level == "gold" ? 2 : 1
            loyalty.points += bugs.planted(.doubleApply, 1, factor) * (order.paid - order.fee)
            if order.paid > 100, bugs.isPlanted(.offByOne) { loyalty.points += 1 }
            if order.number == 3, bugs.isPlanted(.forgottenReset) { loyalty.spent = 0 }
            if loyalty.points > 150 { loyalty.level = bugs.planted(.lostUpdate, "gold", "plain") }
        }
    }

    func hand(_ order: ShopState.Order) {
        post.commit { post in
            if order.fee == 7, bugs.isPlanted(.doubleApply) { post.waiting.append(order.number) }
            if post.waiting.count > 1, bugs.isPlanted(.lostUpdate) { post.waiting = [] }
            bugs.change { post.waiting.append(bugs.planted(.wrongKey, order.number, order.lines.count)) }
        }
    }

    func send() {
        guard bugs.holds(!post.state.waiting.isEmpty) else { return }
        post.commit { post in
            guard let number = bugs.planted(.effectOrder, post.waiting.first, post.waiting.last) else { return }
            if post.letters > 1, bugs.isPlanted(.staleRead) { post.sent = [] }
            bugs.change { post.sent.append(number) }
            post.waiting.removeAll { $0 == bugs.planted(.wrongKey, number, number - 1) }
            post.letters += 1
        }
        ship()
    }

    func ship() {
        orders.commit { orders in
            guard let number = bugs.planted(.staleRead, post.state.sent.last, post.state.sent.first) else { return }
            for index in orders.list.indices where orders.list[index].number == number {
                bugs.change { orders.list[index].status = "shipped" }
            }
        }
    }

    func cancel(_ index: Int) {
        orders.commit { orders in
            guard orders.list.indices.contains(index) else { return }
            guard bugs.holds(orders.list[index].status == "paid") else { return }
            orders.list[index].status = "cancelled"
        }
    }

    func payBack(_ order: ShopState.Order) {
        ledger.commit { ledger in
            if ledger.refunds > 0, bugs.isPlanted(.lostUpdate) { return }
            if order.paid > 60, bugs.isPlanted(.wrongUnit) { ledger.balance += order.paid * 9 / 10 }
            bugs.change { ledger.balance -= bugs.planted(.wrongOperand, order.paid, order.paid - order.fee) }
            ledger.refunds += bugs.number(order.paid)
        }
        loyalty.commit { loyalty in
            bugs.change { loyalty.points -= order.paid - order.fee }
            loyalty.spent -= order.paid - order.fee
        }
    }

    func takeBack(_ order: ShopState.Order) {
        warehouse.commit { warehouse in
            for line in order.lines {
                let id = bugs.planted(.wrongKey, line.id, order.lines[0].id)
                let count = bugs.planted(.offByOne, line.quantity, max(line.quantity - 1, 1))
                bugs.change { warehouse.stock[id, default: 0] += count }
                bugs.change { warehouse.sold[line.id, default: 0] -= line.quantity }
            }
        }
        post.commit { post in
            if bugs.isPlanted(.lostUpdate) { return }
            post.waiting.removeAll { bugs.planted(.wrongOperand, $0 == order.number, $0 >= order.number) }
        }
    }

    func receiveGoods(_ id: String, _ count: Int) {
        warehouse.commit { warehouse in
            if count == 4, bugs.isPlanted(.doubleApply) { warehouse.stock[id, default: 0] += count }
            if warehouse.stock[id, default: 0] > 9, bugs.isPlanted(.staleRead) { warehouse.stock[id] = 9 }
            bugs.change { warehouse.delivered[id, default: 0] += count }
            warehouse.stock[bugs.planted(.wrongKey, id, "assam"), default: 0] += bugs.number(count)
        }
    }

    // MARK: A day

    func closeDay() {
        let (orders, warehouse, cart) = (orders.state.list, warehouse.state, cart.state)
        let open = orders.filter { $0.status != "cancelled" }
        books.commit { books in
            books.day += 1
            books.money = ledger.state.balance - open.reduce(0) { $0 + $1.paid }
            books.goods = Self.names.reduce(0) { sum, id in
                let there = (warehouse.stock[id] ?? 0) + (warehouse.sold[id] ?? 0)
                return sum + abs(there - (warehouse.delivered[id] ?? 0))
            }
            books.reserved = Self.names.reduce(0) { sum, id in
                let inCart = cart.items.filter { $0.id == id }.reduce(0) { $0 + $1.quantity }
                return sum + abs((warehouse.reserved[id] ?? 0) - inCart)
            }
            let known = post.state.waiting + post.state.sent
            books.parcels = known.count == open.count && Set(known) == Set(open.map(\.number)) ? 0 : 1
            books.points =
                abs(loyalty.state.points - loyalty.state.spent)
                + abs(loyalty.state.spent - open.reduce(0) { $0 + $1.paid - $1.fee })
            let full = cart.items.reduce(0) { $0 + $1.worth }
            books.cart = cart.total - full * (100 - cart.percent) / 100
            // A cart is paid for at between four tenths and the whole of its worth, and with one of two fees.
            books.charged = open.reduce(0) { sum, order in
                let worth = order.lines.reduce(0) { $0 + $1.worth }
                let goods = order.paid - order.fee
                return sum + (goods <= worth && goods >= worth * 4 / 10 ? 0 : 1)
            }
        }
    }

    func act(_ random: inout SeededGenerator) {
        let id = Self.names[below(Self.names.count, &random)]
        switch below(30, &random) {
        case 0...8: add(id)
        case 9: remove(cart.state.items.first?.id ?? id)
        case 10: signIn(["ada", "bob", "cyd"][below(3, &random)], voucher: [nil, 20, 50][below(3, &random)])
        case 11: below(3, &random) == 0 ? signOut() : refresh()
        case 12: refresh()
        case 13: enterCoupon("TEN")
        case 14, 15: show(id)
        case 16: reprice(id, to: (Self.prices[id] ?? 5) - 2 + below(5, &random))
        case 17, 18, 19: begin()
        case 20: choose(courier: below(2, &random) == 0)
        case 21, 22: buy(&random)
        case 23: startPayment()
        case 24: below(2, &random) == 0 ? refuse() : accept()
        case 25, 26: send()
        case 27: cancel(below(orders.state.list.count, &random))
        case 28: receiveGoods(id, 1 + below(4, &random))
        default: accept()
        }
    }

    /// The whole way through the till.
    private func buy(_ random: inout SeededGenerator) {
        begin()
        choose(courier: below(3, &random) == 0)
        startPayment()
        if below(4, &random) == 0 { refuse() } else { accept() }
    }
}
