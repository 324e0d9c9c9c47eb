import StateStore
import TestSupport

/// A chat that counts unread threads: after a connection was lost the threads are fetched, but not how many are unread.
///
/// Reading them afterwards takes off what was never added.
final class ThreadCounts: RealBug {
    static let name = "thread counts"
    static let report = "https://github.com/mattermost/mattermost-webapp/pull/10043"
    static let fix = "https://github.com/mattermost/mattermost-webapp/pull/10043"
    static let invariants = [".banner.unread >= 0"]

    struct Server: Encodable, Equatable, Sendable {
        var unread: [Int] = []
        var next = 1
    }
    struct Socket: Encodable, Equatable, Sendable {
        var isOpen = true
        var losses = 0
    }
    struct Threads: Encodable, Equatable, Sendable { var unread: [Int] = [] }
    struct Counts: Encodable, Equatable, Sendable {
        var unread = 0
        var total = 0
    }
    struct Pane: Encodable, Equatable, Sendable { var thread: Int? }
    struct Following: Encodable, Equatable, Sendable { var ids: [Int] = [] }
    struct Banner: Encodable, Equatable, Sendable { var unread = 0 }

    let bugs: Bugs
    let server: Store<Server>
    let socket: Store<Socket>
    let threads: Store<Threads>
    let counts: Store<Counts>
    let pane: Store<Pane>
    let following: Store<Following>
    let banner: Store<Banner>

    init(_ bugs: Bugs, _ recorder: Recorder) {
        self.bugs = bugs
        server = Store(Server(), name: "server", recorder: recorder)
        socket = Store(Socket(), name: "socket", recorder: recorder)
        threads = Store(Threads(), name: "threads", recorder: recorder)
        counts = Store(Counts(), name: "counts", recorder: recorder)
        pane = Store(Pane(), name: "pane", recorder: recorder)
        following = Store(Following(), name: "following", recorder: recorder)
        banner = Store(Banner(), name: "banner", recorder: recorder)
    }

    func write() {
        let id = server.state.next
        server.commit { server in
            server.unread.append(id)
            server.next += 1
        }
        if socket.state.isOpen { receive(id) }
    }

    func receive(_ id: Int) {
        threads.commit { $0.unread.append(id) }
        increase()
    }

    func increase() {
        counts.commit { counts in
            counts.unread += 1
            counts.total += 1
        }
    }

    func decrease() { counts.commit { $0.unread -= 1 } }

    func lose() {
        socket.commit { socket in
            socket.isOpen = false
            socket.losses += 1
        }
    }

    func reconnect() {
        guard !socket.state.isOpen else { return }
        socket.commit { $0.isOpen = true }
        receiveUnread(server.state.unread)
    }

    /// All that are unread, as the server knows them.
    func receiveUnread(_ ids: [Int]) {
        threads.commit { $0.unread = ids }
        counts.commit { counts in
            counts.total = max(counts.total, server.state.next - 1)
            if !bugs.isPlanted(.lostUpdate) { counts.unread = ids.count }
        }
    }

    func view(_ id: Int) {
        pane.commit { $0.thread = id }
        guard threads.state.unread.contains(id) else { return }
        markRead(id)
    }

    func markRead(_ id: Int) {
        threads.commit { $0.unread.removeAll { $0 == id } }
        server.commit { $0.unread.removeAll { $0 == id } }
        decrease()
    }

    func markUnread() {
        guard socket.state.isOpen, let id = pane.state.thread, !threads.state.unread.contains(id) else { return }
        threads.commit { $0.unread.append(id) }
        server.commit { $0.unread.append(id) }
        counts.commit { $0.unread += 1 }
    }

    func close() { pane.commit { $0.thread = nil } }
    func follow(_ id: Int) { following.commit { if !$0.ids.contains(id) { $0.ids.append(id) } } }
    func unfollow(_ id: Int) { following.commit { $0.ids.removeAll { $0 == id } } }
    func draw() { banner.commit { $0.unread = counts.state.unread } }

    func act(_ random: inout SeededGenerator) {
        let unread = threads.state.unread
        let id = 1 + below(server.state.next, &random)
        switch below(24, &random) {
        case 0...6: write()
        case 7...11: if !unread.isEmpty { view(unread[below(unread.count, &random)]) }
        case 12: view(id)
        case 13: markUnread()
        case 14: close()
        case 15: if below(2, &random) == 0 { lose() }
        case 16, 17: reconnect()
        case 18...20: follow(id)
        case 21: unfollow(id)
        default: draw()
        }
    }

    func closeDay() { draw() }
}
