extension ListEdit {
    /// The script of two lists whose elements have an identity: an element that is in both is never removed and inserted,
    /// and as few as possible are moved.
    ///
    /// - Parameters:
    ///   - equal: whether an element of the old list equals one of the new, with all that is in it.
    ///   - oldID: the identity of an element of the old list by its index; asked only between the common ends.
    ///   - newID: the same of the new list.
    /// - Returns: nil where an element has no identity, or two of one list have the same.
    /// - Complexity: O(*n* log *n*) in the length without the common ends.
    public static func script<ID: Hashable>(
        oldCount: Int, newCount: Int, equal: (Int, Int) -> Bool, oldID: (Int) -> ID?, newID: (Int) -> ID?
    ) -> Script? {
        let (old, new) = trimmed(oldCount, newCount, equal)
        guard let oldPlaces = places(old, oldID), let newPlaces = places(new, newID) else { return nil }
        var script = Script()
        for place in old.reversed() {
            guard let id = oldID(place), newPlaces[id] == nil else { continue }
            script.steps.append(.remove(at: place))
        }
        var insertions: [Step] = []
        for place in new {
            guard let id = newID(place) else { continue }
            if let oldPlace = oldPlaces[id] {
                script.pairs.append(Pair(old: oldPlace, new: place))
            } else {
                insertions.append(.insert(at: place))
            }
        }
        for (from, to) in moves(ordering: script.pairs.map(\.old)) {
            script.steps.append(.move(from: old.lowerBound + from, to: old.lowerBound + to))
        }
        script.steps += insertions
        script.pairs.removeAll { equal($0.old, $0.new) }
        return script
    }

    private static func places<ID: Hashable>(_ range: Range<Int>, _ id: (Int) -> ID?) -> [ID: Int]? {
        var places: [ID: Int] = [:]
        places.reserveCapacity(range.count)
        for place in range {
            guard let id = id(place), places.updateValue(place, forKey: id) == nil else { return nil }
        }
        return places
    }

    /// The fewest moves that turn elements in ascending order of their numbers into the given order.
    ///
    /// A longest increasing subsequence stays where it is. The others are moved in the order in which they shall stand, each
    /// directly behind the element that shall be before it. Then an index is a sum of two counts: of the elements that are
    /// already in order, and of those that still wait at their old places.
    private static func moves(ordering numbers: [Int]) -> [(from: Int, to: Int)] {
        let staying = longestIncreasing(numbers)
        guard staying.count < numbers.count else { return [] }
        let slots = ranks(of: numbers)  // the old index of each element, by the rank that it shall have
        var settled = PrefixCounts(numbers.count)  // by rank
        var waiting = PrefixCounts(numbers.count)  // by old index
        var stays = [Bool](repeating: false, count: numbers.count)
        for rank in staying { stays[rank] = true }
        for rank in numbers.indices {
            if stays[rank] { settled.add(1, at: rank) } else { waiting.add(1, at: slots[rank]) }
        }
        let nextStaying = followingStaying(slots, stays)
        var moves: [(from: Int, to: Int)] = []
        var waitingBefore = 0  // the old index up to which waiting elements stand before the place to move to
        for rank in numbers.indices {
            if stays[rank] {
                waitingBefore = slots[rank]
                continue
            }
            let slot = slots[rank]
            let from = waiting.sum(below: slot) + settled.sum(below: nextStaying[slot])
            waiting.add(-1, at: slot)
            moves.append((from, rank + waiting.sum(below: waitingBefore)))
            settled.add(1, at: rank)
        }
        return moves
    }

    /// The position of each number in ascending order.
    private static func ranks(of numbers: [Int]) -> [Int] {
        var ranks = [Int](repeating: 0, count: numbers.count)
        for (rank, index) in numbers.indices.sorted(by: { numbers[$0] < numbers[$1] }).enumerated() {
            ranks[index] = rank
        }
        return ranks
    }

    /// By old index, the rank of the first staying element behind it; past the last rank where there is none.
    private static func followingStaying(_ slots: [Int], _ stays: [Bool]) -> [Int] {
        var rankAt = [Int](repeating: 0, count: slots.count)
        for (rank, slot) in slots.enumerated() { rankAt[slot] = rank }
        var following = [Int](repeating: slots.count, count: slots.count)
        var next = slots.count
        for slot in rankAt.indices.reversed() {
            following[slot] = next
            if stays[rankAt[slot]] { next = rankAt[slot] }
        }
        return following
    }
}

/// Counts at places, and their sums below a place, each in O(log *n*).
///
/// P. M. Fenwick, "A New Data Structure for Cumulative Frequency Tables", Software: Practice and Experience 1994.
private struct PrefixCounts {
    private var tree: [Int]

    init(_ count: Int) {
        tree = Array(repeating: 0, count: count + 1)
    }

    mutating func add(_ amount: Int, at place: Int) {
        var index = place + 1
        while index < tree.count {
            tree[index] += amount
            index += index & -index
        }
    }

    func sum(below place: Int) -> Int {
        var sum = 0
        var index = place
        while index > 0 {
            sum += tree[index]
            index -= index & -index
        }
        return sum
    }
}
