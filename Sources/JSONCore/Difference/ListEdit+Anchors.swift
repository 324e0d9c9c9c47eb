extension ListEdit {
    /// How many differences are followed between two anchors.
    private static let gapLimit = 64

    /// The matches found by elements that are in each list once, and by short searches between them; nil where so few of
    /// these keep their order that comparing place by place says no more.
    ///
    /// - Parameters:
    ///   - old: the elements as numbers below `distinct`, equal where the elements are; the first is at index `oldStart`.
    ///   - new: the same of the new list.
    /// - Complexity: O(*n* log *n*).
    static func anchoredDifference(
        _ old: [Int], from oldStart: Int, _ new: [Int], from newStart: Int, distinct: Int
    ) -> [Run]? {
        let oldPlaces = uniquePlaces(old, distinct)
        let newPlaces = uniquePlaces(new, distinct)
        let shared = old.indices.compactMap { place -> Pair? in
            let number = old[place]
            guard oldPlaces[number] == place, let newPlace = newPlaces[number], newPlace >= 0 else { return nil }
            return Pair(old: place, new: newPlace)
        }
        let anchors = longestIncreasing(shared.map(\.new)).map { shared[$0] }
        guard anchors.count >= min(old.count, new.count) / 2 else { return nil }
        var matches: [Run] = []
        var (oldEnd, newEnd) = (0, 0)
        for anchor in anchors + [Pair(old: old.count, new: new.count)] {
            let gap = shortestDifference(oldEnd..<anchor.old, newEnd..<anchor.new, limit: gapLimit) {
                old[$0] == new[$1]
            }
            matches += gap ?? []
            if anchor.old < old.count { matches.append(Run(old: anchor.old, new: anchor.new)) }
            (oldEnd, newEnd) = (anchor.old + 1, anchor.new + 1)
        }
        return matches.map { Run(old: $0.old + oldStart, new: $0.new + newStart, count: $0.count) }
    }

    /// The place of each number that occurs once; -1 of one that occurs again, nil of one that does not.
    private static func uniquePlaces(_ numbers: [Int], _ distinct: Int) -> [Int?] {
        var places = [Int?](repeating: nil, count: distinct)
        for (place, number) in numbers.enumerated() { places[number] = places[number] == nil ? place : -1 }
        return places
    }

    /// The indices of a longest increasing subsequence of distinct numbers, ascending.
    ///
    /// M. L. Fredman, "On computing the length of longest increasing subsequences", Discrete Mathematics 1975.
    ///
    /// - Complexity: O(*n* log *n*).
    package static func longestIncreasing(_ numbers: [Int]) -> [Int] {
        var ends: [Int] = []  // of the subsequences of each length, the index of the smallest last number
        var before = [Int](repeating: -1, count: numbers.count)
        for (index, number) in numbers.enumerated() {
            var (low, high) = (0, ends.count)
            while low < high {
                let middle = (low + high) / 2
                if numbers[ends[middle]] < number { low = middle + 1 } else { high = middle }
            }
            if low > 0 { before[index] = ends[low - 1] }
            if low == ends.count { ends.append(index) } else { ends[low] = index }
        }
        var longest: [Int] = []
        var index = ends.last ?? -1
        while index >= 0 {
            longest.append(index)
            index = before[index]
        }
        return longest.reversed()
    }
}
