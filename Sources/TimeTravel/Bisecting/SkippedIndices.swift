/// Indices that cannot be judged, as ranges: a gap may stand for more commits than could be counted one by one.
struct SkippedIndices: Sendable, Equatable {
    /// Ascending, with an index between each two.
    private var ranges: [ClosedRange<Int>] = []

    /// How many there are.
    var count: Int { ranges.reduce(0) { $0 + $1.count } }

    /// All the skipped indices around one of them; nil where that one is not skipped.
    ///
    /// - Complexity: O(log *k*) in the ranges.
    func range(around index: Int) -> ClosedRange<Int>? {
        let place = firstRange(endingAtLeast: index)
        return place < ranges.count && ranges[place].contains(index) ? ranges[place] : nil
    }

    /// Adds indices.
    ///
    /// - Complexity: O(*k*) in the ranges.
    mutating func insert(_ range: ClosedRange<Int>) {
        let first = firstRange(endingAtLeast: range.lowerBound - 1)
        let behind = ranges[first...].firstIndex { $0.lowerBound - 1 > range.upperBound } ?? ranges.count
        var joined = range
        if first < behind {
            joined =
                min(range.lowerBound, ranges[first].lowerBound)...max(range.upperBound, ranges[behind - 1].upperBound)
        }
        ranges.replaceSubrange(first..<behind, with: [joined])
    }

    private func firstRange(endingAtLeast index: Int) -> Int {
        var (low, high) = (0, ranges.count)
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].upperBound < index { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
