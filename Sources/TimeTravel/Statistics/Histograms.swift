public import JournalFormat

/// How sizes are spread, in memory that does not grow with their number.
///
/// Sizes below ``exactLimit`` are counted each for itself; above, in classes that are a 64th of their power of two wide.
public struct SizeHistogram: Sendable {
    /// Below it every size has its own count.
    public static let exactLimit = 4096

    private static let classesPerDoubling = 64
    private static let exactBits = 12

    /// How many sizes were counted.
    public private(set) var count = 0
    /// The sum of the sizes.
    public private(set) var sum = 0
    /// The largest; 0 for none.
    public private(set) var largest = 0
    private var counts: [Int] = Array(repeating: 0, count: exactLimit)

    /// Counts a size that is not negative.
    public mutating func add(_ size: Int) {
        count += 1
        sum &+= size
        largest = max(largest, size)
        let place = SizeHistogram.place(of: size)
        if place >= counts.count { counts += Array(repeating: 0, count: place - counts.count + 1) }
        counts[place] += 1
    }

    /// The size that a part of all sizes does not exceed, by nearest rank: at most a 64th too high, and exact below
    /// ``exactLimit``; nil where none was counted.
    ///
    /// - Parameter part: in thousandths, 500 for the median.
    public func quantile(_ part: Int) -> Int? {
        guard count > 0 else { return nil }
        let rank = max(1, (count * min(part, 1000) + 999) / 1000)
        var seen = 0
        for (place, number) in counts.enumerated() {
            seen += number
            if seen >= rank { return min(SizeHistogram.highest(in: place), largest) }
        }
        return largest
    }

    private static func place(of size: Int) -> Int {
        guard size >= exactLimit else { return size }
        let bits = Int.bitWidth - 1 - size.leadingZeroBitCount
        let step = (size >> (bits - 6)) - classesPerDoubling
        return exactLimit + (bits - exactBits) * classesPerDoubling + step
    }

    private static func highest(in place: Int) -> Int {
        guard place >= exactLimit else { return place }
        let (doubling, step) = (place - exactLimit).quotientAndRemainder(dividingBy: classesPerDoubling)
        let shift = doubling + exactBits - 6
        return ((step + classesPerDoubling) << shift) + ((1 << shift) - 1)
    }
}

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
