internal import Synchronization

/// Counts what was handed to the sinks of one store and is not received yet.
final class OutstandingDeliveries: Sendable {
    private struct Count: Sendable {
        var deliveries = 0
        /// Resolved when there are none; nil while nothing waits for that.
        var end: Promise<Void>?
    }

    private let count = Mutex(Count())

    /// Counts one more.
    func add() { count.withLock { $0.deliveries += 1 } }

    /// Counts some as received, or as not wanted any more.
    func remove(_ deliveries: Int = 1) {
        let end = count.withLock { count -> Promise<Void>? in
            count.deliveries -= deliveries
            return count.deliveries == 0 ? count.end.take() : nil
        }
        end?.resolve(())
    }

    /// Returns when there are none.
    func waitUntilNone() async {
        let end = count.withLock { count -> Promise<Void>? in
            if count.deliveries == 0 { return nil }
            let end = count.end ?? Promise()
            count.end = end
            return end
        }
        await end?.value
    }
}
