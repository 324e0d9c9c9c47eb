import StateStore
import TestSupport

/// A form that knows which fields are on the page, but not how often: a field that is there twice is taken off with the first.
///
/// What was typed into the other is not sent.
final class FieldCount: RealBug {
    static let name = "field count"
    static let report = "https://github.com/redux-form/redux-form/issues/2016"
    static let fix = "https://github.com/redux-form/redux-form/pull/2470"
    static let invariants = [".server.incomplete == 0"]

    struct Page: Encodable, Equatable, Sendable { var mounted: [String] = [] }
    struct Fields: Encodable, Equatable, Sendable { var registered: [String: Int] = [:] }
    struct Values: Encodable, Equatable, Sendable {
        var texts: [String: String] = [:]
        var touched: [String] = []
    }
    struct Focus: Encodable, Equatable, Sendable { var field: String? }
    struct Server: Encodable, Equatable, Sendable {
        var received = 0
        var incomplete = 0
    }

    let bugs: Bugs
    let page: Store<Page>
    let fields: Store<Fields>
    let values: Store<Values>
    let focus: Store<Focus>
    let server: Store<Server>

    init(_ bugs: Bugs, _ recorder: Recorder) {
        self.bugs = bugs
        page = Store(Page(), name: "page", recorder: recorder)
        fields = Store(Fields(), name: "fields", recorder: recorder)
        values = Store(Values(), name: "values", recorder: recorder)
        focus = Store(Focus(), name: "focus", recorder: recorder)
        server = Store(Server(), name: "server", recorder: recorder)
    }

    func mount(_ field: String) {
        page.commit { $0.mounted.append(field) }
        register(field)
    }

    func unmount(_ field: String) {
        guard let index = page.state.mounted.firstIndex(of: field) else { return }
        page.commit { _ = $0.mounted.remove(at: index) }
        unregister(field)
        if focus.state.field == field { blur(field) }
    }

    func register(_ field: String) { fields.commit { $0.registered[field, default: 0] += 1 } }

    func unregister(_ field: String) {
        fields.commit { fields in
            let count = bugs.planted(.offByOne, fields.registered[field] ?? 1, 1) - 1
            fields.registered[field] = count > 0 ? count : nil
        }
    }

    func enter(_ field: String) { focus.commit { $0.field = field } }

    func blur(_ field: String) {
        focus.commit { $0.field = nil }
        values.commit { if !$0.touched.contains(field) { $0.touched.append(field) } }
    }

    func type(_ text: String) {
        guard let field = focus.state.field else { return }
        values.commit { $0.texts[field] = text }
    }

    func clear(_ field: String) { values.commit { $0.texts[field] = nil } }
    func touchAll() { values.commit { $0.touched = $0.texts.keys.sorted() } }

    func submit() {
        touchAll()
        let sent = values.state.texts.filter { fields.state.registered[$0.key] != nil }
        let typed = values.state.texts.filter { page.state.mounted.contains($0.key) }
        server.commit { server in
            server.received += 1
            server.incomplete = typed.count - sent.count
        }
    }

    func reset() { values.commit { $0 = Values() } }

    func act(_ random: inout SeededGenerator) {
        let field = ["name", "mail", "city", "zip"][below(4, &random)]
        let mounted = page.state.mounted
        switch below(24, &random) {
        case 0...5: mount(field)
        case 6...8: unmount(field)
        case 9...13: if !mounted.isEmpty { enter(mounted[below(mounted.count, &random)]) }
        case 14...18: type("v\(below(90, &random))")
        case 19: if let focused = focus.state.field { blur(focused) }
        case 20: clear(field)
        case 21: if below(3, &random) == 0 { reset() }
        default: if below(3, &random) == 0 { submit() }
        }
    }

    func closeDay() { submit() }
}
