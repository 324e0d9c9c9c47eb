import StateStore
import TestSupport

/// A list of tasks whose next number is how many there are: after finished ones are cleared, a number is given twice.
///
/// The list on the screen keeps one row for a number, so a task disappears while the footer counts it.
final class TodoNumbers: RealBug {
    static let name = "todo numbers"
    static let report = "https://github.com/reduxjs/redux/issues/524"
    static let fix = "https://github.com/reduxjs/redux/pull/529"
    static let invariants = ["(.screen.rows | length) == .screen.counted"]

    struct Task: Encodable, Equatable, Sendable {
        let number: Int
        var text: String
        var isDone = false
    }
    struct Tasks: Encodable, Equatable, Sendable { var list: [Task] = [] }
    struct Filter: Encodable, Equatable, Sendable {
        var shows = "all"
        var changes = 0
    }
    struct Draft: Encodable, Equatable, Sendable { var text = "" }
    struct Saved: Encodable, Equatable, Sendable {
        var texts: [String] = []
        var times = 0
    }
    struct Screen: Encodable, Equatable, Sendable {
        var rows: [Int: String] = [:]
        var counted = 0
        var left = 0
    }

    let bugs: Bugs
    let tasks: Store<Tasks>
    let filter: Store<Filter>
    let draft: Store<Draft>
    let saved: Store<Saved>
    let screen: Store<Screen>

    init(_ bugs: Bugs, _ recorder: Recorder) {
        self.bugs = bugs
        tasks = Store(Tasks(), name: "tasks", recorder: recorder)
        filter = Store(Filter(), name: "filter", recorder: recorder)
        draft = Store(Draft(), name: "draft", recorder: recorder)
        saved = Store(Saved(), name: "saved", recorder: recorder)
        screen = Store(Screen(), name: "screen", recorder: recorder)
    }

    func type(_ text: String) { draft.commit { $0.text = text } }
    func discard() { draft.commit { $0.text = "" } }

    func add() {
        let text = draft.state.text
        tasks.commit { tasks in
            let greatest = tasks.list.map(\.number).max() ?? -1
            let number = bugs.planted(.wrongKey, greatest + 1, tasks.list.count)
            tasks.list.insert(Task(number: number, text: text), at: 0)
        }
        discard()
    }

    func toggle(_ index: Int) { tasks.commit { $0.list[index].isDone.toggle() } }
    func rename(_ index: Int) { tasks.commit { $0.list[index].text += "!" } }
    func remove(_ index: Int) { tasks.commit { tasks in _ = tasks.list.remove(at: index) } }
    func clearDone() { tasks.commit { $0.list.removeAll(where: \.isDone) } }

    func completeAll() {
        tasks.commit { tasks in
            for index in tasks.list.indices { tasks.list[index].isDone = true }
        }
    }

    func show(_ name: String) {
        filter.commit { filter in
            filter.shows = name
            filter.changes += 1
        }
    }

    func save() {
        saved.commit { saved in
            saved.texts = tasks.state.list.map(\.text)
            saved.times += 1
        }
    }

    func draw() {
        let filter = filter.state.shows
        let shown = tasks.state.list.filter { filter == "all" || $0.isDone == (filter == "done") }
        screen.commit { screen in
            screen.rows = Dictionary(shown.map { ($0.number, $0.text) }, uniquingKeysWith: { first, _ in first })
            screen.counted = shown.count
            screen.left = tasks.state.list.count { !$0.isDone }
        }
    }

    func act(_ random: inout SeededGenerator) {
        let count = tasks.state.list.count
        switch below(20, &random) {
        case 0...6:
            type("task \(below(100, &random))")
            if below(6, &random) == 0 { discard() } else { add() }
        case 7...10: if count > 0 { toggle(below(count, &random)) }
        case 11: if count > 0 { rename(below(count, &random)) }
        case 12: if count > 0 { remove(below(count, &random)) }
        case 13: if below(3, &random) == 0 { clearDone() }
        case 14: if below(4, &random) == 0 { completeAll() }
        case 15, 16: show(["all", "open", "done"][below(3, &random)])
        default: draw()
        }
    }

    func closeDay() {
        draw()
        save()
    }
}
