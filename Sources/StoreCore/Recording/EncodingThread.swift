internal import JournalFormat
internal import Platform
internal import Synchronization

/// The thread on which a recorder encodes and writes in the background, so that a commit costs its copy and an entry in the queue.
final class EncodingThread: @unchecked Sendable {
    // Unchecked: `hasEnded` is touched under `signal` only, `isRunning` before any other thread has the object.

    /// This many records may wait: beyond that, a commit waits until some are taken, or for a second.
    ///
    /// As many again may be those that are being written, and each may hold a state.
    static let limit = 1_024

    private static let present = ThreadLocal()

    private enum Event { case work, timeout, end }

    private let signal = ThreadSignal()
    private let hasWork = Synchronization.Atomic(false)
    /// Whether there is a thread: the system may have none left.
    private(set) var isRunning = false
    private var hasEnded = false
    /// After so long without work the file is brought to the disk; nil for never.
    private let syncInterval: Duration?

    init(_ sync: JournalWriter.FileSync) {
        syncInterval = if case .interval(let seconds) = sync { .seconds(max(seconds, 1)) } else { nil }
    }

    /// - Parameter work: writes the queue, and brings it to the disk if the thread is idle; returns false once the recorder is
    ///   gone.
    func start(_ work: @escaping @Sendable (_ isIdle: Bool) -> Bool) {
        isRunning = true
        let thread = try? SystemThread.start(takesSignals: false) { [self] in
            EncodingThread.present?.set(number: UInt(bitPattern: ObjectIdentifier(self)))
            run(work)
        }
        if let thread { thread.detach() } else { isRunning = false }
    }

    private func run(_ work: (_ isIdle: Bool) -> Bool) {
        /// When what was written is brought to the disk; nil while all of it is there.
        var syncTime: ContinuousClock.Instant?
        while true {
            while hasWork.exchange(false, ordering: .acquiringAndReleasing) {
                guard work(false) else { return }
                syncTime = syncInterval.map { .now + $0 }
            }
            switch waitForWork(until: syncTime) {
            case .work: continue
            case .end: return
            case .timeout:
                syncTime = nil
                guard work(true) else { return }
            }
        }
    }

    private func waitForWork(until time: ContinuousClock.Instant?) -> Event {
        signal.locked {
            while true {
                if hasEnded { return .end }
                if hasWork.load(ordering: .acquiring) { return .work }
                guard let time else {
                    signal.wait()
                    continue
                }
                let rest = ContinuousClock.now.duration(to: time)
                if rest <= .zero { return .timeout }
                signal.wait(rest)
            }
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
