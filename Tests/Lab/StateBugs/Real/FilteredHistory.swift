import StateStore
import TestSupport

/// An undo history that leaves out some actions: the first of those after another is kept all the same.
///
/// Undo then takes back what cannot be seen, and seems to do nothing.
final class FilteredHistory: RealBug {
    static let name = "filtered history"
    static let report = "https://github.com/omnidan/redux-undo/issues/98"
    static let fix = "https://github.com/omnidan/redux-undo/pull/139"
    static let invariants = [".user.surprised == 0"]

    struct Drawing: Encodable, Equatable, Sendable {
        var shapes: [Int] = []
        var hovered: Int?
    }
    struct History: Encodable, Equatable, Sendable {
        var past: [Drawing] = []
        var future: [Drawing] = []
        var latest = Drawing()
        var wasFiltered = false
    }
    struct Tools: Encodable, Equatable, Sendable {
        var name = "pen"
        var width = 1
    }
    struct View: Encodable, Equatable, Sendable { var zoom = 100 }
    struct User: Encodable, Equatable, Sendable {
        var undone = 0
        var surprised = 0
    }

    let bugs: Bugs
    let drawing: Store<Drawing>
    let history: Store<History>
    let tools: Store<Tools>
    let view: Store<View>
    let user: Store<User>

    init(_ bugs: Bugs, _ recorder: Recorder) {
        self.bugs = bugs
        drawing = Store(Drawing(), name: "drawing", recorder: recorder)
        history = Store(History(), name: "history", recorder: recorder)
        tools = Store(Tools(), name: "tools", recorder: recorder)
        view = Store(View(), name: "view", recorder: recorder)
        user = Store(User(), name: "user", recorder: recorder)
    }

    func add(_ shape: Int) {
        drawing.commit { $0.shapes.append(shape) }
        insert()
    }

    func remove() {
        guard !drawing.state.shapes.isEmpty else { return }
        drawing.commit { _ = $0.shapes.removeLast() }
        insert()
    }

    func hover(_ shape: Int) {
        drawing.commit { $0.hovered = shape }
        filter()
    }

    func leave() {
        guard drawing.state.hovered != nil else { return }
        drawing.commit { $0.hovered = nil }
        filter()
    }

    func insert() {
        history.commit { history in
            if !history.wasFiltered || history.past.last?.shapes != history.latest.shapes {
                history.past.append(history.latest)
            }
            history.latest = drawing.state
            history.future = []
            history.wasFiltered = false
            if history.past.count > 20 { history.past.removeFirst() }
        }
    }

    /// An action that is left out of the history.
    func filter() {
        history.commit { history in
            if !history.wasFiltered, bugs.isPlanted(.missingFilter) { history.past.append(history.latest) }
            history.wasFiltered = true
        }
    }

    func undo() {
        guard let last = history.state.past.last else { return }
        let before = drawing.state.shapes
        history.commit { history in
            history.past.removeLast()
            history.future.append(history.latest)
            history.latest = last
        }
        show(last)
        react(before)
    }

    func redo() {
        guard let next = history.state.future.last else { return }
        history.commit { history in
            history.future.removeLast()
            history.past.append(history.latest)
            history.latest = next
        }
        show(next)
    }

    func show(_ other: Drawing) { drawing.commit { $0.shapes = other.shapes } }

    func react(_ before: [Int]) {
        user.commit { user in
            user.undone += 1
            if drawing.state.shapes == before { user.surprised += 1 }
        }
    }

    func pick(_ name: String) { tools.commit { $0.name = name } }
    func widen() { tools.commit { $0.width = $0.width % 5 + 1 } }
    func zoom(_ percent: Int) { view.commit { $0.zoom = percent } }

    func act(_ random: inout SeededGenerator) {
        switch below(40, &random) {
        case 0...13: add(below(90, &random))
        case 14...16: remove()
        case 17: hover(below(9, &random))
        case 18: leave()
        case 19...25: pick(["pen", "box", "line"][below(3, &random)])
        case 26...29: widen()
        case 30...34: zoom(50 + 25 * below(5, &random))
        case 35...37: undo()
        default: redo()
        }
    }

    func closeDay() { leave() }
}
