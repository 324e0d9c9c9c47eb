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
    private var counts: [Count] = []
    /// The slots as a heap, the one of the least frequent item first.
    private var heap: [Int] = []
    private var places: [Int] = []
    private var slots: [Item: Int] = [:]

    /// Counts nothing yet.
    public init(capacity: Int) {
        precondition(capacity > 0, "FrequentItems(capacity:) needs room for one item")
        self.capacity = capacity
    }

    /// Counts one occurrence.
    ///
    /// - Parameter last: kept with the item until it occurs again.
    /// - Returns: the item's slot for ``add(inSlot:last:)``, its own as long as ``isExact`` is true.
    /// - Complexity: O(log capacity).
    @discardableResult
    public mutating func add(_ item: Item, last: Int) -> Int {
        if let slot = slots[item] {
            add(inSlot: slot, last: last)
            return slot
        }
        total += 1
        if counts.count < capacity {
            let slot = counts.count
            counts.append(Count(item: item, count: 1, error: 0, last: last))
            heap.append(slot)
            places.append(slot)
            slots[item] = slot
            rise(slot)
            return slot
        }
        isExact = false
        let slot = heap[0]
        let least = counts[slot]
        slots[least.item] = nil
        counts[slot] = Count(item: item, count: least.count + 1, error: least.count, last: last)
        slots[item] = slot
        sink(0)
        return slot
    }

    /// Counts one occurrence of an item that is known to be in a slot, without looking it up.
    mutating func add(inSlot slot: Int, last: Int) {
        total += 1
        counts[slot].count += 1
        counts[slot].last = last
        sink(places[slot])
    }

    /// The most frequent items, at most `limit`; of equal counts the one before in an order of the items comes first.
    public func most(_ limit: Int, by isBefore: (Item, Item) -> Bool) -> [Count] {
        let sorted = counts.sorted { $0.count != $1.count ? $0.count > $1.count : isBefore($0.item, $1.item) }
        return Array(sorted.prefix(limit))
    }

    /// How many distinct items have a count.
    public var distinct: Int { counts.count }

    private mutating func rise(_ start: Int) {
        var place = start
        while place > 0, count(at: place) < count(at: (place - 1) / 2) {
            exchange(place, (place - 1) / 2)
            place = (place - 1) / 2
        }
    }

    private mutating func sink(_ start: Int) {
        var place = start
        while true {
            var least = place
            let (left, right) = (2 * place + 1, 2 * place + 2)
            if left < heap.count, count(at: left) < count(at: least) { least = left }
            if right < heap.count, count(at: right) < count(at: least) { least = right }
            if least == place { return }
            exchange(place, least)
            place = least
        }
    }

    private func count(at place: Int) -> Int { counts[heap[place]].count }

    private mutating func exchange(_ one: Int, _ other: Int) {
        heap.swapAt(one, other)
        places[heap[one]] = one
        places[heap[other]] = other
    }
}

extension FrequentItems: Sendable where Item: Sendable {}
extension FrequentItems.Count: Sendable where Item: Sendable {}
