internal import Synchronization

/// The buffer between a store and the one who iterates over its changes.
final class ChangesChannel<State: Sendable>: Sendable {
    fileprivate typealias Consumer = CheckedContinuation<Changes<State>?, Never>

    fileprivate struct Content: Sendable {
        /// What waits to be taken, from `next` on.
        var buffer: [Changes<State>] = []
        var next = 0
        /// What the consumer has seen last: at first the version before all, which nobody has seen where the first change
        /// is the state as it was at the subscription.
        var seen: StateNode<State>??
        var consumers: [Consumer] = []
        var isFinished = false
    }

    private let limit: Int
    private let content = Mutex(Content())

    init(_ buffering: ChangesBuffering) {
        switch buffering {
        case .unbounded: limit = .max
        case .newest(let count):
            precondition(count > 0, "'changes(buffering: .newest(\(count)))' would keep nothing: keep at least one")
            limit = count
        }
    }

    /// Hands a change to who waits for it, or puts it into the buffer.
    func push(_ changes: Changes<State>) {
        let taken = content.withLock { content -> (Consumer, Changes<State>?)? in
            if content.isFinished { return nil }
            content.add(changes, limit: limit)
            return content.consumers.isEmpty ? nil : (content.consumers.removeFirst(), content.take())
        }
        if let (consumer, changes) = taken { consumer.resume(returning: changes) }
    }

    /// Ends the sequence, at once or behind what waits.
    func finish(dropping: Bool) {
        let consumers = content.withLock { content in
            content.isFinished = true
            if dropping { content.drop() }
            defer { content.consumers = [] }
            return content.consumers
        }
        for consumer in consumers { consumer.resume(returning: nil) }
    }

    /// The next change, as soon as there is one; nil at the end.
    func next() async -> Changes<State>? {
        await withCheckedContinuation { consumer in
            let (isReady, changes) = content.withLock { content -> (Bool, Changes<State>?) in
                if let changes = content.take() { return (true, changes) }
                if content.isFinished { return (true, nil) }
                content.consumers.append(consumer)
                return (false, nil)
            }
            if isReady { consumer.resume(returning: changes) }
        }
    }
}

extension ChangesChannel.Content {
    fileprivate mutating func add(_ changes: Changes<State>, limit: Int) {
        if seen == nil { seen = .some(changes.previousNode) }
        if buffer.count - next == limit { next += 1 }
        // Each element is moved once for as many that were taken.
        if next > 16, next * 2 >= buffer.count {
            buffer.removeFirst(next)
            next = 0
        }
        buffer.append(changes)
    }

    /// Takes the first in the buffer, with the one taken before as its previous.
    fileprivate mutating func take() -> Changes<State>? {
        guard next < buffer.count else { return nil }
        let changes = buffer[next].following(seen ?? nil)
        next += 1
        if next == buffer.count { drop() }
        seen = changes.node
        return changes
    }

    fileprivate mutating func drop() {
        buffer.removeAll(keepingCapacity: true)
        next = 0
    }
}
