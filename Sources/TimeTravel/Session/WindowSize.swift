import JournalFormat

/// How many positions a scan asks at once: few at first, since the answer is mostly near, then as many as a tenth of a second
/// takes, so that it can be stopped.
struct WindowSize {
    private var count = 256
    private let clock = ContinuousClock()

    private static let largest = 1 << 20
    private static let (short, long) = (Duration.milliseconds(50), Duration.milliseconds(200))

    /// Where a window ends.
    func end(after lower: CommitNumber, _ limit: CommitNumber) -> CommitNumber {
        limit.rawValue - lower.rawValue <= count ? limit : CommitNumber(lower.rawValue + count)
    }

    /// Where a window begins.
    func start(before upper: CommitNumber, _ limit: CommitNumber) -> CommitNumber {
        upper.rawValue - limit.rawValue <= count ? limit : CommitNumber(upper.rawValue - count)
    }

    /// Does the work of a window, and takes the next one's size from the time.
    mutating func measured<Value, Failure: Error>(_ work: () throws(Failure) -> Value) throws(Failure) -> Value {
        let begin = clock.now
        let value = try work()
        let time = clock.now - begin
        if time < WindowSize.short, count < WindowSize.largest { count *= 2 }
        if time > WindowSize.long { count = max(count / 2, 256) }
        return value
    }

    /// A window that lies within one hole has to become longer.
    mutating func hasMoved(_ moved: Bool) {
        if !moved { count = min(count * 4, .max / 8) }
    }
}
