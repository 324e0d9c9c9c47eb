internal import Synchronization

final class ChangesChannel<State: Sendable>: Sendable {
    fileprivate typealias Consumer = CheckedContinuation<Changes<State>?, Never>

    fileprivate struct Content: Sendable {
        var buffer = ElementQueue<Changes<State>>()
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
            return (
                content.consumers.isEmpty ? nil : (content.consumers.removeFirst(), content.buffer.popFirst()), oldest
            )
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
                if let changes = content.buffer.popFirst() { return (true, changes) }
                if content.isFinished { return (true, nil) }
                content.consumers.append(consumer)
                return (false, nil)
            }
            if isReady { consumer.resume(returning: changes) }
        }
    }
}

extension ChangesChannel.Content {
    /// - Returns: the oldest change, if it no longer has room; the next one then follows what the consumer saw before that.
    fileprivate mutating func add(_ changes: Changes<State>, limit: Int) -> Changes<State>? {
        let oldest = buffer.count == limit ? buffer.popFirst() : nil
        buffer.append(changes)
        if let oldest { buffer.first = buffer.first?.following(oldest.before).of(State.self) }
        return oldest
    }
}
