internal import Synchronization

final class ChangesChannel<State: Sendable>: Sendable {
    fileprivate typealias Consumer = CheckedContinuation<Changes<State>?, Never>

    fileprivate struct Content: Sendable {
        var buffer = ElementQueue<Changes<State>>()
        /// The version that the consumer took last; nil before the first change is added.
        ///
        /// The inner nil stands for no version, where the first change is the state at the subscription.
        var seen: StateNode<State>??
        var consumers: [Consumer] = []
        var isFinished = false
    }

    private let limit: Int
    private let content = Mutex(Content())

    init(_ buffering: ChangesBuffering) { limit = buffering.limit }

    func push(_ changes: Changes<State>) {
        // A change that is left out is released outside the lock.
        let (taken, _) = content.withLock { content -> ((Consumer, Changes<State>?)?, Changes<State>?) in
            if content.isFinished { return (nil, nil) }
            let oldest = content.add(changes, limit: limit)
            return (content.consumers.isEmpty ? nil : (content.consumers.removeFirst(), content.take()), oldest)
        }
        if let (consumer, changes) = taken { consumer.resume(returning: changes) }
    }

    func finish(dropping: Bool) {
        let (consumers, _) = content.withLock { content in
            content.isFinished = true
            defer { content.consumers = [] }
            return (content.consumers, dropping ? content.buffer.removeAll() : [])
        }
        for consumer in consumers { consumer.resume(returning: nil) }
    }

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
    /// - Returns: the oldest change, if it no longer has room.
    fileprivate mutating func add(_ changes: Changes<State>, limit: Int) -> Changes<State>? {
        if seen == nil { seen = .some(changes.previousNode) }
        let oldest = buffer.count == limit ? buffer.popFirst() : nil
        // The first one holds what the consumer saw, and not a change that is left out.
        buffer.append(buffer.count == 0 ? changes.following(seen ?? nil) : changes)
        if oldest != nil { buffer.first = buffer.first?.following(seen ?? nil) }
        return oldest
    }

    /// Takes the first in the buffer, with the one taken before as its previous.
    fileprivate mutating func take() -> Changes<State>? {
        guard let changes = buffer.popFirst()?.following(seen ?? nil) else { return nil }
        seen = changes.node
        return changes
    }
}
