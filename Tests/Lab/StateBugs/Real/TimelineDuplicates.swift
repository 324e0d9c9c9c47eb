import StateStore
import TestSupport

/// A timeline that is refreshed while it is streamed: what came by the stream meanwhile is put in a second time.
///
/// The row of the second is not drawn, or the wrong one is removed.
final class TimelineDuplicates: RealBug {
    static let name = "timeline duplicates"
    static let report = "https://github.com/mastodon/mastodon/pull/5417"
    static let fix = "https://github.com/mastodon/mastodon/pull/5417"
    static let invariants = [".column.warnings == 0"]

    struct Server: Encodable, Equatable, Sendable {
        var posts: [Int] = []
        var next = 1
    }
    struct Refresh: Encodable, Equatable, Sendable {
        var since: Int?
        var asked = 0
    }
    struct Timeline: Encodable, Equatable, Sendable {
        var ids: [Int] = []
        var unread = 0
    }
    struct Stream: Encodable, Equatable, Sendable { var isOpen = true }
    struct Favourites: Encodable, Equatable, Sendable { var ids: [Int] = [] }
    struct Compose: Encodable, Equatable, Sendable { var text = "" }
    struct Column: Encodable, Equatable, Sendable {
        var rows = 0
        var top = true
        var warnings = 0
    }

    let bugs: Bugs
    let server: Store<Server>
    let refreshing: Store<Refresh>
    let timeline: Store<Timeline>
    let stream: Store<Stream>
    let favourites: Store<Favourites>
    let compose: Store<Compose>
    let column: Store<Column>

    init(_ bugs: Bugs, _ recorder: Recorder) {
        self.bugs = bugs
        server = Store(Server(), name: "server", recorder: recorder)
        refreshing = Store(Refresh(), name: "refresh", recorder: recorder)
        timeline = Store(Timeline(), name: "timeline", recorder: recorder)
        stream = Store(Stream(), name: "stream", recorder: recorder)
        favourites = Store(Favourites(), name: "favourites", recorder: recorder)
        compose = Store(Compose(), name: "compose", recorder: recorder)
        column = Store(Column(), name: "column", recorder: recorder)
    }

    func publish() {
        let id = server.state.next
        server.commit { server in
            server.posts.insert(id, at: 0)
            server.next += 1
        }
        if stream.state.isOpen { update(id) }
    }

    /// One post from the stream.
    func update(_ id: Int) {
        timeline.commit { timeline in
            guard !timeline.ids.contains(id) else { return }
            timeline.ids.insert(id, at: 0)
            if !column.state.top { timeline.unread += 1 }
        }
    }

    func askRefresh() {
        guard refreshing.state.since == nil else { return }
        refreshing.commit { refresh in
            refresh.since = timeline.state.ids.first ?? 0
            refresh.asked += 1
        }
    }

    func finishRefresh() {
        guard let since = refreshing.state.since else { return }
        refreshing.commit { $0.since = nil }
        normalise(server.state.posts.filter { $0 > since })
    }

    func normalise(_ ids: [Int]) {
        timeline.commit { timeline in
            let new = bugs.planted(.missingFilter, ids.filter { !timeline.ids.contains($0) }, ids)
            timeline.ids = new + timeline.ids
        }
    }

    func expand() {
        let last = timeline.state.ids.last ?? .max
        let older = Array(server.state.posts.filter { $0 < last }.prefix(3))
        guard !older.isEmpty else { return }
        timeline.commit { $0.ids += older }
    }

    func delete(_ id: Int) {
        server.commit { $0.posts.removeAll { $0 == id } }
        timeline.commit { $0.ids.removeAll { $0 == id } }
        if favourites.state.ids.contains(id) { unfavour(id) }
    }

    func favour(_ id: Int) { favourites.commit { if !$0.ids.contains(id) { $0.ids.append(id) } } }
    func unfavour(_ id: Int) { favourites.commit { $0.ids.removeAll { $0 == id } } }
    func connect() { stream.commit { $0.isOpen = true } }
    func disconnect() { stream.commit { $0.isOpen = false } }
    func type(_ text: String) { compose.commit { $0.text = text } }

    func send() {
        guard !compose.state.text.isEmpty else { return }
        compose.commit { $0.text = "" }
        publish()
    }

    func scroll(toTop top: Bool) {
        column.commit { $0.top = top }
        if top { timeline.commit { $0.unread = 0 } }
    }

    func draw() {
        let ids = timeline.state.ids
        column.commit { column in
            column.rows = ids.count
            column.warnings = ids.count - Set(ids).count
        }
    }

    func act(_ random: inout SeededGenerator) {
        let ids = timeline.state.ids
        let id = ids.isEmpty ? nil : ids[below(ids.count, &random)]
        switch below(26, &random) {
        case 0...5: publish()
        case 6: askRefresh()
        case 7...11: finishRefresh()
        case 12: expand()
        case 13: if let id { delete(id) }
        case 14...16: if let id { favour(id) }
        case 17: if let id { unfavour(id) }
        case 18: if below(2, &random) == 0 { disconnect() }
        case 19: if !stream.state.isOpen { connect() }
        case 20, 21: type("t\(below(90, &random))")
        case 22: send()
        case 23: scroll(toTop: below(2, &random) == 0)
        default: draw()
        }
    }

    func closeDay() { draw() }
}
