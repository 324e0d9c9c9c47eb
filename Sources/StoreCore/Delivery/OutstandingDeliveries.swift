internal import Synchronization

/// Counts what was handed to the sinks of one store and is not received yet.
final class OutstandingDeliveries: Sendable {
    private struct Count: Sendable {
        var deliveries = 0
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let count = Mutex(Count())

    /// Counts one more.
    func add() { count.withLock { $0.deliveries += 1 } }

    /// Counts some as received, or as not wanted any more.
    func remove(_ deliveries: Int = 1) {
        let waiters = count.withLock { count in
            count.deliveries -= deliveries
            guard count.deliveries == 0, !count.waiters.isEmpty else { return [CheckedContinuation<Void, Never>]() }
            defer { count.waiters = [] }
            return count.waiters
        }
        waiters.forEach { $0.resume() }
    }

    /// Returns when there are none.
    func waitUntilNone() async {
        await withCheckedContinuation { waiter in
            let isNone = count.withLock { count in
                if count.deliveries > 0 { count.waiters.append(waiter) }
                return count.deliveries == 0
            }
            if isNone { waiter.resume() }
        }
    }
}
