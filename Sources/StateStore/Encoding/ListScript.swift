/// The steps that turn one list into another, as RFC 6902 applies them: one after the other, each to the list that the ones
/// before it left.
struct ListScript {
    /// One step.
    enum Step: Equatable {
        /// Removes the element at a place; it was the `old`th of the old list.
        case remove(at: Int, old: Int)
        /// Inserts the `new`th of the new list at a place.
        case insert(at: Int, new: Int)
        /// Takes the element at one place and inserts it at another.
        case move(from: Int, to: Int)
    }

    /// The steps, removals first.
    private(set) var steps: [Step] = []
    /// The elements that stay, in the order of the new list, where each is when all steps are done.
    private(set) var pairs: [(old: Int, new: Int)] = []

    private let old: [Int]
    private let new: [Int]
    /// For each new element the old one that it comes from.
    private var origins: [Int?]
    /// Whether that one is reached without a move.
    private var isInOrder: [Bool]
    private var isKept: [Bool]

    /// Finds the steps between two lists, given as numbers that are equal for equal elements.
    ///
    /// What is once in each list is matched (Bram Cohen's patience diff); the longest run of it that has one order in both
    /// stays (a longest increasing subsequence by patience sorting), the rest moves. Between what stays, equal neighbours
    /// are matched from both ends, and what is then left over on both sides is paired in order: a change in place.
    ///
    /// - Parameter base: the place of the first element within its array, added to each step.
    /// - Complexity: O(n log n), whatever the lists are.
    init(old: [Int], new: [Int], base: Int) {
        self.old = old
        self.new = new
        origins = Array(repeating: nil, count: new.count)
        isInOrder = Array(repeating: false, count: new.count)
        isKept = Array(repeating: false, count: old.count)
        matchUnique()
        markLongestRun()
        fillGaps()
        writeRemovals(base)
        writeArrivals(base)
        pairs = origins.enumerated().compactMap { place, origin in origin.map { (old: $0, new: place) } }
    }

    private mutating func matchUnique() {
        var places: [Int: (old: Int, new: Int, isUnique: Bool)] = [:]
        places.reserveCapacity(old.count)
        for (place, number) in old.enumerated() {
            if places.updateValue((place, -1, true), forKey: number) != nil { places[number]?.isUnique = false }
        }
        for (place, number) in new.enumerated() {
            guard let known = places[number] else { continue }
            places[number] = (known.old, place, known.isUnique && known.new < 0)
        }
        for match in places.values where match.isUnique && match.new >= 0 {
            origins[match.new] = match.old
            isKept[match.old] = true
        }
    }

    /// Patience sorting over the matched elements: `tops` holds, for each length of a run, the smallest old place in which
    /// one ends.
    private mutating func markLongestRun() {
        var tops: [Int] = []
        var before: [Int] = Array(repeating: -1, count: new.count)
        for place in new.indices {
            guard let origin = origins[place] else { continue }
            var low = 0
            var high = tops.count
            while low < high {
                let middle = (low + high) / 2
                if let top = origins[tops[middle]], top < origin { low = middle + 1 } else { high = middle }
            }
            before[place] = low > 0 ? tops[low - 1] : -1
            if low == tops.count { tops.append(place) } else { tops[low] = place }
        }
        var place = tops.last ?? -1
        while place >= 0 {
            isInOrder[place] = true
            place = before[place]
        }
    }

    private mutating func fillGaps() {
        var oldStart = 0
        var newStart = 0
        for place in new.indices where isInOrder[place] {
            guard let origin = origins[place] else { continue }
            fillGap(oldStart..<origin, newStart..<place)
            (oldStart, newStart) = (origin + 1, place + 1)
        }
        fillGap(oldStart..<old.count, newStart..<new.count)
    }

    /// Matches what is between two elements that stay.
    private mutating func fillGap(_ oldGap: Range<Int>, _ newGap: Range<Int>) {
        if oldGap.isEmpty || newGap.isEmpty { return }
        var left = oldGap.filter { !isKept[$0] }[...]
        var right = newGap.filter { origins[$0] == nil }[...]
        while let from = left.first, let to = right.first, old[from] == new[to] {
            keep(from, to)
            (left, right) = (left.dropFirst(), right.dropFirst())
        }
        while let from = left.last, let to = right.last, old[from] == new[to] {
            keep(from, to)
            (left, right) = (left.dropLast(), right.dropLast())
        }
        for (from, to) in zip(left, right) { keep(from, to) }
    }

    private mutating func keep(_ from: Int, _ to: Int) {
        origins[to] = from
        isInOrder[to] = true
        isKept[from] = true
    }

    private mutating func writeRemovals(_ base: Int) {
        for place in old.indices.reversed() where !isKept[place] {
            steps.append(.remove(at: base + place, old: place))
        }
    }

    /// Goes through the new list in order. `slots` counts what is in the list at or behind each old element, so that a
    /// place is a sum; what arrives is counted in the slot of the element that stays before it.
    private mutating func writeArrivals(_ base: Int) {
        guard isInOrder.contains(false) else { return }
        var slots = PrefixSums(count: old.count + 1)
        for place in old.indices where isKept[place] { slots.add(1, at: place + 1) }
        var slot = 0
        for place in new.indices {
            guard let origin = origins[place] else {
                steps.append(.insert(at: base + slots.sum(through: slot), new: place))
                slots.add(1, at: slot)
                continue
            }
            if isInOrder[place] {
                slot = origin + 1
                continue
            }
            let from = slots.sum(through: origin)
            slots.add(-1, at: origin + 1)
            let to = slots.sum(through: slot)
            slots.add(1, at: slot)
            if from != to { steps.append(.move(from: base + from, to: base + to)) }
        }
    }
}

/// Counts whose sums over a prefix can be asked and changed in O(log n) (Fenwick, "A new data structure for cumulative
/// frequency tables", 1994).
private struct PrefixSums {
    private var sums: [Int]

    init(count: Int) {
        sums = Array(repeating: 0, count: count + 1)
    }

    mutating func add(_ amount: Int, at place: Int) {
        var index = place + 1
        while index < sums.count {
            sums[index] += amount
            index += index & -index
        }
    }

    func sum(through place: Int) -> Int {
        var index = place + 1
        var total = 0
        while index > 0 {
            total += sums[index]
            index -= index & -index
        }
        return total
    }
}
