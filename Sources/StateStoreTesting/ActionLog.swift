internal import StateStore
internal import Synchronization

struct AnsweredAction<State: Sendable, Action: Sendable>: Sendable {
    let action: Action
    var before: State
    let after: State
    /// Whether the state before it differs from the one that the last action left.
    var followsOtherCommit: Bool
}

/// The actions that a test store's reducer has handled, and the test has not asserted.
final class ActionLog<State: Equatable & Sendable, Action: Sendable>: Sendable {
    private struct Content: Sendable {
        /// The state that the test asserted last.
        var asserted: State
        var latest: State
        var waiting: [AnsweredAction<State, Action>] = []
        /// What the reducer did with the action that the test is sending.
        var sent: (action: SentAction, answers: [AnsweredAction<State, Action>])?
    }

    private let content: Mutex<Content>

    init(_ initial: State) { content = Mutex(Content(asserted: initial, latest: initial)) }

    var asserted: State { content.withLock(\.asserted) }

    func setAsserted(_ state: State) { content.withLock { $0.asserted = state } }

    var isEmpty: Bool { content.withLock(\.waiting.isEmpty) }

    func record(_ action: Action, from before: State, to after: State) {
        let sent = SentAction.answering
        content.withLock { content in
            let answer = AnsweredAction(
                action: action, before: before, after: after, followsOtherCommit: before != content.latest)
            content.latest = after
            if let sent, sent.isOpen {
                if content.sent?.action !== sent { content.sent = (sent, []) }
                content.sent?.answers.append(answer)
            } else {
                content.waiting.append(answer)
            }
        }
    }

    /// What the reducer did with an action that the test has sent, in one if middleware passed it on more than once.
    func takeAnswer(to sent: SentAction) -> AnsweredAction<State, Action>? {
        content.withLock { content in
            sent.close()
            guard let (action, answers) = content.sent, action === sent, var answer = answers.last else { return nil }
            content.sent = nil
            if let first = answers.first {
                answer.before = first.before
                answer.followsOtherCommit = first.followsOtherCommit
            }
            return answer
        }
    }

    func take() -> AnsweredAction<State, Action>? {
        content.withLock { $0.waiting.isEmpty ? nil : $0.waiting.removeFirst() }
    }

    /// Takes all actions that wait; they count as asserted from now on.
    func takeAll() -> [AnsweredAction<State, Action>] {
        content.withLock { content in
            if let last = content.waiting.last { content.asserted = last.after }
            defer { content.waiting = [] }
            return content.waiting
        }
    }
}

/// The action that a test is sending, distinguished from those that middleware and effects dispatch meanwhile.
final class SentAction: Sendable {
    private enum Stage: Sendable { case new, entered, closed }

    @TaskLocal static var current: SentAction?
    /// The sent action that the chain is handling here; nil if it is handling another one.
    @TaskLocal static var answering: SentAction?

    private let stage = Mutex(Stage.new)

    /// Whether the test is still sending it; what middleware passes on later, from a task, is received.
    var isOpen: Bool { stage.withLock { $0 != .closed } }

    func close() { stage.withLock { $0 = .closed } }

    /// Whether this is the first dispatch while it is sent, which is its own.
    private func enter() -> Bool {
        stage.withLock { stage in
            defer { if stage == .new { stage = .entered } }
            return stage == .new
        }
    }

    /// The outermost middleware, which sees each dispatch first.
    static func mark<State, Action>() -> Middleware<State, Action> {
        Middleware { _, next in
            { action in
                let own = current.flatMap { $0.enter() ? $0 : nil }
                $answering.withValue(own) { next(action) }
            }
        }
    }
}
