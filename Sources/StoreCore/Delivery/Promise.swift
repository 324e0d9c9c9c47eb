internal import Synchronization

/// A value that is set once, later, and that any number of tasks may wait for.
package final class Promise<Value: Sendable>: Sendable {
    private enum Content: Sendable {
        case waiting([CheckedContinuation<Value, Never>])
        case done(Value)
    }

    private let content = Mutex(Content.waiting([]))

    /// Makes a promise without a value.
    package init() {}

    /// The value, once it is set.
    package var value: Value {
        get async {
            await withCheckedContinuation { continuation in
                let done = content.withLock { content -> Value? in
                    switch content {
                    case .done(let value): return value
                    case .waiting(let others):
                        content = .waiting(others + [continuation])
                        return nil
                    }
                }
                if let done { continuation.resume(returning: done) }
            }
        }
    }

    /// Sets the value, for all tasks that wait or will wait; a second time it does nothing.
    package func resolve(_ value: Value) {
        let waiting = content.withLock { content -> [CheckedContinuation<Value, Never>] in
            guard case .waiting(let waiting) = content else { return [] }
            content = .done(value)
            return waiting
        }
        for continuation in waiting { continuation.resume(returning: value) }
    }
}
