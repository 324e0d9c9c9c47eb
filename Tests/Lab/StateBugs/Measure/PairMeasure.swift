import TestSupport

/// Two faults of one app at once: whether both of their places are among the first that a ranking names.
struct PairMeasure {
    private static let runs = 20
    private static let most = 5
    /// So many pairs of each app are asked for, and so many are tried for each of those at most.
    private static let wanted = 30
    private static let tries = 20

    /// What became of the pairs with one ranking.
    private struct Result {
        var both = 0
        var one = 0
        var abstained = 0
    }

    private let isListed: Bool
    private var results = [Result](repeating: Result(), count: Ranking.all.count)
    private var pairs = 0
    private var tried = 0
    private var next = 0

    init(isListed: Bool) { self.isListed = isListed }

    /// Tries pairs of the faults that are not held back, in an order that follows from a seed.
    mutating func run<App: Subject>(_ app: App.Type) throws {
        let whole = TemporaryFolder()
        var open: [Mutant] = []
        for mutant in try CaseMaker(app, in: whole.path).mutants() {
            next += 1
            if next % 3 != 0 { open.append(mutant) }
        }
        var random = SeededGenerator(seed: 1)
        var found = 0
        var seen: Set<Set<Mutant>> = []
        for _ in 0..<Self.wanted * Self.tries where found < Self.wanted {
            let pair = (open.randomElement(using: &random)!, open.randomElement(using: &random)!)
            guard (pair.0.file, pair.0.function) != (pair.1.file, pair.1.function),
                seen.insert([pair.0, pair.1]).inserted
            else { continue }
            tried += 1
            let own = TemporaryFolder()
            if let bug = try CaseMaker(app, in: own.path).bugCase(pair, tried, runs: Self.runs) {
                found += 1
                try add(bug, pair)
            }
            withExtendedLifetime(own) {}
        }
        withExtendedLifetime(whole) {}
    }

    private mutating func add(_ bug: BugCase, _ pair: (Mutant, Mutant)) throws {
        pairs += 1
        var row = ["\(pairs)"] + [pair.0, pair.1].map { "\($0.file):\($0.line) \($0.function), \($0.kind.rawValue)" }
        for (index, ranking) in Ranking.all.enumerated() {
            guard let scores = try ranking.scores(bug) else {
                results[index].abstained += 1
                row.append("\(ranking.name) abstains")
                continue
            }
            let ranks = [pair.0, pair.1].map { GuiltyRank(scores, $0.isGuilty)?.value ?? .infinity }
            switch ranks.count(where: { $0 <= Double(Self.most) }) {
            case 2: results[index].both += 1
            case 1: results[index].one += 1
            default: break
            }
            row.append("\(ranking.name) \(ranks[0]), \(ranks[1])")
        }
        if isListed { print(row.joined(separator: "\t")) }
    }

    func report() {
        print(
            "\(pairs) pairs, of \(tried) that were tried, have \(Self.runs) bad and \(Self.runs) good runs and show both faults.\n"
        )
        print("| ranking | both in the first \(Self.most) (95 %) | only one | abstains |\n| --- | --- | --- | --- |")
        for (result, ranking) in zip(results, Ranking.all) {
            let both = Share(Double(result.both), of: pairs).textWithInterval
            print("| \(ranking.name) | \(both) | \(Share(Double(result.one), of: pairs).text) | \(result.abstained) |")
        }
    }
}
