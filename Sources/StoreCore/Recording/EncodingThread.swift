internal import Platform
internal import Synchronization

/// The thread on which a recorder encodes in the background, so that a commit costs its copy and an entry in the queue.
final class EncodingThread: @unchecked Sendable {
    // Unchecked: `hasEnded` is touched under `signal` only.

    /// So many records may wait: beyond that who commits waits until some are taken.
    ///
    /// As many again may be on their way, and each may hold a state of its own.
    static let limit = 1_024

    /// Which of them runs the present thread.
    private static let present = ThreadLocal()

    private let signal = ThreadSignal()
    private let hasWork = Synchronization.Atomic(false)
    private var hasEnded = false

    /// Starts it.
    ///
    /// - Parameter work: writes what is in the queue; false where there is nobody any more whose queue it is.
    /// - Throws: `SystemFailure` where the system has no thread left.
    func start(_ work: @escaping @Sendable () -> Bool) throws(SystemFailure) {
        try SystemThread.start(takesSignals: false) { [self] in
            EncodingThread.present?.set(UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque()))
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

    /// Has it look at the queue.
    func wake() {
        if hasWork.exchange(true, ordering: .acquiringAndReleasing) { return }
        signal.locked { signal.wakeAll() }
    }

    /// Waits while the queue is full; this thread itself does not, since nobody else would empty it.
    func waitForRoom(_ isFull: () -> Bool) {
        if EncodingThread.present?.pointer == Unmanaged.passUnretained(self).toOpaque() { return }
        signal.locked { while isFull(), !hasEnded { signal.wait() } }
    }

    /// Wakes who waits for room.
    func signalRoom() { signal.locked { signal.wakeAll() } }

    /// Ends it once it is done with what it is at; who waits for room goes on.
    func end() {
        signal.locked {
            hasEnded = true
            signal.wakeAll()
        }
    }
}
