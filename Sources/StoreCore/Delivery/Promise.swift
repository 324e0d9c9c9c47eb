internal import Synchronization

/// A value that is set once, later, and that any number of tasks may wait for.
package final class Promise<Value: Sendable>: Sendable {
    private struct Waiter: Sendable {
        let number: Int
        /// Resumed with nil if its task is cancelled.
        let continuation: CheckedContinuation<Value?, Never>
    }

    private enum Content: Sendable {
        case waiting([Waiter])
        case done(Value)
    }

    private let content = Mutex(Content.waiting([]))
    private let waiters = Atomic(0)

    package init() {}

    package var value: Value {
        get async {
            guard let value = await wait(as: nextNumber, isCancellable: false) else {
                preconditionFailure("a task that waits regardless of its cancellation was resumed by it")
            }
            return value
        }
    }

    /// The value, once it is set; nil at once if the waiting task is cancelled before.
    package var valueUnlessCancelled: Value? {
        get async {
            let number = nextNumber
            return await withTaskCancellationHandler {
                await wait(as: number, isCancellable: true)
            } onCancel: {
                cancel(number)
            }
        }
    }

    private var nextNumber: Int { waiters.add(1, ordering: .relaxed).newValue }

    private func wait(as number: Int, isCancellable: Bool) async -> Value? {
        await withCheckedContinuation { continuation in
            let (isReady, value) = content.withLock { content -> (Bool, Value?) in
                switch content {
                case .done(let value): return (true, value)
                // A cancellation from before was not found here by its handler.
                case .waiting where isCancellable && Task.isCancelled: return (true, nil)
                case .waiting(let others):
                    content = .waiting(others + [Waiter(number: number, continuation: continuation)])
                    return (false, nil)
                }
            }
            if isReady { continuation.resume(returning: value) }
        }
    }

    private func cancel(_ number: Int) {
        let waiter = content.withLock { content -> Waiter? in
            guard case .waiting(var waiting) = content, let place = waiting.firstIndex(where: { $0.number == number })
            else { return nil }
            let waiter = waiting.remove(at: place)
            content = .waiting(waiting)
            return waiter
        }
        waiter?.continuation.resume(returning: nil)
    }

    /// Sets the value, for all tasks that wait or will wait; a second time it does nothing.
    package func resolve(_ value: Value) {
        let waiting = content.withLock { content -> [Waiter] in
            guard case .waiting(let waiting) = content else { return [] }
            content = .done(value)
            return waiting
        }
        for waiter in waiting { waiter.continuation.resume(returning: value) }
    }
}
