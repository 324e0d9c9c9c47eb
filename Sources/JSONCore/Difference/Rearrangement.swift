/// The fewest moves that turn a list into another order.
///
/// Elements that follow one another directly both before and after are one item. The heaviest ascending subsequence of
/// the items stays where it is; the elements of the others are moved in their final order, each directly after the
/// element that precedes it in the result. Then an index is a sum of two counts: of the elements that are already in
/// order, and of those that still wait at their old places.
struct Rearrangement {
    /// Elements that keep together.
    private struct Item {
        /// The old index of the first one.
        var slot: Int
        var count: Int
        var stays = false
        /// The item's number among all items in their old order.
        var place = 0
    }

    /// In the order of the result.
    private var items: [Item] = []

    /// Takes the old indices, 0 up to the length, in the order of the result.
    init(_ order: [Int]) {
        for slot in order {
            if let last = items.last, last.slot + last.count == slot {
                items[items.count - 1].count += 1
            } else {
                items.append(Item(slot: slot, count: 1))
            }
        }
        guard items.count > 1 else {
            items = []
            return
        }
        numberPlaces(order.count)
        markHeaviestAscending()
        takeApartWhatMoves()
        numberPlaces(order.count)
    }

    private mutating func numberPlaces(_ length: Int) {
        var itemAt = [Int32](repeating: -1, count: length)
        for (rank, item) in items.enumerated() { itemAt[item.slot] = Int32(truncatingIfNeeded: rank) }
        var place = 0
        for rank in itemAt where rank >= 0 {
            items[Int(rank)].place = place
            place += 1
        }
    }

    private mutating func markHeaviestAscending() {
        var best = PrefixMaxima(items.count)
        var before = [Int](repeating: -1, count: items.count)
        for (rank, item) in items.enumerated() {
            let predecessor = best.heaviest(below: item.place)
            before[rank] = predecessor.rank
            best.raise(item.place, to: predecessor.weight + item.count, rank)
        }
        var rank = best.heaviest(below: items.count).rank
        while rank >= 0 {
            items[rank].stays = true
            rank = before[rank]
        }
    }

    private mutating func takeApartWhatMoves() {
        guard items.contains(where: { !$0.stays && $0.count > 1 }) else { return }
        items = items.flatMap { item in
            item.stays ? [item] : (0..<item.count).map { Item(slot: item.slot + $0, count: 1) }
        }
    }

    /// Calls `body` with the moves, in their order, with the indices of the moment at which each is made.
    func forEachMove(_ body: (_ from: Int, _ to: Int) -> Void) {
        var placed = PrefixCounts(items.count)  // by rank
        var waiting = PrefixCounts(items.count)  // by place
        for (rank, item) in items.enumerated() {
            if item.stays { placed.add(item.count, at: rank) } else { waiting.add(1, at: item.place) }
        }
        let nextStaying = followingStaying()
        var elementsBefore = 0
        var waitingBefore = 0  // the place up to which waiting elements stand before the one to move to
        for (rank, item) in items.enumerated() {
            if item.stays {
                waitingBefore = item.place
            } else {
                let from = waiting.sum(below: item.place) + placed.sum(below: nextStaying[item.place])
                waiting.add(-1, at: item.place)
                body(from, elementsBefore + waiting.sum(below: waitingBefore))
                placed.add(1, at: rank)
            }
            elementsBefore += item.count
        }
    }

    /// By place, the rank of the first staying item after it; past the last rank where there is none.
    private func followingStaying() -> [Int] {
        var rankAt = [Int](repeating: 0, count: items.count)
        for (rank, item) in items.enumerated() { rankAt[item.place] = rank }
        var following = rankAt
        var next = items.count
        for place in rankAt.indices.reversed() {
            following[place] = next
            if items[rankAt[place]].stays { next = rankAt[place] }
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

/// The heaviest of the ascending subsequences that end below a place, in O(log *n*); the same tree with maxima for sums.
private struct PrefixMaxima {
    /// Of each the item that the subsequence ends with, -1 of the empty one.
    private var tree: [(weight: Int, rank: Int)]

    init(_ count: Int) {
        tree = Array(repeating: (0, -1), count: count + 1)
    }

    mutating func raise(_ place: Int, to weight: Int, _ rank: Int) {
        var index = place + 1
        while index < tree.count {
            if tree[index].weight < weight { tree[index] = (weight, rank) }
            index += index & -index
        }
    }

    func heaviest(below place: Int) -> (weight: Int, rank: Int) {
        var best = (weight: 0, rank: -1)
        var index = place
        while index > 0 {
            if tree[index].weight > best.weight { best = tree[index] }
            index -= index & -index
        }
        return best
    }
}
