/// Counts which of a stream's items are frequent, in bounded memory.
///
/// Up to its capacity of distinct items the counts are exact. From then on a new item takes the place of the least frequent
/// one and its count too, which is noted as the error it may have: the Space-Saving algorithm of A. Metwally, D. Agrawal and
/// A. El Abbadi, *Efficient Computation of Frequent and Top-k Elements in Data Streams*, 2005. Of `n` items counted, each
/// that occurs more than `n / capacity` times is there, and no count is too low.
public struct FrequentItems<Item: Hashable> {
    /// How often an item occurs.
    public struct Count {
        /// The item.
        public let item: Item
        /// How often it occurs, at most.
        public var count: Int
        /// By how much that may be too high.
        public let error: Int
        /// What was said of its last occurrence.
        public var last: Int
    }

    /// How many distinct items are counted.
    public let capacity: Int
    /// Whether every item has its own exact count.
    public private(set) var isExact = true
    /// How many occurrences were counted.
    public private(set) var total = 0

    /// A heap with the least frequent item first.
    private var heap: [Count] = []
    private var places: [Item: Int] = [:]

    /// Counts nothing yet.
    public init(capacity: Int) {
        precondition(capacity > 0, "FrequentItems(capacity:) needs room for one item")
        self.capacity = capacity
    }

    /// Counts one occurrence.
    ///
    /// - Parameter last: kept with the item until it occurs again.
    /// - Complexity: O(log capacity).
    public mutating func add(_ item: Item, last: Int) {
        total += 1
        if let place = places[item] {
            heap[place].count += 1
            heap[place].last = last
            return sink(place)
        }
        if heap.count < capacity {
            heap.append(Count(item: item, count: 1, error: 0, last: last))
            places[item] = heap.count - 1
            return rise(heap.count - 1)
        }
        isExact = false
        let least = heap[0]
        places[least.item] = nil
        heap[0] = Count(item: item, count: least.count + 1, error: least.count, last: last)
        places[item] = 0
        sink(0)
    }

    /// The most frequent items, at most `limit`; of equal counts the one before in an order of the items comes first.
    public func most(_ limit: Int, by isBefore: (Item, Item) -> Bool) -> [Count] {
        let sorted = heap.sorted { $0.count != $1.count ? $0.count > $1.count : isBefore($0.item, $1.item) }
        return Array(sorted.prefix(limit))
    }

    /// How many distinct items have a count.
    public var distinct: Int { heap.count }

    private mutating func rise(_ start: Int) {
        var place = start
        while place > 0, heap[place].count < heap[(place - 1) / 2].count {
            exchange(place, (place - 1) / 2)
            place = (place - 1) / 2
        }
    }

    private mutating func sink(_ start: Int) {
        var place = start
        while true {
            var least = place
            let (left, right) = (2 * place + 1, 2 * place + 2)
            if left < heap.count, heap[left].count < heap[least].count { least = left }
            if right < heap.count, heap[right].count < heap[least].count { least = right }
            if least == place { return }
            exchange(place, least)
            place = least
        }
    }

    private mutating func exchange(_ one: Int, _ other: Int) {
        heap.swapAt(one, other)
        places[heap[one].item] = one
        places[heap[other].item] = other
    }
}

extension FrequentItems: Sendable where Item: Sendable {}
extension FrequentItems.Count: Sendable where Item: Sendable {}
