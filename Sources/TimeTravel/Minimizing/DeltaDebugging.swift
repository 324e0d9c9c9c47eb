/// A small part of a list that still fails, in the sense that no single element can be left out.
///
/// Source: Zhang et al., "Toward a Better Understanding of Probabilistic Delta Debugging", ICSE 2025, the algorithm *CDD*.
/// Each element is needed with the probability *p*ᵣ = *p*₀ / (1 − 1/e)ʳ after *r* rounds in which it could not be left out
/// with its neighbours. The number *s* of elements that is best left out at once is the one where *s*(1 − *p*)ˢ is largest, so
/// a round has one size, and sizes come from a table. CDD ends after the round of single elements; here that round goes on
/// until every element was tried alone against what is left, because only then is the result minimal.
enum DeltaDebugging {
    /// How many elements a round leaves out at once, last round first: the first for *p* = 1 − 1/e, each for 1 − 1/e
    /// times the *p* before.
    private static let sizes = [
        1, 2, 3, 6, 9, 15, 24, 39, 62, 98, 155, 245, 388, 614, 972, 1_538, 2_434, 3_851, 6_092, 9_638, 15_247, 24_121,
        38_159, 60_367, 95_499, 151_078, 239_002, 378_096, 598_139,
    ]

    /// The first round leaves out this part of the list at once, or less.
    private static let firstPart = 2

    /// The list of the numbers below `count` fails as a whole; what comes last is tried first, because it can depend on
    /// what comes before it.
    ///
    /// - Parameter fails: whether a part, ascending, fails; called again and again.
    /// - Returns: a part that fails, and does not without any one of its elements.
    /// - Complexity: O(*k* log *n*) calls where *k* of *n* elements are needed; O(*n*²) at the worst, where each
    ///   element can be left out only once another was.
    static func minimal(_ count: Int, _ fails: ([Int]) throws -> Bool) rethrows -> [Int] {
        var rest = Array(0..<count)
        if rest.isEmpty { return rest }
        if try fails([]) { return [] }
        for size in sizes.reversed() where size > 1 && size <= count / firstPart {
            try leaveOut(size, of: &rest, fails)
        }
        try leaveOutSingles(of: &rest, fails)
        return rest
    }

    private static func leaveOut(_ size: Int, of list: inout [Int], _ fails: ([Int]) throws -> Bool) rethrows {
        var end = list.count
        while end > 0 {
            let start = max(end - size, 0)
            // Without all of them is what was asked first.
            if end - start < list.count {
                let smaller = Array(list[..<start] + list[end...])
                if try fails(smaller) { list = smaller }
            }
            end = start
        }
    }

    private static func leaveOutSingles(of list: inout [Int], _ fails: ([Int]) throws -> Bool) rethrows {
        var needed = 0
        var place = list.count
        while list.count > 1, needed < list.count {
            place = place > 0 ? place - 1 : list.count - 1
            var smaller = list
            smaller.remove(at: place)
            if try fails(smaller) {
                list = smaller
                needed = 0
            } else {
                needed += 1
            }
        }
    }
}
