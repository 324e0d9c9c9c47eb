/// The smallest part of a list that still fails, in the sense that no single element can be left out.
///
/// Source: Zeller and Hildebrandt, "Simplifying and Isolating Failure-Inducing Input", IEEE Transactions on Software
/// Engineering 28(2), 2002, the algorithm *ddmin*: parts, then what is left without each part, then smaller parts.
enum DeltaDebugging {
    /// Minimises the list of the numbers from 0 up to, not including, `count`, which fails as a whole.
    ///
    /// - Parameter fails: whether a part, ascending, fails; asked again and again.
    /// - Returns: a part that fails, and does not without any one of its elements.
    /// - Complexity: O(*n*²) questions at the worst, O(log *n*) where one element is to blame.
    static func minimal(_ count: Int, _ fails: ([Int]) throws -> Bool) rethrows -> [Int] {
        var rest = Array(0..<count)
        if rest.isEmpty { return rest }
        if try fails([]) { return [] }
        var parts = 2
        while rest.count >= 2 {
            if let smaller = try smaller(rest, parts, fails) {
                parts = smaller.isPart ? 2 : max(parts - 1, 2)
                rest = smaller.rest
            } else {
                if parts >= rest.count { break }
                parts = min(2 * parts, rest.count)
            }
        }
        return rest
    }

    /// A part that fails, or the list without one.
    private static func smaller(
        _ list: [Int], _ parts: Int, _ fails: ([Int]) throws -> Bool
    ) rethrows -> (rest: [Int], isPart: Bool)? {
        let ranges = (0..<parts).map { list.count * $0 / parts..<list.count * ($0 + 1) / parts }
        for range in ranges where try fails(Array(list[range])) { return (Array(list[range]), true) }
        // Of two parts each is what the other leaves.
        if parts == 2 { return nil }
        for range in ranges {
            let rest = Array(list[..<range.lowerBound] + list[range.upperBound...])
            if try fails(rest) { return (rest, false) }
        }
        return nil
    }
}
