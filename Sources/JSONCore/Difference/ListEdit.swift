/// How one list becomes another: what leaves, what moves, what comes, and which elements stay but may differ inside.
///
/// The recorder and ``JSONPatch/difference(from:to:)`` share it, each for its own elements. Three things keep it from being
/// quadratic: common ends are trimmed before anything else; elements with an identity are matched by a hash table, and then
/// as few of them as possible are moved; elements without one are matched by a search that gives up at ``differenceLimit``,
/// and are then compared place by place.
///
/// Not for lists of which only the ends change in known ways: an append is cheaper to write down directly.
public enum ListEdit {
    /// One change of the list, with the indices of the moment at which it is applied (RFC 6902 §4).
    public enum Step: Sendable, Hashable {
        /// An element leaves. All removals come first, from the back, so the index is also the one in the old list.
        case remove(at: Int)
        /// An element leaves and comes back at an index of the list without it.
        case move(from: Int, to: Int)
        /// An element comes. All insertions come last, from the front, so `at` is also its index in the new list.
        case insert(at: Int)
    }

    /// An element that is in both lists.
    public struct Pair: Sendable, Hashable {
        /// The element's index in the old list.
        public var old: Int
        /// The element's index in the new list.
        public var new: Int

        /// An element at these indices.
        public init(old: Int, new: Int) {
            self.old = old
            self.new = new
        }
    }

    /// Elements that follow one another directly, in one order, in both lists.
    public struct Run: Sendable, Hashable {
        /// The index of the first one in the old list.
        public var old: Int
        /// The index of the first one in the new list.
        public var new: Int
        /// How many they are.
        public var count: Int

        /// Creates a run that begins at these indices.
        public init(old: Int, new: Int, count: Int = 1) {
            self.old = old
            self.new = new
            self.count = count
        }
    }

    /// The steps from the old list to the new one, and what to compare inside.
    public struct Script: Sendable, Equatable {
        /// The removals, then the moves, then the insertions.
        public var steps: [Step] = []
        /// The elements that take part in both lists and were not found equal, in ascending order of the new index.
        ///
        /// What changed inside them is written after all steps, at that index. None of them was inserted, so nothing is
        /// written twice.
        public var pairs: [Pair] = []

        /// A script of these parts.
        public init(steps: [Step] = [], pairs: [Pair] = []) {
            self.steps = steps
            self.pairs = pairs
        }

        /// Whether both lists were found equal.
        public var isEmpty: Bool { steps.isEmpty && pairs.isEmpty }
    }

    /// How many removals and insertions the search for the shortest difference follows before it gives up.
    ///
    /// It bounds the work to its square where nothing matches, and to its product with the length where much does.
    public static let differenceLimit = 512

    /// The script of two lists whose elements have no identity and can only be compared.
    ///
    /// - Parameter equal: whether an element of the old list, by its index, equals one of the new.
    /// - Complexity: O(*n* + *d*²) comparisons on average, *d* being the number of differences, at most
    ///   ``differenceLimit``; beyond it O(*n*).
    public static func script(oldCount: Int, newCount: Int, equal: (Int, Int) -> Bool) -> Script {
        let (old, new) = trimmed(oldCount, newCount, equal)
        let matches = shortestDifference(old, new, limit: differenceLimit, equal)
        return Script(matches: matches ?? [], old: old, new: new)
    }

    /// The script of two lists whose elements can be hashed.
    ///
    /// Beyond ``differenceLimit`` it still finds elements that are in each list once and mostly in the same order.
    ///
    /// - Complexity: O(*n* log *n*) beside the cost of ``script(oldCount:newCount:equal:)``, of which each element is hashed
    ///   once and compared as an integer from then on.
    public static func script<Element: Hashable>(_ old: [Element], _ new: [Element]) -> Script {
        let (oldRange, newRange) = trimmed(old.count, new.count) { old[$0] == new[$1] }
        return script(old[oldRange], new[newRange])
    }

    /// The script of what lies between the common ends of two lists.
    static func script<Element: Hashable>(_ old: ArraySlice<Element>, _ new: ArraySlice<Element>) -> Script {
        let (oldRange, newRange) = (old.indices, new.indices)
        if oldRange.isEmpty || newRange.isEmpty || (oldRange.count == 1 && newRange.count == 1) {
            return Script(matches: [], old: oldRange, new: newRange)
        }
        var numbers: [Element: Int] = [:]
        let oldNumbers = old.map { number($0, in: &numbers) }
        let newNumbers = new.map { number($0, in: &numbers) }
        let equal = { (i: Int, j: Int) in
            oldNumbers[i - oldRange.lowerBound] == newNumbers[j - newRange.lowerBound]
        }
        var matches = shortestDifference(oldRange, newRange, limit: differenceLimit, equal)
        if matches == nil {
            matches = anchoredDifference(
                oldNumbers, from: oldRange.lowerBound, newNumbers, from: newRange.lowerBound, distinct: numbers.count)
        }
        return Script(matches: matches ?? [], old: oldRange, new: newRange)
    }

    private static func number<Element: Hashable>(_ element: Element, in numbers: inout [Element: Int]) -> Int {
        if let number = numbers[element] { return number }
        let number = numbers.count
        numbers[element] = number
        return number
    }

    static func trimmed(
        _ oldCount: Int, _ newCount: Int, _ equal: (Int, Int) -> Bool
    ) -> (old: Range<Int>, new: Range<Int>) {
        let shared = min(oldCount, newCount)
        var start = 0
        while start < shared, equal(start, start) { start += 1 }
        var end = 0
        while end < shared - start, equal(oldCount - 1 - end, newCount - 1 - end) { end += 1 }
        return (start..<(oldCount - end), start..<(newCount - end))
    }
}

extension ListEdit.Script {
    /// The script of what lies between the matches: what stands at one place of both lists is a pair, the rest comes or goes.
    ///
    /// - Parameter matches: equal elements, ascending in both lists.
    public init(matches: [ListEdit.Run], old: Range<Int>, new: Range<Int>) {
        var removals: [Int] = []
        var (oldStart, newStart) = (old.lowerBound, new.lowerBound)
        var insertions: [Int] = []
        for match in matches + [ListEdit.Run(old: old.upperBound, new: new.upperBound, count: 0)] {
            let shared = min(match.old - oldStart, match.new - newStart)
            for offset in 0..<shared { pairs.append(ListEdit.Pair(old: oldStart + offset, new: newStart + offset)) }
            removals.append(contentsOf: (oldStart + shared)..<match.old)
            insertions.append(contentsOf: (newStart + shared)..<match.new)
            (oldStart, newStart) = (match.old + match.count, match.new + match.count)
        }
        steps = removals.reversed().map { .remove(at: $0) } + insertions.map { .insert(at: $0) }
    }
}
