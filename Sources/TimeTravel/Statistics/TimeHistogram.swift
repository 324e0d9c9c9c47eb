public import JournalFormat

/// How commits are spread over time, in a bounded number of intervals that grow wider as a run grows longer.
///
/// Intervals begin at multiples of their width since 1970, so that it does not matter in which order times are counted, and
/// histograms of two parts of a run add up to that of the whole.
public struct TimeHistogram: Sendable, Equatable {
    /// How many intervals there are at most.
    public static let limit = 64

    /// The width of the narrowest intervals, in microseconds; each wider one is a power of two times as wide.
    private static let narrowest = 1000

    /// How long an interval is, in microseconds.
    public private(set) var width = narrowest
    /// How many commits each has; the first and the last one have some.
    public private(set) var counts: [Int] = []
    /// The number of the first interval since 1970.
    private(set) var base = 0

    /// Counts nothing yet.
    public init() {}

    /// What was counted before; nil where that is none.
    init?(width: Int, base: Int, counts: [Int]) {
        guard width >= Self.narrowest, width < 1 << 60, width % Self.narrowest == 0,
            (width / Self.narrowest).nonzeroBitCount == 1, base.magnitude <= (Int.max / width).magnitude,
            counts.count <= Self.limit, counts.allSatisfy({ (0..<JoinedStatistics.countLimit).contains($0) })
        else { return nil }
        (self.width, self.base, self.counts) = (width, base, counts)
    }

    /// Where the first interval begins; nil where nothing was counted.
    public var start: Timestamp? {
        guard !counts.isEmpty else { return nil }
        let (microseconds, isBeforeAll) = base.multipliedReportingOverflow(by: width)
        return Timestamp(microseconds: isBeforeAll ? .min : microseconds)
    }

    /// Counts a commit.
    public mutating func add(_ time: Timestamp) {
        add(1, at: Self.quotient(time.microseconds, width))
    }

    /// Adds what another one counted.
    public mutating func add(_ other: TimeHistogram) {
        var other = other
        while other.width < width { other.widen() }
        while width < other.width { widen() }
        for (place, count) in other.counts.enumerated() where count > 0 {
            // Both widen together: an interval of the other one lies in one of this.
            add(count, at: Self.quotient(other.base + place, width / other.width))
        }
    }

    private mutating func add(_ count: Int, at interval: Int) {
        var interval = interval
        while !counts.isEmpty,
            max(interval, base + counts.count - 1) - min(interval, base) >= Self.limit
        {
            widen()
            interval = Self.quotient(interval, 2)
        }
        if counts.isEmpty { base = interval }
        if interval < base {
            counts.insert(contentsOf: repeatElement(0, count: base - interval), at: 0)
            base = interval
        }
        let place = interval - base
        if place >= counts.count { counts += repeatElement(0, count: place - counts.count + 1) }
        counts[place] += count
    }

    private mutating func widen() {
        let first = Self.quotient(base, 2)
        var wider: [Int] = []
        for (place, count) in counts.enumerated() {
            let index = Self.quotient(base + place, 2) - first
            if index == wider.count { wider.append(0) }
            wider[index] += count
        }
        (base, counts, width) = (first, wider, width * 2)
    }

    /// The quotient, rounded down also below zero.
    private static func quotient(_ number: Int, _ divisor: Int) -> Int {
        let (quotient, rest) = number.quotientAndRemainder(dividingBy: divisor)
        return rest < 0 ? quotient - 1 : quotient
    }
}
