internal import Platform
internal import Synchronization

/// A clock that stands still until a test advances it: what waits on it waits no real time.
///
///     let search = TestStore(Search(), reducer: searchReducer, middleware: [.effect(.takeLatest, after: .seconds(1), …)])
///     search.send(.typed("a"))
///     search.clock.advance(by: .seconds(1))
///     await search.receive(.found(["a1"]))
///
/// Effects of a ``TestStore`` that start after a delay wait on its clock. Hand it to other code as a `Clock`.
public final class TestClock: Clock, Sendable {
    /// A moment of a test clock: how long after its beginning.
    public struct Instant: InstantProtocol, Sendable {
        /// The time since the clock's beginning.
        public var elapsed = Duration.zero

        /// The moment that is so much later.
        public func advanced(by duration: Duration) -> Instant { Instant(elapsed: elapsed + duration) }
        /// The time between two moments.
        public func duration(to other: Instant) -> Duration { other.elapsed - elapsed }
        /// Whether one moment is before the other.
        public static func < (left: Instant, right: Instant) -> Bool { left.elapsed < right.elapsed }
    }

    private struct Sleeper: Sendable {
        let number: Int
        let end: Instant
        let continuation: CheckedContinuation<Bool, Never>
    }

    private struct Content: Sendable {
        var now = Instant()
        var count = 0
        var sleepers: [Sleeper] = []
    }

    private let content = Mutex(Content())

    /// Makes a clock at its beginning.
    public init() {}

    /// The moment that the clock stands at.
    public var now: Instant { content.withLock(\.now) }
    /// The smallest difference of two moments.
    public var minimumResolution: Duration { .nanoseconds(1) }

    /// Advances the clock, and wakes what waits for a moment up to then, the earliest first.
    public func advance(by duration: Duration) {
        requirement(duration >= .zero, "'advance(by: \(duration))' cannot set a clock back")
        let due = content.withLock { content -> [Sleeper] in
            content.now = content.now.advanced(by: duration)
            let now = content.now
            let due = content.sleepers.filter { $0.end <= now }
            content.sleepers.removeAll { $0.end <= now }
            return due.sorted { ($0.end, $0.number) < ($1.end, $1.number) }
        }
        for sleeper in due { sleeper.continuation.resume(returning: true) }
    }

    /// Waits until the clock is advanced to a moment.
    ///
    /// - Throws: `CancellationError` if the task is cancelled before.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        let number = content.withLock { content in
            content.count += 1
            return content.count
        }
        let isOver = await withTaskCancellationHandler {
            await wait(until: deadline, as: number)
        } onCancel: {
            cancel(number)
        }
        if !isOver { throw CancellationError() }
    }

    /// - Returns: false if the task was cancelled.
    private func wait(until end: Instant, as number: Int) async -> Bool {
        await withCheckedContinuation { continuation in
            let result = content.withLock { content -> Bool? in
                // A cancellation from before was not found here by its handler.
                if Task.isCancelled { return false }
                if end <= content.now { return true }
                content.sleepers.append(Sleeper(number: number, end: end, continuation: continuation))
                return nil
            }
            if let result { continuation.resume(returning: result) }
        }
    }

    private func cancel(_ number: Int) {
        let sleeper = content.withLock { content -> Sleeper? in
            guard let place = content.sleepers.firstIndex(where: { $0.number == number }) else { return nil }
            return content.sleepers.remove(at: place)
        }
        sleeper?.continuation.resume(returning: false)
    }
}
