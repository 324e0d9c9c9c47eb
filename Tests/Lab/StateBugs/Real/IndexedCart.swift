import StateStore
import TestSupport

/// A cart whose products are indexed when totals come in: what is indexed already is indexed once more, and loses its attributes.
///
/// It shows at the till, where a product without a size cannot be bought.
final class IndexedCart: RealBug {
    static let name = "indexed cart"
    static let report = "https://github.com/scandipwa/scandipwa/issues/3188"
    static let fix = "https://github.com/scandipwa/scandipwa/pull/3189"
    static let invariants = [".till.broken == 0"]

    struct Attribute: Encodable, Equatable, Sendable {
        let code: String?
        let value: String
    }
    struct Line: Encodable, Equatable, Sendable {
        let product: String
        var quantity: Int
        var listed: [Attribute]
        var indexed: [String: String]
    }
    struct Answer: Encodable, Equatable, Sendable { var lines: [Line] = [] }
    struct Cart: Encodable, Equatable, Sendable {
        var lines: [Line] = []
        var total = 0
    }
    struct Storage: Encodable, Equatable, Sendable { var lines: [Line] = [] }
    struct Coupons: Encodable, Equatable, Sendable { var code: String? }
    struct Views: Encodable, Equatable, Sendable { var seen: [String] = [] }
    struct Till: Encodable, Equatable, Sendable {
        var orders = 0
        var broken = 0
    }

    let bugs: Bugs
    let answer: Store<Answer>
    let cart: Store<Cart>
    let storage: Store<Storage>
    let coupons: Store<Coupons>
    let views: Store<Views>
    let till: Store<Till>

    init(_ bugs: Bugs, _ recorder: Recorder) {
        self.bugs = bugs
        answer = Store(Answer(), name: "answer", recorder: recorder)
        cart = Store(Cart(), name: "cart", recorder: recorder)
        storage = Store(Storage(), name: "storage", recorder: recorder)
        coupons = Store(Coupons(), name: "coupons", recorder: recorder)
        views = Store(Views(), name: "views", recorder: recorder)
        till = Store(Till(), name: "till", recorder: recorder)
    }

    func add(_ product: String) {
        answer.commit { answer in
            if let index = answer.lines.firstIndex(where: { $0.product == product }) {
                answer.lines[index].quantity += 1
            } else {
                let listed = [Attribute(code: "size", value: "m"), Attribute(code: "colour", value: "red")]
                answer.lines.append(Line(product: product, quantity: 1, listed: listed, indexed: [:]))
            }
        }
        updateTotals()
    }

    func remove(_ product: String) {
        guard answer.state.lines.contains(where: { $0.product == product }) else { return }
        answer.commit { $0.lines.removeAll { $0.product == product } }
        updateTotals()
    }

    private func indexed(_ line: Line) -> Line {
        var line = line
        line.indexed = Dictionary(
            line.listed.compactMap { attribute in attribute.code.map { ($0, attribute.value) } },
            uniquingKeysWith: { first, _ in first })
        return line
    }

    func updateTotals() {
        let lines = answer.state.lines.map(indexed)
        cart.commit { cart in
            cart.lines = lines
            cart.total = lines.reduce(0) { $0 + $1.quantity * 10 }
        }
        if bugs.isPlanted(.wrongOperand) {
            // The answer is changed in place: the index takes the place of the list that it was made from.
            answer.commit { answer in
                for index in answer.lines.indices {
                    let values = lines[index].indexed.sorted { $0.key < $1.key }.map(\.value)
                    answer.lines[index].listed = values.map { Attribute(code: nil, value: $0) }
                }
            }
        }
        store()
    }

    func store() { storage.commit { $0.lines = cart.state.lines } }
    func restore() { cart.commit { $0.lines = storage.state.lines } }

    func enter(_ code: String) {
        coupons.commit { $0.code = code }
        if !cart.state.lines.isEmpty, code == "ten" { updateTotals() }
    }

    func drop() { coupons.commit { $0.code = nil } }
    func look(_ product: String) { views.commit { $0.seen.append(product) } }
    func forget() { views.commit { $0.seen = [] } }

    func order() {
        let lines = cart.state.lines
        guard !lines.isEmpty else { return }
        till.commit { till in
            till.orders += 1
            till.broken += lines.count { $0.indexed["size"] == nil }
        }
        empty()
    }

    func empty() {
        answer.commit { $0.lines = [] }
        cart.commit { $0 = Cart() }
    }

    func act(_ random: inout SeededGenerator) {
        let product = ["shirt", "shoe", "hat", "coat"][below(4, &random)]
        switch below(26, &random) {
        case 0, 1: add(product)
        case 2: remove(product)
        case 3: restore()
        case 4...6: enter(["ten", "five", "two"][below(3, &random)])
        case 7...10: drop()
        case 11...18: look(product)
        case 19, 20: forget()
        default: if below(2, &random) == 0 { order() }
        }
    }

    func closeDay() { order() }
}
