import StateStore
import TestSupport

/// Settings that are read from a disk: what a callback sets while they are read is written to the disk, and then overwritten in
/// memory with what was read.
///
/// The next start shows other settings than the user had in front of them.
final class DroppedHydration: RealBug {
    static let name = "dropped hydration"
    static let report = "https://github.com/pmndrs/zustand/issues/1688"
    static let fix = "https://github.com/pmndrs/zustand/pull/1689"
    static let invariants = [".support.different == 0"]

    struct Settings: Encodable, Equatable, Sendable {
        var theme = "light"
        var size = 12
        var launches = 0
        var isReady = false
    }
    struct Disk: Encodable, Equatable, Sendable {
        var saved = Settings()
        var writes = 0
    }
    struct Session: Encodable, Equatable, Sendable {
        var isOpen = false
        var isUpdate = false
    }
    struct Window: Encodable, Equatable, Sendable {
        var width = 80
        var panes = 1
    }
    struct Notice: Encodable, Equatable, Sendable { var texts: [String] = [] }
    struct Support: Encodable, Equatable, Sendable {
        var different = 0
        var reports = 0
    }

    let bugs: Bugs
    let settings: Store<Settings>
    let disk: Store<Disk>
    let session: Store<Session>
    let window: Store<Window>
    let notice: Store<Notice>
    let support: Store<Support>

    init(_ bugs: Bugs, _ recorder: Recorder) {
        self.bugs = bugs
        settings = Store(Settings(), name: "settings", recorder: recorder)
        disk = Store(Disk(), name: "disk", recorder: recorder)
        session = Store(Session(), name: "session", recorder: recorder)
        window = Store(Window(), name: "window", recorder: recorder)
        notice = Store(Notice(), name: "notice", recorder: recorder)
        support = Store(Support(), name: "support", recorder: recorder)
    }

    func start() {
        guard !session.state.isOpen else { return }
        session.commit { $0.isOpen = true }
        settings.commit { $0 = Settings() }
        hydrate()
        announce("welcome")
    }

    func hydrate() {
        let read = disk.state.saved
        settings.commit { $0 = read }
        migrate()
        let latest = settings.state
        settings.commit { settings in
            settings = bugs.planted(.staleRead, latest, read)
            settings.isReady = true
        }
    }

    /// The callback: after an update, what is too small is made larger.
    func migrate() {
        guard session.state.isUpdate else { return }
        session.commit { $0.isUpdate = false }
        guard settings.state.size < 12 else { return }
        settings.commit { $0.size = 12 }
        save()
        announce("larger text")
    }

    func save() {
        disk.commit { disk in
            disk.saved = settings.state
            disk.saved.isReady = false
            disk.writes += 1
        }
    }

    func choose(_ theme: String) {
        settings.commit { $0.theme = theme }
        save()
    }

    func zoom(_ step: Int) {
        settings.commit { $0.size = max($0.size + step, 6) }
        save()
    }

    func stop() {
        guard session.state.isOpen else { return }
        session.commit { $0.isOpen = false }
    }

    func update() {
        stop()
        session.commit { $0.isUpdate = true }
    }

    func resize(_ width: Int) { window.commit { $0.width = width } }
    func split() { window.commit { $0.panes = $0.panes % 3 + 1 } }
    func announce(_ text: String) { notice.commit { $0.texts.append(text) } }
    func dismiss() { notice.commit { $0.texts = [] } }

    /// What a user sends who complains: what is shown beside what is stored.
    func report() {
        guard session.state.isOpen else { return }
        let (shown, stored) = (settings.state, disk.state.saved)
        support.commit { support in
            support.reports += 1
            support.different = (shown.theme == stored.theme ? 0 : 1) + (shown.size == stored.size ? 0 : 1)
        }
    }

    func act(_ random: inout SeededGenerator) {
        switch below(22, &random) {
        case 0...3: start()
        case 4, 5: if session.state.isOpen { choose(["light", "dark", "sepia"][below(3, &random)]) }
        case 6...9: if session.state.isOpen { zoom(below(3, &random) - 1) }
        case 10...12: stop()
        case 13, 14: if below(2, &random) == 0 { update() }
        case 15, 16: resize(60 + below(60, &random))
        case 17: split()
        case 18: dismiss()
        default: if below(3, &random) == 0 { report() }
        }
    }

    func closeDay() {
        start()
        report()
    }
}
