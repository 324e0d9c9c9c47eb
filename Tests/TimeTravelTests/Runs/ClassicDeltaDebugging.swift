/// What `DeltaDebugging` is measured against.
///
/// Source: Zeller and Hildebrandt, "Simplifying and Isolating Failure-Inducing Input", IEEE Transactions on Software
/// Engineering 28(2), 2002, the algorithm *ddmin*: parts, then what is left without each part, then smaller parts.
enum ClassicDeltaDebugging {
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
