/// A value that several threads share, with a lock, and a way to wait until it has changed.
package final class ThreadCondition<Value>: @unchecked Sendable {
    // Unchecked: the value is only touched under the lock.
    private let signal = ThreadSignal()
    private var value: Value

    package init(_ value: sending Value) { self.value = value }

    /// Changes the value and wakes everybody who waits.
    package func change(_ body: (inout Value) -> Void) {
        signal.lock()
        body(&value)
        signal.wakeAll()
        signal.unlock()
    }

    /// Asks under the lock until there is an answer; between two tries it waits for a change.
    package func wait<Answer>(for body: (inout Value) -> Answer?) -> Answer {
        signal.lock()
        defer { signal.unlock() }
        while true {
            if let answer = body(&value) {
                // What was taken may be what another one waits for to be gone.
                signal.wakeAll()
                return answer
            }
            signal.wait()
        }
    }
}
