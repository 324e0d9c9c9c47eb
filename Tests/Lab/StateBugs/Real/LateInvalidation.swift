import StateStore
import TestSupport

/// A cache of queries whose tags a change invalidates: where the query is still under way, the invalidation is forgotten.
///
/// The answer that then comes was read before the change, and is shown until the next request.
final class LateInvalidation: RealBug {
    static let name = "late invalidation"
    static let report = "https://github.com/reduxjs/redux-toolkit/issues/3105"
    static let fix = "https://github.com/reduxjs/redux-toolkit/pull/3116"
    static let invariants = [".page.stale == 0"]

    struct Server: Encodable, Equatable, Sendable { var posts = ["news": 1, "food": 1, "art": 1] }
    struct Request: Encodable, Equatable, Sendable {
        let key: String
        var answer: Int
    }
    struct Requests: Encodable, Equatable, Sendable {
        var open: [Request] = []
        var sent = 0
    }
    struct Cache: Encodable, Equatable, Sendable {
        var values: [String: Int] = [:]
        var uses: [String: Int] = [:]
    }
    struct Tags: Encodable, Equatable, Sendable {
        var waiting: [String] = []
        var invalidated = 0
    }
    struct Editor: Encodable, Equatable, Sendable {
        var open: String?
        var saves = 0
    }
    struct Page: Encodable, Equatable, Sendable {
        var shown: [String: Int] = [:]
        var stale = 0
    }

    let bugs: Bugs
    let server: Store<Server>
    let requests: Store<Requests>
    let cache: Store<Cache>
    let tags: Store<Tags>
    let editor: Store<Editor>
    let page: Store<Page>

    init(_ bugs: Bugs, _ recorder: Recorder) {
        self.bugs = bugs
        server = Store(Server(), name: "server", recorder: recorder)
        requests = Store(Requests(), name: "requests", recorder: recorder)
        cache = Store(Cache(), name: "cache", recorder: recorder)
        tags = Store(Tags(), name: "tags", recorder: recorder)
        editor = Store(Editor(), name: "editor", recorder: recorder)
        page = Store(Page(), name: "page", recorder: recorder)
    }

    private func isPending(_ key: String) -> Bool { requests.state.open.contains { $0.key == key } }

    func send(_ key: String) {
        guard !isPending(key) else { return }
        requests.commit { requests in
            requests.open.append(Request(key: key, answer: server.state.posts[key] ?? 0))
            requests.sent += 1
        }
    }

    func use(_ key: String) {
        cache.commit { $0.uses[key, default: 0] += 1 }
        if cache.state.values[key] == nil { send(key) }
    }

    func leave(_ key: String) {
        cache.commit { cache in
            cache.uses[key] = nil
            if !isPending(key) { cache.values[key] = nil }
        }
    }

    /// The oldest request is answered.
    func receive() {
        guard let first = requests.state.open.first else { return }
        requests.commit { _ = $0.open.removeFirst() }
        cache.commit { $0.values[first.key] = first.answer }
        flush(first.key)
    }

    func invalidate(_ key: String) {
        let isLate = isPending(key)
        tags.commit { tags in
            tags.invalidated += 1
            if isLate, !bugs.isPlanted(.lostUpdate) { tags.waiting.append(key) }
        }
        if !isLate, cache.state.values[key] != nil { send(key) }
    }

    func flush(_ key: String) {
        guard tags.state.waiting.contains(key) else { return }
        tags.commit { $0.waiting.removeAll { $0 == key } }
        send(key)
    }

    func edit(_ key: String) { editor.commit { $0.open = key } }
    func close() { editor.commit { $0.open = nil } }

    func save() {
        guard let key = editor.state.open else { return }
        server.commit { $0.posts[key, default: 0] += 1 }
        editor.commit { $0.saves += 1 }
        close()
        invalidate(key)
    }

    func reload() {
        for key in cache.state.values.keys.sorted() { send(key) }
    }

    func draw() {
        page.commit { page in
            page.shown = cache.state.values
            let settled = cache.state.values.filter { !isPending($0.key) }
            page.stale = settled.count { $0.value != server.state.posts[$0.key] }
        }
    }

    func act(_ random: inout SeededGenerator) {
        let key = ["news", "food", "art"][below(3, &random)]
        switch below(20, &random) {
        case 0...3: use(key)
        case 4: leave(key)
        case 5...9: receive()
        case 10...12: edit(key)
        case 13: close()
        case 14, 15: save()
        case 16: if below(3, &random) == 0 { reload() }
        default: draw()
        }
    }

    func closeDay() {
        while !requests.state.open.isEmpty { receive() }
        draw()
    }
}
