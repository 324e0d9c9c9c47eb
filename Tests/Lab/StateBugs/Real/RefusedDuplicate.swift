import StateStore
import TestSupport

/// A cache that waits with invalidations until no request is under way: a request that is refused because there is one already
/// is taken off the number of those under way.
///
/// The invalidation then asks too early, is refused as well, and the old answer stays.
final class RefusedDuplicate: RealBug {
    static let name = "refused duplicate"
    static let report = "https://github.com/reduxjs/redux-toolkit/issues/5405"
    static let fix = "https://github.com/reduxjs/redux-toolkit/pull/5406"
    static let invariants = [".widget.outdated | not"]

    struct Server: Encodable, Equatable, Sendable { var balance = ["giro": 10, "card": 20] }
    struct Request: Encodable, Equatable, Sendable {
        let account: String
        let answer: Int
    }
    struct Network: Encodable, Equatable, Sendable {
        var open: [Request] = []
        var refused = 0
    }
    struct Pending: Encodable, Equatable, Sendable {
        var count = 0
        var tags: [String] = []
    }
    struct Cache: Encodable, Equatable, Sendable { var balance: [String: Int] = [:] }
    struct Transfers: Encodable, Equatable, Sendable {
        var amount = 0
        var sent = 0
    }
    struct Widget: Encodable, Equatable, Sendable {
        var account = "giro"
        var shown: Int?
        var outdated = false
    }

    let bugs: Bugs
    let server: Store<Server>
    let network: Store<Network>
    let pending: Store<Pending>
    let cache: Store<Cache>
    let transfers: Store<Transfers>
    let widget: Store<Widget>

    init(_ bugs: Bugs, _ recorder: Recorder) {
        self.bugs = bugs
        server = Store(Server(), name: "server", recorder: recorder)
        network = Store(Network(), name: "network", recorder: recorder)
        pending = Store(Pending(), name: "pending", recorder: recorder)
        cache = Store(Cache(), name: "cache", recorder: recorder)
        transfers = Store(Transfers(), name: "transfers", recorder: recorder)
        widget = Store(Widget(), name: "widget", recorder: recorder)
    }

    private func isOpen(_ account: String) -> Bool { network.state.open.contains { $0.account == account } }

    func request(_ account: String) {
        guard !isOpen(account) else { return refuse() }
        network.commit { network in
            network.open.append(Request(account: account, answer: server.state.balance[account] ?? 0))
        }
        begin()
    }

    func refuse() {
        network.commit { $0.refused += 1 }
        settle(wasSent: false)
    }

    func begin() { pending.commit { $0.count += 1 } }

    /// A request has come to its end.
    func settle(wasSent: Bool) {
        guard wasSent || bugs.isPlanted(.droppedGuard) else { return }
        pending.commit { $0.count -= 1 }
        flush()
    }

    func receive() {
        guard let first = network.state.open.first else { return }
        network.commit { _ = $0.open.removeFirst() }
        cache.commit { $0.balance[first.account] = first.answer }
        settle(wasSent: true)
    }

    func invalidate(_ account: String) {
        pending.commit { if !$0.tags.contains(account) { $0.tags.append(account) } }
        flush()
    }

    func flush() {
        let tags = pending.state.tags
        guard pending.state.count <= 0, !tags.isEmpty else { return }
        pending.commit { $0.tags = [] }
        for tag in tags where cache.state.balance[tag] != nil { request(tag) }
    }

    func enter(_ amount: Int) { transfers.commit { $0.amount = amount } }

    func transfer(_ account: String) {
        let amount = transfers.state.amount
        guard amount > 0 else { return }
        server.commit { $0.balance[account, default: 0] -= amount }
        transfers.commit { transfers in
            transfers.amount = 0
            transfers.sent += 1
        }
        invalidate(account)
    }

    func focus(_ account: String) {
        widget.commit { $0.account = account }
        request(account)
    }

    func draw() {
        let account = widget.state.account
        widget.commit { widget in
            widget.shown = cache.state.balance[account]
            let isSettled = network.state.open.isEmpty && pending.state.tags.isEmpty
            widget.outdated = isSettled && widget.shown.map { $0 != server.state.balance[account] } ?? false
        }
    }

    func act(_ random: inout SeededGenerator) {
        let account = ["giro", "card"][below(2, &random)]
        switch below(20, &random) {
        case 0...3: focus(account)
        case 4: request(account)
        case 5...9: receive()
        case 10...12: enter(1 + below(9, &random))
        case 13...15: transfer(account)
        default: draw()
        }
    }

    func closeDay() {
        while !network.state.open.isEmpty { receive() }
        draw()
    }
}
