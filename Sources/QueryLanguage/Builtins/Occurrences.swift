/// Where a sequence occurs in another, overlapping ones too, in a time that grows with the sum of their lengths (Knuth,
/// Morris and Pratt, "Fast pattern matching in strings", 1977).
///
/// For what is long: the plain search is quicker where the sequence is short or begins with what is rare.
struct Occurrences {
    private let count: Int
    /// For each length of a beginning that matched, the longest shorter one that then matches too.
    private var shorter: [Int]

    /// Prepares the search.
    ///
    /// - Parameters:
    ///   - count: the length of what is searched for; not 0.
    ///   - same: whether two of its places hold the same.
    init(of count: Int, _ same: (Int, Int) -> Bool) {
        self.count = count
        shorter = [0, 0]
        shorter.reserveCapacity(count + 1)
        var length = 0
        for place in 1..<max(1, count) {
            while length > 0, !same(place, length) { length = shorter[length] }
            if same(place, length) { length += 1 }
            shorter.append(length)
        }
    }

    /// Tells each place where it begins, in ascending order.
    ///
    /// - Parameters:
    ///   - places: where to look.
    ///   - same: whether a place there holds what one of the searched sequence holds.
    ///   - found: takes a beginning; false ends the search.
    func forEach(in places: Range<Int>, _ same: (Int, Int) -> Bool, _ found: (Int) -> Bool) {
        var length = 0
        for place in places {
            while length > 0, !same(place, length) { length = shorter[length] }
            if same(place, length) { length += 1 }
            guard length == count else { continue }
            if !found(place + 1 - count) { return }
            length = shorter[length]
        }
    }
}
