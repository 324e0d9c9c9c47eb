import JournalFormat

/// How many positions a scan asks at once: few at first, since the answer is mostly near, then as many as less than a tenth of
/// a second takes, so that it can be stopped; but not fewer than are worth the way to the first of them, which in a journal without
/// keyframes begins at its front.
struct WindowSize {
    private(set) var count = 256
    private let clock = ContinuousClock()

    private static let largest = 1 << 20
    private static let (short, long) = (Duration.milliseconds(25), Duration.milliseconds(80))

    func end(after lower: CommitNumber, _ limit: CommitNumber) -> CommitNumber {
        limit.rawValue - lower.rawValue <= count ? limit : CommitNumber(lower.rawValue + count)
    }

    func start(before upper: CommitNumber, _ limit: CommitNumber) -> CommitNumber {
        upper.rawValue - limit.rawValue <= count ? limit : CommitNumber(upper.rawValue - count)
    }

    mutating func measured<Failure: Error>(_ work: () throws(Failure) -> StopWindow) throws(Failure) -> StopWindow {
        let begin = clock.now
        let window = try work()
        note(total: clock.now - begin, opening: window.opening)
        return window
    }

    /// Takes the next window's size from the time that one took, and how much of that went by before its first position was asked.
    mutating func note(total: Duration, opening: Duration) {
        let asking = total - opening
        if count < WindowSize.largest, total < WindowSize.short {
            count *= 2
        } else if count < WindowSize.largest, asking * 8 < opening {
            count = min(count * 8, WindowSize.largest)
        } else if asking > WindowSize.long, asking > opening {
            count = max(count / 2, 256)
        }
    }

    /// A window that lies within one hole has to become longer.
    mutating func hasMoved(_ moved: Bool) {
        if !moved { count = min(count * 4, .max / 8) }
    }
}
