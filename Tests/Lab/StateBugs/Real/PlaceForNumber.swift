import StateStore
import TestSupport

/// A list of tasks that are known by their place: in a filtered list, the place is that of another task in the whole.
///
/// What was never touched is finished, and what was finished is there the next day.
final class PlaceForNumber: RealBug {
    static let name = "place for number"
    static let report = "https://github.com/reduxjs/redux/issues/1129"
    static let fix = "https://github.com/reduxjs/redux/pull/1133"
    static let invariants = [".evening.forgotten == 0"]

    struct Task: Encodable, Equatable, Sendable {
        let number: Int
        var text: String
        var isDone = false
    }
    struct Tasks: Encodable, Equatable, Sendable {
        var list: [Task] = []
        var next = 1
    }
    struct Filter: Encodable, Equatable, Sendable { var shows = "all" }
    struct Shown: Encodable, Equatable, Sendable { var numbers: [Int] = [] }
    /// What the user has on paper.
    struct Paper: Encodable, Equatable, Sendable { var crossed: [Int] = [] }
    struct Draft: Encodable, Equatable, Sendable { var text = "" }
    struct Reminders: Encodable, Equatable, Sendable { var at: [Int: Int] = [:] }
    struct Evening: Encodable, Equatable, Sendable {
        var forgotten = 0
        var days = 0
    }

    let bugs: Bugs
    let tasks: Store<Tasks>
    let filter: Store<Filter>
    let shown: Store<Shown>
    let paper: Store<Paper>
    let draft: Store<Draft>
    let reminders: Store<Reminders>
    let evening: Store<Evening>

    init(_ bugs: Bugs, _ recorder: Recorder) {
        self.bugs = bugs
        tasks = Store(Tasks(), name: "tasks", recorder: recorder)
        filter = Store(Filter(), name: "filter", recorder: recorder)
        shown = Store(Shown(), name: "shown", recorder: recorder)
        paper = Store(Paper(), name: "paper", recorder: recorder)
        draft = Store(Draft(), name: "draft", recorder: recorder)
        reminders = Store(Reminders(), name: "reminders", recorder: recorder)
        evening = Store(Evening(), name: "evening", recorder: recorder)
    }

    func type(_ text: String) { draft.commit { $0.text = text } }
    func discard() { draft.commit { $0.text = "" } }

    func add() {
        guard !draft.state.text.isEmpty else { return }
        tasks.commit { tasks in
            tasks.list.append(Task(number: tasks.next, text: draft.state.text))
            tasks.next += 1
        }
        discard()
        draw()
    }

    /// A click on a row of what is shown.
    func click(_ row: Int) {
        guard shown.state.numbers.indices.contains(row) else { return }
        let number = shown.state.numbers[row]
        complete(number, row)
        cross(number)
        draw()
    }

    func complete(_ number: Int, _ row: Int) {
        tasks.commit { tasks in
            let place = tasks.list.firstIndex { $0.number == number } ?? row
            let index = bugs.planted(.wrongKey, place, row)
            tasks.list[index].isDone = true
        }
    }

    func cross(_ number: Int) { paper.commit { if !$0.crossed.contains(number) { $0.crossed.append(number) } } }
    func rename(_ index: Int) { tasks.commit { $0.list[index].text += "!" } }

    func remind(_ number: Int, _ hour: Int) { reminders.commit { $0.at[number] = hour } }
    func silence() { reminders.commit { $0.at = [:] } }

    func archive() {
        let done = tasks.state.list.filter(\.isDone).map(\.number)
        guard !done.isEmpty else { return }
        tasks.commit { $0.list.removeAll(where: \.isDone) }
        paper.commit { $0.crossed.removeAll { done.contains($0) } }
        draw()
    }

    func show(_ name: String) {
        filter.commit { $0.shows = name }
        draw()
    }

    func draw() {
        let name = filter.state.shows
        let visible = tasks.state.list.filter { name == "all" || !$0.isDone }
        shown.commit { $0.numbers = visible.map(\.number) }
    }

    func compare() {
        let done = Set(tasks.state.list.filter(\.isDone).map(\.number))
        evening.commit { evening in
            evening.days += 1
            evening.forgotten = done.symmetricDifference(paper.state.crossed).count
        }
    }

    func act(_ random: inout SeededGenerator) {
        let count = tasks.state.list.count
        switch below(24, &random) {
        case 0...3: type("t\(below(90, &random))")
        case 4...7: add()
        case 8: discard()
        case 9...12: click(below(shown.state.numbers.count, &random))
        case 13, 14: if count > 0 { rename(below(count, &random)) }
        case 15...17: remind(1 + below(9, &random), below(24, &random))
        case 18: silence()
        case 19: if below(4, &random) == 0 { archive() }
        case 20: if below(2, &random) == 0 { show("open") }
        case 21: show("all")
        default: if below(3, &random) == 0 { draw() }
        }
    }

    func closeDay() { compare() }
}
