internal import JSONCore
internal import StateEncoding

/// How a list of identified elements became another one, in the terms that a table view takes.
///
///     let difference = ListDifference(from: shown, to: next)
///     tableView.performBatchUpdates {
///         tableView.deleteRows(at: difference.deletes.map { IndexPath(row: $0, section: 0) }, with: .automatic)
///         tableView.insertRows(at: difference.inserts.map { IndexPath(row: $0, section: 0) }, with: .automatic)
///         for move in difference.moves { tableView.moveRow(at: …, to: …) }
///     }
///
/// Deletes are indices of the old list, inserts of the new one, and a move leads from one to the other: all relative to
/// the lists before and after the whole update, as `performBatchUpdates` of a table or collection view expects. As few
/// elements as possible move: a longest run of those that keep their order stays.
///
/// An identity may be in a list more than once: its elements are matched in their order, and the rest is deleted or
/// inserted.
public struct ListDifference: Sendable, Hashable {
    /// An element that is in both lists.
    public struct Pair: Sendable, Hashable {
        /// Its index in the old list.
        public let old: Int
        /// Its index in the new list.
        public let new: Int
    }

    /// The indices in the old list of deleted elements, ascending.
    public private(set) var deletes: [Int] = []
    /// The indices in the new list of inserted elements, ascending.
    public private(set) var inserts: [Int] = []
    /// The elements that passed another one, in the order of the new list.
    public private(set) var moves: [Pair] = []
    /// The elements that are in both lists and do not hold the same, in the order of the new list; one that moved may be among them.
    ///
    /// A table view must not reload a row that it moves in the same batch: reload the new indices after it, or the
    /// old ones of those that did not move within it.
    public private(set) var updates: [Pair] = []

    /// The difference of two lists, whose elements are compared by all that they hold.
    ///
    /// Their `==` may leave out what a row shows. To compare by it, say so: `by: ==`.
    ///
    /// - Complexity: O(*n*) where the elements that stay keep their order, O(*n* log *n*) at most.
    public init<Element: Identifiable>(from old: [Element], to new: [Element]) {
        self.init(from: old, to: new) { ContentComparison.same($0, $1) }
    }

    /// The difference of two lists by a comparison of the caller's.
    ///
    /// - Parameter areEqual: whether an element looks the same as it did.
    public init<Element: Identifiable>(
        from old: [Element], to new: [Element], by areEqual: (Element, Element) -> Bool
    ) {
        let matching = Self.matching(old.count, new.count, { old[$0].id }, { new[$0].id })
        self.init(matching, old.count, new.count) { areEqual(old[$0.old], new[$0.new]) }
    }

    /// The difference of two orders of entities, which are kept apart from their tables.
    ///
    ///     ListDifference(ids: before.shelf.ids, to: after.shelf.ids, updated: batch.updatedIDs(\.books))
    ///
    /// - Parameter updated: the identities of entities that changed.
    public init<ID: Hashable>(ids old: [ID], to new: [ID], updated: Set<ID> = []) {
        let matching = Self.matching(old.count, new.count, { old[$0] }, { new[$0] })
        self.init(matching, old.count, new.count) { !updated.contains(new[$0.new]) }
    }

    /// Whether nothing differs.
    public var isEmpty: Bool { deletes.isEmpty && inserts.isEmpty && moves.isEmpty && updates.isEmpty }

    private init(_ matching: Matching, _ oldCount: Int, _ newCount: Int, isEqual: (Pair) -> Bool) {
        let oldEnd = oldCount - matching.suffix
        let newEnd = newCount - matching.suffix
        let pairs = matching.pairs
        deletes = Self.missing(matching.prefix..<oldEnd, from: pairs.map(\.old).sorted())
        inserts = Self.missing(matching.prefix..<newEnd, from: pairs.map(\.new))
        moves = Self.moves(pairs)
        let head = (0..<matching.prefix).lazy.map { Pair(old: $0, new: $0) }
        let tail = (0..<matching.suffix).lazy.map { Pair(old: oldEnd + $0, new: newEnd + $0) }
        for pair in head where !isEqual(pair) { updates.append(pair) }
        for pair in pairs where !isEqual(pair) { updates.append(pair) }
        for pair in tail where !isEqual(pair) { updates.append(pair) }
    }

    private struct Matching {
        /// How many are at the same place from the beginning, and from the end.
        var prefix = 0
        var suffix = 0
        /// The others, in the order of the new list.
        var pairs: [Pair] = []
    }

    private static func matching<ID: Hashable>(
        _ oldCount: Int, _ newCount: Int, _ oldID: (Int) -> ID, _ newID: (Int) -> ID
    ) -> Matching {
        var matching = Matching()
        let shared = min(oldCount, newCount)
        while matching.prefix < shared, oldID(matching.prefix) == newID(matching.prefix) { matching.prefix += 1 }
        let rest = shared - matching.prefix
        while matching.suffix < rest, oldID(oldCount - 1 - matching.suffix) == newID(newCount - 1 - matching.suffix) {
            matching.suffix += 1
        }
        let old = matching.prefix..<(oldCount - matching.suffix)
        let new = matching.prefix..<(newCount - matching.suffix)
        if !old.isEmpty, !new.isEmpty { matching.pairs = pairs(old, new, oldID, newID) }
        return matching
    }

    private static func pairs<ID: Hashable>(
        _ old: Range<Int>, _ new: Range<Int>, _ oldID: (Int) -> ID, _ newID: (Int) -> ID
    ) -> [Pair] {
        // The first element of each identity, and from each one to the next of the same identity; -1 is the end.
        var first: [ID: Int] = [:]
        first.reserveCapacity(old.count)
        var next = [Int](repeating: -1, count: old.count)
        for place in old.reversed() {
            if let later = first.updateValue(place, forKey: oldID(place)) { next[place - old.lowerBound] = later }
        }
        var pairs: [Pair] = []
        for place in new {
            let id = newID(place)
            guard let match = first[id], match >= 0 else { continue }
            pairs.append(Pair(old: match, new: place))
            first[id] = next[match - old.lowerBound]
        }
        return pairs
    }

    private static func missing(_ range: Range<Int>, from places: [Int]) -> [Int] {
        var missing: [Int] = []
        missing.reserveCapacity(range.count - places.count)
        var start = range.lowerBound
        for place in places {
            missing.append(contentsOf: start..<place)
            start = place + 1
        }
        missing.append(contentsOf: start..<range.upperBound)
        return missing
    }

    /// All but a longest run of pairs that are in the same order in both lists.
    private static func moves(_ pairs: [Pair]) -> [Pair] {
        let olds = pairs.map(\.old)
        if zip(olds, olds.dropFirst()).allSatisfy({ $0 < $1 }) { return [] }
        let staying = ListEdit.longestIncreasing(olds)
        var moves: [Pair] = []
        var next = 0
        for (place, pair) in pairs.enumerated() {
            if next < staying.count, staying[next] == place { next += 1 } else { moves.append(pair) }
        }
        return moves
    }
}
