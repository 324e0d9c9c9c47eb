import TestSupport

/// Where a ranking has the guilty place of a case.
///
/// Places with one and the same score share their middle rank; for the first *k* they count as far as chance would put the
/// guilty one among them.
struct GuiltyRank {
    private let better: Int
    private let equal: Int
    private let right: Int

    /// The rank of the guilty place; nil where it has no score.
    init?(_ scores: [Place: Double], _ isGuilty: (Place) -> Bool) {
        let guilty = scores.filter { isGuilty($0.key) }
        guard let best = guilty.values.max() else { return nil }
        better = scores.values.count { $0 > best }
        equal = scores.values.count { $0 == best }
        right = guilty.values.count { $0 == best }
    }

    /// The expected place of the first of the guilty ones among their equals.
    var value: Double { Double(better) + Double(equal + 1) / Double(right + 1) }

    /// How probable it is that a guilty place is among the first so many.
    func chance(among limit: Int) -> Double {
        let drawn = min(max(limit - better, 0), equal)
        var missing = 1.0
        for index in 0..<drawn { missing *= max(Double(equal - right - index), 0) / Double(equal - index) }
        return 1 - missing
    }
}

/// How good a ranking is over many cases.
struct Tally {
    private(set) var cases = 0
    /// Of each case, how probable the guilty place is first, and among three.
    private(set) var found: [(first: Double, three: Double)] = []
    private var first = [1: 0.0, 3: 0.0, 5: 0.0]
    private var reciprocal = 0.0
    private var wasted = 0.0
    private var abstained = 0
    /// Of good runs half of which were called bad: how often that was asked, and how often a place was named.
    private var good = (all: 0, named: 0)

    /// Takes the scores of one case; nil where the ranking abstains, which finds nothing and wastes nothing.
    mutating func add(_ scores: [Place: Double]?, _ bug: BugCase) {
        cases += 1
        let rank = scores.flatMap { GuiltyRank($0, bug.isGuilty) }
        found.append((rank?.chance(among: 1) ?? 0, rank?.chance(among: 3) ?? 0))
        guard let scores else {
            abstained += 1
            return
        }
        guard let rank else {
            wasted += Double(scores.count)
            return
        }
        reciprocal += 1 / rank.value
        wasted += rank.value - 1
        for limit in first.keys { first[limit, default: 0] += rank.chance(among: limit) }
    }

    /// Takes the answer for good runs half of which were called bad, where to abstain is right.
    mutating func addGood(_ scores: [Place: Double]?) {
        good.all += 1
        good.named += scores == nil ? 0 : 1
    }

    static let head = """
        | ranking | top 1 | top 3 (95 %) | top 5 | MRR | wasted places | abstains | named in good runs called bad (95 %) |
        | --- | --- | --- | --- | --- | --- | --- | --- |
        """

    /// A row of the table.
    func row(_ name: String) -> String {
        let (one, three, five) = (
            Share(first[1]!, of: cases), Share(first[3]!, of: cases), Share(first[5]!, of: cases)
        )
        let named = Share(Double(good.named), of: good.all)
        return "| \(name) | \(one.text) | \(three.textWithInterval) | \(five.text) | \(mean(reciprocal)) | "
            + "\(mean(wasted)) | \(abstained) | \(good.all == 0 ? "no good run" : named.textWithInterval) |"
    }

    private func mean(_ value: Double) -> String {
        let hundredths = Int((value / Double(max(cases, 1)) * 100).rounded())
        return "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100)"
    }
}

/// By how much a ranking is ahead of the best of others, over the same cases.
struct Margin {
    private static let drawings = 2000

    /// The best of the others.
    let other: String
    /// In cases of one.
    let value: Double
    /// Where it lies with 95 %, as cases are drawn again and again: the bootstrap.
    let interval: (low: Double, high: Double)

    init(
        _ tally: Tally, over others: [(name: String, tally: Tally)],
        by found: KeyPath<(first: Double, three: Double), Double>
    ) {
        func total(_ tally: Tally) -> Double { tally.found.reduce(0) { $0 + $1[keyPath: found] } }
        let best = others.max { total($0.tally) < total($1.tally) }!
        let differences = zip(tally.found, best.tally.found).map { $0[keyPath: found] - $1[keyPath: found] }
        var random = SeededGenerator(seed: 1)
        let count = Double(max(differences.count, 1))
        let drawn = (0..<Self.drawings).map { _ in
            differences.reduce(0) { sum, _ in sum + differences.randomElement(using: &random)! } / count
        }.sorted()
        other = best.name
        value = differences.reduce(0, +) / count
        interval = (drawn[Self.drawings / 40], drawn[Self.drawings - Self.drawings / 40 - 1])
    }

    /// As `+3.2 points (-1.0 to +7.5) over 'last writer'`.
    var text: String {
        func points(_ value: Double) -> String {
            let tenths = Int((abs(value) * 1000).rounded())
            return "\(value < 0 && tenths > 0 ? "-" : "+")\(tenths / 10).\(tenths % 10)"
        }
        return "\(points(value)) points (\(points(interval.low)) to \(points(interval.high))) over '\(other)'"
    }
}

/// A share of some cases.
struct Share {
    private let value: Double
    private let count: Double

    init(_ value: Double, of count: Int) {
        self.value = value
        self.count = Double(max(count, 1))
    }

    var text: String {
        let tenths = Int((value / count * 1000).rounded())
        return "\(tenths / 10).\(tenths % 10) %"
    }

    /// With the interval in which the true share lies with 95 %, after Wilson, as `38.6 % (30–47)`.
    var textWithInterval: String {
        let (share, z) = (value / count, 1.96)
        let middle = (share + z * z / (2 * count)) / (1 + z * z / count)
        let half = z / (1 + z * z / count) * (share * (1 - share) / count + z * z / (4 * count * count)).squareRoot()
        let (low, high) = (max(middle - half, 0), min(middle + half, 1))
        return "\(text) (\(Int((low * 100).rounded()))–\(Int((high * 100).rounded())))"
    }
}
