internal import Synchronization

/// A value that comes later, once, for any number of tasks that wait for it.
package final class Promise<Value: Sendable>: Sendable {
    private enum Content: Sendable {
        case waiting([CheckedContinuation<Value, Never>])
        case done(Value)
    }

    private let content = Mutex(Content.waiting([]))

    /// Makes a promise without a value.
    package init() {}

    /// The value, as soon as it is there.
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

    /// Gives the value to all who wait, and who will; a second time it does nothing.
    package func resolve(_ value: Value) {
        let waiting = content.withLock { content -> [CheckedContinuation<Value, Never>] in
            guard case .waiting(let waiting) = content else { return [] }
            content = .done(value)
            return waiting
        }
        for continuation in waiting { continuation.resume(returning: value) }
    }
}
