package import JSONCore
import JournalFormat
public import JournalReading
import Platform

/// A binary search for the first bad one of a row of positions, as git bisect does it: a pure state machine that names
/// the next position to test and takes the verdict.
///
/// The row is good at index 0 and bad at its last index; both were tested before. A position that cannot be judged is skipped
/// and the nearest one is tested in its place. If the row turns bad more than once, one of the turns is found.
///
/// - Complexity: about log₂ *n* tests, and as many more as ranges of positions are skipped.
public struct Bisection: Sendable, Equatable {
    /// What a test said.
    public enum Verdict: String, Sendable, Equatable {
        case good
        case bad
        case skip
    }

    /// What to do next.
    public enum Instruction: Sendable, Equatable {
        case test(Int)
        case done(Outcome)
    }

    /// What was found.
    public struct Outcome: Sendable, Equatable {
        /// The last index known to be good.
        public let lastGood: Int
        /// The first index known to be bad.
        public let firstBad: Int
        /// Whether nothing that was skipped lies between them.
        public var isConclusive: Bool { firstBad == lastGood + 1 }
    }

    private var lastGood = 0
    private var firstBad: Int
    private var skipped = SkippedIndices()

    /// A search in a row of `count` positions, at least two.
    public init(count: Int) {
        precondition(count >= 2, "Bisection(count:): a row needs a good and a bad end")
        firstBad = count - 1
    }

    /// How many positions are left that may be the first bad one.
    public var remaining: Int { firstBad - lastGood }

    /// About how many tests are left.
    public var estimatedTests: Int { remaining <= 1 ? 0 : Int.bitWidth - (remaining - 1).leadingZeroBitCount }

    /// What to do next.
    public var next: Instruction {
        if let index = nearestToMiddle() { return .test(index) }
        return .done(Outcome(lastGood: lastGood, firstBad: firstBad))
    }

    /// Takes the verdict on an index that was to be tested; one outside what is still open changes nothing.
    public mutating func record(_ verdict: Verdict, at index: Int) {
        guard index > lastGood, index < firstBad else { return }
        switch verdict {
        case .good: lastGood = index
        case .bad: firstBad = index
        case .skip: skip(index...index)
        }
    }

    package mutating func skip(_ indices: ClosedRange<Int>) { skipped.insert(indices) }

    private func nearestToMiddle() -> Int? {
        guard remaining > 1 else { return nil }
        let middle = lastGood + remaining / 2
        guard let range = skipped.range(around: middle) else { return middle }
        let beside = [range.lowerBound - 1, range.upperBound + 1].filter { $0 > lastGood && $0 < firstBad }
        return beside.min { abs($0 - middle) < abs($1 - middle) }
    }
}

/// Indices that cannot be judged, as ranges: a gap may stand for more commits than could be counted one by one.
struct SkippedIndices: Sendable, Equatable {
    /// Ascending, with an index between each two.
    private var ranges: [ClosedRange<Int>] = []
    var count: Int { ranges.reduce(0) { $0 + $1.count } }

    /// All the skipped indices around one of them, nil where that one is not skipped; O(log *k*) in the ranges.
    func range(around index: Int) -> ClosedRange<Int>? {
        let place = ranges.prefixCount { $0.upperBound < index }
        return place < ranges.count && ranges[place].contains(index) ? ranges[place] : nil
    }

    mutating func insert(_ range: ClosedRange<Int>) {
        let first = ranges.prefixCount { $0.upperBound < range.lowerBound - 1 }
        let after = ranges[first...].firstIndex { $0.lowerBound - 1 > range.upperBound } ?? ranges.count
        var joined = range
        if first < after {
            joined =
                min(range.lowerBound, ranges[first].lowerBound)...max(range.upperBound, ranges[after - 1].upperBound)
        }
        ranges.replaceSubrange(first..<after, with: [joined])
    }
}

extension Array {
    /// How many elements at the front are before something that is searched for; none after them is.
    func prefixCount(_ isBefore: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isBefore(self[middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

/// What narrows a bisection.
public struct BisectOptions: Sendable {
    /// Positions that are not judged.
    public var skip = CommitList()
    /// Only positions of commits that touch one of these paths are judged; without any, all.
    package var paths = PathMatcher([])
    /// Whether a search by halves tests the positions beside its answer too.
    public var checksNeighbours = true
    /// Whether reading continues after damage.
    public var recover = false
    var keepsTurns = false
    /// How many threads may share the work; unless given, as many as there are processors.
    public var threads = ProcessorCount.available
    /// About how many bytes each of them takes at a time.
    package var partLength = 8 << 20

    /// Judges every position.
    public init() {}
}
