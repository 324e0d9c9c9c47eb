import StateStore
import TestSupport

/// An undo history with a limit: where there is one, a change after an undo leaves what was undone in the history.
///
/// Redo then brings back what the user had decided against.
final class RedoLimit: RealBug {
    static let name = "redo limit"
    static let report = "https://github.com/LegendApp/legend-state/pull/630"
    static let fix = "https://github.com/LegendApp/legend-state/pull/630"
    static let invariants = [".review.wrong == 0"]

    struct Text: Encodable, Equatable, Sendable { var words = 0 }
    struct History: Encodable, Equatable, Sendable {
        var states = [0]
        var pointer = 0
        var limit: Int?
    }
    /// What the user did, as a second history would have it.
    struct Memory: Encodable, Equatable, Sendable {
        var done = [0]
        var undone: [Int] = []
    }
    struct Menu: Encodable, Equatable, Sendable {
        var isOpen = false
        var opened = 0
    }
    struct Review: Encodable, Equatable, Sendable {
        var wrong = 0
        var times = 0
    }

    let bugs: Bugs
    let text: Store<Text>
    let history: Store<History>
    let memory: Store<Memory>
    let menu: Store<Menu>
    let review: Store<Review>

    init(_ bugs: Bugs, _ recorder: Recorder) {
        self.bugs = bugs
        text = Store(Text(), name: "text", recorder: recorder)
        history = Store(History(), name: "history", recorder: recorder)
        memory = Store(Memory(), name: "memory", recorder: recorder)
        menu = Store(Menu(), name: "menu", recorder: recorder)
        review = Store(Review(), name: "review", recorder: recorder)
    }

    func write(_ words: Int) {
        text.commit { $0.words = words }
        record(words)
        remember(words)
    }

    func record(_ words: Int) {
        history.commit { history in
            let isKept = history.limit != nil && bugs.isPlanted(.forgottenReset)
            if !isKept { history.states = Array(history.states.prefix(history.pointer + 1)) }
            history.states.append(words)
            if let limit = history.limit { history.states = Array(history.states.suffix(limit)) }
            history.pointer = history.states.count - 1
        }
    }

    func remember(_ words: Int) {
        memory.commit { memory in
            memory.done.append(words)
            memory.undone = []
        }
    }

    func undo() {
        let (states, pointer) = (history.state.states, history.state.pointer)
        guard pointer > 0 else { return }
        history.commit { $0.pointer -= 1 }
        text.commit { $0.words = states[pointer - 1] }
        memory.commit { memory in
            if memory.done.count > 1 { memory.undone.append(memory.done.removeLast()) }
        }
    }

    func redo() {
        let (states, pointer) = (history.state.states, history.state.pointer)
        guard pointer + 1 < states.count else { return }
        history.commit { $0.pointer += 1 }
        text.commit { $0.words = states[pointer + 1] }
        memory.commit { memory in
            if let last = memory.undone.popLast() { memory.done.append(last) }
        }
    }

    func setLimit(_ limit: Int) { history.commit { $0.limit = limit } }
    func removeLimit() { history.commit { $0.limit = nil } }

    func openMenu() {
        menu.commit { menu in
            menu.isOpen = true
            menu.opened += 1
        }
    }

    func closeMenu() { menu.commit { $0.isOpen = false } }

    /// The text is read again.
    func read() {
        review.commit { review in
            review.times += 1
            if text.state.words != memory.state.done.last { review.wrong += 1 }
        }
    }

    func act(_ random: inout SeededGenerator) {
        switch below(24, &random) {
        case 0...7: write(1 + below(900, &random))
        case 8...11: undo()
        case 12...14: redo()
        case 15: setLimit(8)
        case 16: if below(4, &random) == 0 { removeLimit() }
        case 17...19: openMenu()
        case 20, 21: closeMenu()
        default: if below(2, &random) == 0 { read() }
        }
    }

    func closeDay() { read() }
}
