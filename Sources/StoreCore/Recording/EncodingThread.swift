internal import Platform
internal import Synchronization

/// The thread on which a recorder encodes in the background, so that a commit costs its copy and an entry in the queue.
final class EncodingThread: @unchecked Sendable {
    // Unchecked: `hasEnded` is touched under `signal` only.

    /// This many records may wait: beyond that, a commit waits until some are taken, or for a second.
    ///
    /// As many again may be in the writer's hands, and each may hold a state.
    static let limit = 1_024

    private static let present = ThreadLocal()

    private let signal = ThreadSignal()
    private let hasWork = Synchronization.Atomic(false)
    private var hasEnded = false

    /// - Parameter work: writes the queue; returns false once the recorder is gone.
    /// - Throws: `SystemFailure` if the system has no thread left.
    func start(_ work: @escaping @Sendable () -> Bool) throws(SystemFailure) {
        try SystemThread.start(takesSignals: false) { [self] in
            EncodingThread.present?.set(number: UInt(bitPattern: ObjectIdentifier(self)))
            run(work)
        }.detach()
    }

    private func run(_ work: () -> Bool) {
        while true {
            while hasWork.exchange(false, ordering: .acquiringAndReleasing) {
                guard work() else { return }
            }
            signal.lock()
            while !hasWork.load(ordering: .acquiring), !hasEnded { signal.wait() }
            let isEnding = hasEnded
            signal.unlock()
            if isEnding { return }
        }
    }

    func wake() {
        if hasWork.exchange(true, ordering: .acquiringAndReleasing) { return }
        signal.locked { signal.wakeAll() }
    }

    /// Waits while the queue is full: a second at most, since a disk may stand still, and the main thread wait here.
    ///
    /// The encoding thread itself does not wait, since it is the one that empties the queue.
    func waitForRoom(_ isFull: () -> Bool) {
        if EncodingThread.present?.number == UInt(bitPattern: ObjectIdentifier(self)) { return }
        let end = ContinuousClock.now + .seconds(1)
        signal.locked {
            while isFull(), !hasEnded, case let rest = ContinuousClock.now.duration(to: end), rest > .zero {
                signal.wait(rest)
            }
        }
    }

    func signalRoom() { signal.locked { signal.wakeAll() } }

    /// Ends the thread after its current work; threads that wait for room continue.
    func end() {
        signal.locked {
            hasEnded = true
            signal.wakeAll()
        }
    }
}
