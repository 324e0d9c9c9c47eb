import StateStore
import TestSupport

/// A machine whose timer only does something and goes nowhere: it enters the state again, and with it what entering does.
///
/// What shows is a server that is asked again and again.
final class TargetlessTimer: RealBug {
    static let name = "targetless timer"
    static let report = "https://github.com/statelyai/xstate/issues/679"
    static let fix = "https://github.com/statelyai/xstate/pull/687"
    static let invariants = [".server.asked <= .user.visits + .user.retries"]

    struct Machine: Encodable, Equatable, Sendable {
        var state = "home"
        var entries = 0
    }
    struct Clock: Encodable, Equatable, Sendable {
        var now = 0
        var hint: Int?
    }
    struct Server: Encodable, Equatable, Sendable {
        var asked = 0
        var waiting: [String] = []
    }
    struct Items: Encodable, Equatable, Sendable {
        var rows: [String] = []
        var errors = 0
    }
    struct Hints: Encodable, Equatable, Sendable {
        var shown = false
        var times = 0
    }
    struct User: Encodable, Equatable, Sendable {
        var visits = 0
        var retries = 0
        var scrolls = 0
    }

    let bugs: Bugs
    let machine: Store<Machine>
    let clock: Store<Clock>
    let server: Store<Server>
    let items: Store<Items>
    let hints: Store<Hints>
    let user: Store<User>

    init(_ bugs: Bugs, _ recorder: Recorder) {
        self.bugs = bugs
        machine = Store(Machine(), name: "machine", recorder: recorder)
        clock = Store(Clock(), name: "clock", recorder: recorder)
        server = Store(Server(), name: "server", recorder: recorder)
        items = Store(Items(), name: "items", recorder: recorder)
        hints = Store(Hints(), name: "hints", recorder: recorder)
        user = Store(User(), name: "user", recorder: recorder)
    }

    func visit() {
        user.commit { $0.visits += 1 }
        enter("loading")
    }

    func retry() {
        guard machine.state.state == "failed" else { return }
        user.commit { $0.retries += 1 }
        enter("loading")
    }

    func enter(_ state: String) {
        machine.commit { machine in
            machine.state = state
            machine.entries += 1
        }
        disarm()
        if state == "loading" {
            arm()
            ask()
        }
    }

    func arm() { clock.commit { $0.hint = $0.now + 10 } }

    func disarm() {
        guard clock.state.hint != nil else { return }
        clock.commit { $0.hint = nil }
    }

    func ask() {
        server.commit { server in
            server.asked += 1
            server.waiting = ["page \(server.asked)"]
        }
    }

    /// Loading takes long: a hint is shown, and loading goes on.
    func transition() {
        hints.commit { hints in
            hints.shown = true
            hints.times += 1
        }
        guard bugs.isPlanted(.droppedGuard) else { return disarm() }
        machine.commit { $0.entries += 1 }
        arm()
        ask()
    }

    func tick(_ seconds: Int) {
        clock.commit { $0.now += seconds }
        if let hint = clock.state.hint, hint <= clock.state.now { transition() }
    }

    func answer(well: Bool) {
        guard machine.state.state == "loading", let page = server.state.waiting.first else { return }
        server.commit { $0.waiting = [] }
        if well { items.commit { $0.rows.append(page) } } else { items.commit { $0.errors += 1 } }
        if hints.state.shown { hide() }
        enter(well ? "shown" : "failed")
    }

    func hide() { hints.commit { $0.shown = false } }
    func scroll() { user.commit { $0.scrolls += 1 } }
    func clear() { items.commit { $0 = Items() } }

    func goHome() {
        if hints.state.shown { hide() }
        enter("home")
    }

    func act(_ random: inout SeededGenerator) {
        switch below(20, &random) {
        case 0...3: visit()
        case 4, 5: retry()
        case 6...11: answer(well: below(3, &random) > 0)
        case 12...14: tick(1 + below(4, &random))
        case 15: if below(3, &random) == 0 { tick(9) }
        case 16, 17: scroll()
        case 18: clear()
        default: goHome()
        }
    }

    func closeDay() { goHome() }
}
