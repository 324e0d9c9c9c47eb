import StateStore
import TestSupport

/// Contacts that a server sends in parts: of several parts of one new contact in a batch, only the last is kept.
///
/// It shows when what is there is compared with what was sent, long after the batch.
final class PartialUpserts: RealBug {
    static let name = "partial upserts"
    static let report = "https://github.com/reduxjs/redux-toolkit/issues/3429"
    static let fix = "https://github.com/reduxjs/redux-toolkit/pull/4890"
    static let invariants = [".check.missing == 0"]

    struct Part: Encodable, Equatable, Sendable {
        let id: Int
        let field: String
        let text: String
    }
    struct Server: Encodable, Equatable, Sendable {
        var contacts: [Int: [String: String]] = [:]
        var unsent: [Part] = []
    }
    struct Socket: Encodable, Equatable, Sendable {
        var isOpen = true
        var batches = 0
    }
    struct Contacts: Encodable, Equatable, Sendable {
        var ids: [Int] = []
        var entities: [Int: [String: String]] = [:]
    }
    struct Panel: Encodable, Equatable, Sendable {
        var selected: Int?
        var draft: String?
    }
    struct Recent: Encodable, Equatable, Sendable { var ids: [Int] = [] }
    struct Check: Encodable, Equatable, Sendable {
        var missing = 0
        var times = 0
    }

    let bugs: Bugs
    let server: Store<Server>
    let socket: Store<Socket>
    let contacts: Store<Contacts>
    let panel: Store<Panel>
    let recent: Store<Recent>
    let check: Store<Check>

    init(_ bugs: Bugs, _ recorder: Recorder) {
        self.bugs = bugs
        server = Store(Server(), name: "server", recorder: recorder)
        socket = Store(Socket(), name: "socket", recorder: recorder)
        contacts = Store(Contacts(), name: "contacts", recorder: recorder)
        panel = Store(Panel(), name: "panel", recorder: recorder)
        recent = Store(Recent(), name: "recent", recorder: recorder)
        check = Store(Check(), name: "check", recorder: recorder)
    }

    func change(_ id: Int, _ field: String, _ text: String) {
        server.commit { server in
            server.contacts[id, default: [:]][field] = text
            server.unsent.append(Part(id: id, field: field, text: text))
        }
    }

    func open() { socket.commit { $0.isOpen = true } }
    func drop() { socket.commit { $0.isOpen = false } }

    /// What is new on the server, in one batch.
    func receive() {
        let parts = server.state.unsent
        guard socket.state.isOpen, !parts.isEmpty else { return }
        server.commit { $0.unsent = [] }
        socket.commit { $0.batches += 1 }
        upsert(parts)
    }

    func upsert(_ parts: [Part]) {
        contacts.commit { contacts in
            let known = contacts.entities
            for part in parts {
                if known[part.id] == nil, bugs.isPlanted(.staleRead) { contacts.entities[part.id] = [:] }
                contacts.entities[part.id, default: [:]][part.field] = part.text
                if !contacts.ids.contains(part.id) { contacts.ids.append(part.id) }
            }
        }
    }

    func select(_ id: Int) {
        panel.commit { $0.selected = id }
        recent.commit { recent in
            recent.ids.removeAll { $0 == id }
            recent.ids.insert(id, at: 0)
        }
        if recent.state.ids.count > 3 { forget() }
    }

    func forget() { recent.commit { _ = $0.ids.removeLast() } }
    func close() { panel.commit { $0 = Panel() } }
    func draft(_ text: String) { panel.commit { $0.draft = text } }

    func send() {
        guard let id = panel.state.selected, let text = panel.state.draft else { return }
        change(id, "name", text)
        close()
    }

    func sort() { contacts.commit { $0.ids.sort() } }

    /// Whether all is there that the server has sent.
    func compare() {
        let waiting = server.state.unsent
        check.commit { check in
            check.times += 1
            check.missing = server.state.contacts.reduce(0) { sum, contact in
                sum
                    + contact.value.keys.count { field in
                        contacts.state.entities[contact.key]?[field] == nil
                            && !waiting.contains { $0.id == contact.key && $0.field == field }
                    }
            }
        }
    }

    func act(_ random: inout SeededGenerator) {
        let ids = contacts.state.ids
        switch below(24, &random) {
        case 0...6:
            change(below(9, &random), ["name", "mail", "phone"][below(3, &random)], "\(below(50, &random))")
        case 7...12: receive()
        case 13: if below(3, &random) == 0 { drop() }
        case 14: if !socket.state.isOpen { open() }
        case 15...17: if !ids.isEmpty { select(ids[below(ids.count, &random)]) }
        case 18: close()
        case 19: draft("n\(below(50, &random))")
        case 20: send()
        case 21: sort()
        default: if below(3, &random) == 0 { compare() }
        }
    }

    func closeDay() { compare() }
}
