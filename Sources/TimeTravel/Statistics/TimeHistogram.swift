public import JournalFormat

/// How commits are spread over time, in a fixed number of intervals that grow wider as a run grows longer.
public struct TimeHistogram: Sendable, Equatable {
    /// How many intervals there are at most.
    public static let limit = 64

    /// The width of the narrowest intervals; each wider one is a power of two times as wide.
    private static let narrowest = 1000

    /// Where the first interval begins.
    public private(set) var start: Timestamp?
    /// How long an interval is, in microseconds.
    public private(set) var width = narrowest
    /// How many commits each has; the last one that is there has some.
    public private(set) var counts: [Int] = []

    /// Counts nothing yet; the first interval begins with what is counted first.
    public init() {}

    /// Counts a commit; times do not fall, and one that does is counted with the first.
    public mutating func add(_ time: Timestamp) {
        let begin = start ?? time
        start = begin
        let elapsed = max(0, time.microseconds.subtractingReportingOverflow(begin.microseconds).partialValue)
        while elapsed / width >= TimeHistogram.limit { widen() }
        let place = elapsed / width
        if place >= counts.count { counts += Array(repeating: 0, count: place - counts.count + 1) }
        counts[place] += 1
    }

    private mutating func widen() {
        width *= 2
        counts = stride(from: 0, to: counts.count, by: 2).map { place in
            counts[place] + (place + 1 < counts.count ? counts[place + 1] : 0)
        }
    }
}
