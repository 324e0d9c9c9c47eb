import StateStore
import TestSupport

/// A storage that signing out clears: clearing closes it, and what the next user saves is silently dropped.
///
/// It shows after the app is started again, with the settings of a new user.
final class ClosedStorage: RealBug {
    static let name = "closed storage"
    static let report = "https://github.com/felangel/bloc/issues/2407"
    static let fix = "https://github.com/felangel/bloc/pull/2502"
    static let invariants = [".complaints.lost == 0"]

    struct Storage: Encodable, Equatable, Sendable {
        var values: [String: Int] = [:]
        var isOpen = true
        var clears = 0
    }
    struct Session: Encodable, Equatable, Sendable {
        var user: String?
        var starts = 0
    }
    struct Counter: Encodable, Equatable, Sendable { var value = 0 }
    struct Theme: Encodable, Equatable, Sendable { var hue = 0 }
    struct Route: Encodable, Equatable, Sendable { var pages = ["home"] }
    struct Network: Encodable, Equatable, Sendable { var bytes = 0 }
    /// What the user remembers to have chosen.
    struct Wishes: Encodable, Equatable, Sendable {
        var value = 0
        var hue = 0
    }
    struct Complaints: Encodable, Equatable, Sendable {
        var lost = 0
        var looks = 0
    }

    let bugs: Bugs
    let storage: Store<Storage>
    let session: Store<Session>
    let counter: Store<Counter>
    let theme: Store<Theme>
    let route: Store<Route>
    let network: Store<Network>
    let wishes: Store<Wishes>
    let complaints: Store<Complaints>

    init(_ bugs: Bugs, _ recorder: Recorder) {
        self.bugs = bugs
        storage = Store(Storage(), name: "storage", recorder: recorder)
        session = Store(Session(), name: "session", recorder: recorder)
        counter = Store(Counter(), name: "counter", recorder: recorder)
        theme = Store(Theme(), name: "theme", recorder: recorder)
        route = Store(Route(), name: "route", recorder: recorder)
        network = Store(Network(), name: "network", recorder: recorder)
        wishes = Store(Wishes(), name: "wishes", recorder: recorder)
        complaints = Store(Complaints(), name: "complaints", recorder: recorder)
    }

    func launch() {
        session.commit { $0.starts += 1 }
        storage.commit { $0.isOpen = true }
        hydrateCounter()
        hydrateTheme()
        goHome()
    }

    func hydrateCounter() { counter.commit { $0.value = storage.state.values["counter"] ?? 0 } }
    func hydrateTheme() { theme.commit { $0.hue = storage.state.values["theme"] ?? 0 } }

    func write(_ key: String, _ value: Int) {
        guard storage.state.isOpen else { return }
        storage.commit { $0.values[key] = value }
    }

    func clear() {
        storage.commit { storage in
            storage.values = [:]
            storage.clears += 1
            if bugs.isPlanted(.forgottenReset) { storage.isOpen = false }
        }
    }

    func signIn(_ user: String) {
        guard session.state.user == nil else { return }
        session.commit { $0.user = user }
    }

    func signOut() {
        guard session.state.user != nil else { return }
        session.commit { $0.user = nil }
        clear()
        counter.commit { $0.value = 0 }
        theme.commit { $0.hue = 0 }
        wishes.commit { $0 = Wishes() }
    }

    func increment() {
        guard session.state.user != nil else { return }
        counter.commit { $0.value += 1 }
        write("counter", counter.state.value)
        wishes.commit { $0.value += 1 }
    }

    func paint(_ hue: Int) {
        guard session.state.user != nil else { return }
        theme.commit { $0.hue = hue }
        write("theme", hue)
        wishes.commit { $0.hue = hue }
    }

    func open(_ page: String) { route.commit { $0.pages.append(page) } }
    func goBack() { route.commit { if $0.pages.count > 1 { $0.pages.removeLast() } } }
    func goHome() { route.commit { $0.pages = ["home"] } }
    func fetch(_ bytes: Int) { network.commit { $0.bytes += bytes } }

    func look() {
        let (value, hue) = (counter.state.value, theme.state.hue)
        complaints.commit { complaints in
            complaints.looks += 1
            complaints.lost = (value == wishes.state.value ? 0 : 1) + (hue == wishes.state.hue ? 0 : 1)
        }
    }

    func act(_ random: inout SeededGenerator) {
        switch below(24, &random) {
        case 0...3: signIn(["ann", "ben"][below(2, &random)])
        case 4: if below(3, &random) == 0 { signOut() }
        case 5...9: increment()
        case 10, 11: paint(below(360, &random))
        case 12...14: open(["list", "item", "help"][below(3, &random)])
        case 15, 16: goBack()
        case 17: goHome()
        case 18...20: fetch(below(900, &random))
        case 21: if below(2, &random) == 0 { launch() }
        default: look()
        }
    }

    func closeDay() { look() }
}
