internal import Synchronization

/// One subscriber: hands each change to its closure once, in order, never two at a time.
final class Sink<State: Sendable>: Sendable {
    /// A change, and the commit that what the subscriber does is caused by.
    struct Delivered: Sendable {
        let changes: Changes<State>
        let commit: CommitReference?
    }

    private struct Gate: Sendable {
        var isCancelled = false
        /// The first delivery runs on the subscribing thread; what comes meanwhile waits for it here.
        var isStarting = false
        var backlog: [Delivered] = []
    }

    private let receive: @Sendable (Changes<State>) -> Void
    private let startsAfter: Int
    private let gate: Mutex<Gate>

    /// - Parameters:
    ///   - version: what the subscriber has seen, or does not want to see.
    ///   - isStarting: whether ``start(with:)`` is going to be called.
    init(after version: Int, isStarting: Bool, _ receive: @escaping @Sendable (Changes<State>) -> Void) {
        self.receive = receive
        startsAfter = version
        gate = Mutex(Gate(isStarting: isStarting))
    }

    /// Runs the first delivery, then what came meanwhile.
    func start(with initial: Changes<State>) {
        receive(initial)
        while true {
            let waiting = gate.withLock { gate -> [Delivered] in
                if gate.backlog.isEmpty { gate.isStarting = false }
                defer { gate.backlog = [] }
                return gate.backlog
            }
            if waiting.isEmpty { return }
            for delivered in waiting where !gate.withLock(\.isCancelled) {
                CommitReference.$current.withValue(delivered.commit) { receive(delivered.changes) }
            }
        }
    }

    /// Delivers a change; the caller has made its commit the current cause.
    func deliver(_ delivered: Delivered) {
        guard delivered.changes.version > startsAfter else { return }
        let isOpen = gate.withLock { gate -> Bool in
            if gate.isCancelled { return false }
            if gate.isStarting { gate.backlog.append(delivered) }
            return !gate.isStarting
        }
        if isOpen { receive(delivered.changes) }
    }

    func cancel() {
        gate.withLock { gate in
            gate.isCancelled = true
            gate.backlog = []
        }
    }
}
