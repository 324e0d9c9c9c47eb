import StateStore
import TestSupport

/// A price list that is set as a whole: of two prices of one article in it the first is kept, where it should be the last.
///
/// It shows on a bill, for an article that was corrected in the file.
final class FirstOfSetAll: RealBug {
    static let name = "first of set all"
    static let report = "https://github.com/reduxjs/redux-toolkit/issues/5320"
    static let fix = "https://github.com/reduxjs/redux-toolkit/pull/5321"
    static let invariants = [".bills.wrong == 0"]

    struct Price: Encodable, Equatable, Sendable {
        let article: String
        var cents: Int
    }
    struct File: Encodable, Equatable, Sendable { var rows: [Price] = [] }
    struct Prices: Encodable, Equatable, Sendable {
        var articles: [String] = []
        var cents: [String: Int] = [:]
    }
    struct Agreed: Encodable, Equatable, Sendable { var cents: [String: Int] = [:] }
    struct Basket: Encodable, Equatable, Sendable { var counts: [String: Int] = [:] }
    struct Search: Encodable, Equatable, Sendable { var text = "" }
    struct Stock: Encodable, Equatable, Sendable { var counts: [String: Int] = [:] }
    struct Bills: Encodable, Equatable, Sendable {
        var count = 0
        var wrong = 0
    }

    let bugs: Bugs
    let file: Store<File>
    let prices: Store<Prices>
    let agreed: Store<Agreed>
    let basket: Store<Basket>
    let searching: Store<Search>
    let stock: Store<Stock>
    let bills: Store<Bills>

    init(_ bugs: Bugs, _ recorder: Recorder) {
        self.bugs = bugs
        file = Store(File(), name: "file", recorder: recorder)
        prices = Store(Prices(), name: "prices", recorder: recorder)
        agreed = Store(Agreed(), name: "agreed", recorder: recorder)
        basket = Store(Basket(), name: "basket", recorder: recorder)
        searching = Store(Search(), name: "search", recorder: recorder)
        stock = Store(Stock(), name: "stock", recorder: recorder)
        bills = Store(Bills(), name: "bills", recorder: recorder)
    }

    func append(_ row: Price) { file.commit { $0.rows.append(row) } }

    func load() {
        let rows = file.state.rows
        guard !rows.isEmpty else { return }
        setAll(rows)
        agree(rows)
    }

    func setAll(_ rows: [Price]) {
        prices.commit { prices in
            prices = Prices()
            for row in rows {
                let isKnown = prices.cents[row.article] != nil
                if !isKnown { prices.articles.append(row.article) }
                if isKnown, bugs.isPlanted(.lostUpdate) { continue }
                prices.cents[row.article] = row.cents
            }
        }
    }

    func agree(_ rows: [Price]) {
        agreed.commit { agreed in
            agreed.cents = Dictionary(rows.map { ($0.article, $0.cents) }, uniquingKeysWith: { _, last in last })
        }
    }

    func setOne(_ price: Price) {
        prices.commit { prices in
            if prices.cents[price.article] == nil { prices.articles.append(price.article) }
            prices.cents[price.article] = price.cents
        }
        agreed.commit { $0.cents[price.article] = price.cents }
        append(price)
    }

    func tidy() { file.commit { file in file.rows = Array(file.rows.suffix(6)) } }
    func sort() { prices.commit { $0.articles.sort() } }
    func put(_ article: String) { basket.commit { $0.counts[article, default: 0] += 1 } }
    func take(_ article: String) { basket.commit { $0.counts[article] = nil } }
    func empty() { basket.commit { $0.counts = [:] } }
    func search(_ text: String) { searching.commit { $0.text = text } }
    func deliver(_ article: String) { stock.commit { $0.counts[article, default: 0] += 5 } }

    func pay() {
        let counts = basket.state.counts
        guard !counts.isEmpty else { return }
        func total(_ cents: [String: Int]) -> Int { counts.reduce(0) { $0 + $1.value * (cents[$1.key] ?? 0) } }
        bills.commit { bills in
            bills.count += 1
            if total(prices.state.cents) != total(agreed.state.cents) { bills.wrong += 1 }
        }
        empty()
    }

    func act(_ random: inout SeededGenerator) {
        let article = "article \(below(9, &random))"
        switch below(24, &random) {
        case 0...4: append(Price(article: article, cents: 10 * (1 + below(9, &random))))
        case 5: load()
        case 6, 7: setOne(Price(article: article, cents: 10 * (1 + below(9, &random))))
        case 8: tidy()
        case 9: sort()
        case 10...13: put(article)
        case 14: take(article)
        case 15: empty()
        case 16...18: search(article)
        case 19, 20: deliver(article)
        default: if below(2, &random) == 0 { pay() }
        }
    }

    func closeDay() { pay() }
}
