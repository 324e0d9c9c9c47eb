import StateStore
import TestSupport

/// A chat that counts unread messages for a channel and for its team: marking a channel as read twice takes them off twice.
///
/// The team's badge goes below zero, or is too low for its other channels.
final class TeamUnread: RealBug {
    static let name = "team unread"
    static let report = "https://github.com/mattermost/mattermost-redux/pull/306"
    static let fix = "https://github.com/mattermost/mattermost-redux/pull/306"
    static let invariants = [".sidebar.badge >= 0"]

    struct Channels: Encodable, Equatable, Sendable { var total = ["town": 0, "help": 0, "off": 0] }
    struct Members: Encodable, Equatable, Sendable { var read = ["town": 0, "help": 0, "off": 0] }
    struct Team: Encodable, Equatable, Sendable {
        var unread = 0
        var mentions = 0
    }
    struct Current: Encodable, Equatable, Sendable {
        var channel = "town"
        var hasFocus = true
    }
    struct Socket: Encodable, Equatable, Sendable {
        var delayed: [String] = []
        var events = 0
    }
    struct Draft: Encodable, Equatable, Sendable { var texts: [String: String] = [:] }
    struct Sidebar: Encodable, Equatable, Sendable { var badge = 0 }

    let bugs: Bugs
    let channels: Store<Channels>
    let members: Store<Members>
    let team: Store<Team>
    let current: Store<Current>
    let socket: Store<Socket>
    let drafts: Store<Draft>
    let sidebar: Store<Sidebar>

    init(_ bugs: Bugs, _ recorder: Recorder) {
        self.bugs = bugs
        channels = Store(Channels(), name: "channels", recorder: recorder)
        members = Store(Members(), name: "members", recorder: recorder)
        team = Store(Team(), name: "team", recorder: recorder)
        current = Store(Current(), name: "current", recorder: recorder)
        socket = Store(Socket(), name: "socket", recorder: recorder)
        drafts = Store(Draft(), name: "drafts", recorder: recorder)
        sidebar = Store(Sidebar(), name: "sidebar", recorder: recorder)
    }

    func receive(_ channel: String) {
        socket.commit { $0.events += 1 }
        channels.commit { $0.total[channel, default: 0] += 1 }
        if current.state.channel == channel, current.state.hasFocus {
            members.commit { $0.read[channel, default: 0] += 1 }
        } else {
            raise()
        }
    }

    func raise() { team.commit { $0.unread += 1 } }

    func view(_ channel: String) {
        current.commit { $0.channel = channel }
        markRead(channel)
    }

    func markRead(_ channel: String) {
        let unread = (channels.state.total[channel] ?? 0) - (members.state.read[channel] ?? 0)
        guard unread > 0 else { return }
        team.commit { $0.unread = bugs.planted(.droppedGuard, max($0.unread - unread, 0), $0.unread - unread) }
        acknowledge(channel)
    }

    /// The server's word that it was read, which comes at once or late.
    func acknowledge(_ channel: String) {
        guard socket.state.delayed.isEmpty else { return socket.commit { $0.delayed.append(channel) } }
        members.commit { $0.read[channel] = channels.state.total[channel] ?? 0 }
    }

    func stall(_ channel: String) { socket.commit { $0.delayed.append(channel) } }

    func catchUp() {
        let late = socket.state.delayed
        guard !late.isEmpty else { return }
        socket.commit { $0.delayed = [] }
        members.commit { members in
            for channel in late { members.read[channel] = channels.state.total[channel] ?? 0 }
        }
        recount()
    }

    /// The server sends what is unread in the team.
    func recount() {
        let unread = channels.state.total.reduce(0) { $0 + $1.value - (members.state.read[$1.key] ?? 0) }
        team.commit { $0.unread = unread }
    }

    func focus() {
        current.commit { $0.hasFocus = true }
        markRead(current.state.channel)
    }

    func blur() { current.commit { $0.hasFocus = false } }
    func type(_ text: String) { drafts.commit { $0.texts[current.state.channel] = text } }

    func post() {
        guard drafts.state.texts[current.state.channel] != nil else { return }
        drafts.commit { $0.texts[current.state.channel] = nil }
        receive(current.state.channel)
    }

    func draw() { sidebar.commit { $0.badge = team.state.unread } }

    func act(_ random: inout SeededGenerator) {
        let channel = ["town", "help", "off"][below(3, &random)]
        switch below(24, &random) {
        case 0...7: receive(channel)
        case 8...11: view(channel)
        case 12: focus()
        case 13, 14: blur()
        case 15, 16: type("t\(below(90, &random))")
        case 17: post()
        case 18: if below(2, &random) == 0 { stall(channel) }
        case 19: catchUp()
        default: if below(2, &random) == 0 { draw() }
        }
    }

    func closeDay() { draw() }
}
