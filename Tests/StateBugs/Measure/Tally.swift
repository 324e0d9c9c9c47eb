/// How good a ranking is over many cases.
///
/// Places with one and the same score share their middle rank; for the first *k* they count as far as chance would put the
/// guilty one among them.
struct Tally {
    private(set) var cases = 0
    private var first = [1: 0.0, 3: 0.0, 5: 0.0]
    private var reciprocal = 0.0
    private var wasted = 0.0
    private(set) var misses: [Int] = []
    private var abstained = 0

    /// Takes the scores of one case; nil where the ranking abstains, which finds nothing and wastes nothing.
    mutating func add(_ scores: [Place: Double]?, _ bug: BugCase) {
        cases += 1
        guard let scores else {
            abstained += 1
            misses.append(bug.number)
            return
        }
        let guilty = scores.filter { bug.isGuilty($0.key) }
        guard let best = guilty.values.max() else {
            misses.append(bug.number)
            wasted += Double(scores.count)
            return
        }
        let better = scores.values.count { $0 > best }
        let equal = scores.values.count { $0 == best }
        let right = guilty.values.count { $0 == best }
        // The expected place of the first of the guilty ones among their equals.
        let rank = Double(better) + Double(equal + 1) / Double(right + 1)
        reciprocal += 1 / rank
        wasted += rank - 1
        for limit in first.keys {
            first[limit, default: 0] += Self.chance(of: min(max(limit - better, 0), equal), from: equal, right)
        }
        if rank > 5 { misses.append(bug.number) }
    }

    /// How probable it is that one of the right ones is among so many that are drawn.
    private static func chance(of drawn: Int, from all: Int, _ right: Int) -> Double {
        var missing = 1.0
        for index in 0..<drawn { missing *= max(Double(all - right - index), 0) / Double(all - index) }
        return 1 - missing
    }

    /// A row of the table.
    func row(_ name: String) -> String {
        func share(_ value: Double) -> String {
            let tenths = Int((value / Double(max(cases, 1)) * 1000).rounded())
            return "\(tenths / 10).\(tenths % 10) %"
        }
        func mean(_ value: Double) -> String {
            let hundredths = Int((value / Double(max(cases, 1)) * 100).rounded())
            return "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100)"
        }
        let three = share(first[3]!) + " (\(interval(first[3]!)))"
        return
            "| \(name) | \(share(first[1]!)) | \(three) | \(share(first[5]!)) | \(mean(reciprocal)) | \(mean(wasted)) | \(abstained) |"
    }

    /// The interval in which the true share lies with 95 %, after Wilson, as `30–45`.
    private func interval(_ value: Double) -> String {
        let (count, z) = (Double(max(cases, 1)), 1.96)
        let share = value / count
        let middle = (share + z * z / (2 * count)) / (1 + z * z / count)
        let half = z / (1 + z * z / count) * (share * (1 - share) / count + z * z / (4 * count * count)).squareRoot()
        return "\(Int((max(middle - half, 0) * 100).rounded()))–\(Int((min(middle + half, 1) * 100).rounded()))"
    }
}
