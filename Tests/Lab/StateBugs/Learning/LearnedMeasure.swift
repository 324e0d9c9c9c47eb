import JSONCore
import JournalFormat
import JournalReading
import QueryLanguage
import TestSupport
import TimeTravel

/// How good what is learned is: of good runs of each app, held against other good runs, against what is known to be true, and
/// against runs with faults.
struct LearnedMeasure {
    /// The seeds of the runs that are learned from, and of those that are not seen.
    private static let learned: Range<UInt64> = 1..<21
    private static let unseen: Range<UInt64> = 1_001..<1_051

    /// Prints the figures of both apps.
    func run() throws {
        let faults = try run(Shop.self, truths: ShopTruths.conditions, faultsBefore: 0)
        _ = try run(Queue.self, truths: [], faultsBefore: faults)
    }

    /// Measures one app; the faults are numbered on from those before, as the other measure does.
    private func run<App: Subject>(_ app: App.Type, truths: [String], faultsBefore: Int) throws -> Int {
        let folder = TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        let maker = try CaseMaker(app, in: folder.path)
        let learned = try Self.learn(try Self.learned.map { try maker.play($0, Bugs(), "good-\($0)").path })
        let chosen = Array(learned.prefix(Learner.mostChosen))
        print(
            "# \(App.name)\n\n\(learned.count) invariants are learned of \(Self.learned.count) good runs; the first \(chosen.count):\n"
        )
        for invariant in chosen { print("    \(invariant.name): \(invariant.condition)  # \(invariant.samples)") }
        for invariant in learned.dropFirst(chosen.count) { print("  - \(invariant.name): \(invariant.condition)") }
        try falseAlarms(maker, chosen)
        if !truths.isEmpty { try found(truths, chosen, maker) }
        return try broken(maker, chosen, faultsBefore)
    }

    private static func learn(_ paths: [String]) throws -> [LearnedInvariant] {
        let journals = try paths.map { try Journal.open($0, access: .random) }
        var learner = Learner()
        for journal in journals { try learner.survey(journal) }
        for journal in journals { try learner.add(journal) }
        let all = learner.invariants()
        var holding = all
        for journal in journals { holding = try Learner.holding(holding, in: journal) }
        let left = all.filter { one in !holding.contains { $0.name == one.name } }
        for invariant in left { print("REFUTED by check: \(invariant.name): \(invariant.condition)") }
        return holding
    }

    private func violated(_ invariants: [LearnedInvariant], in path: String) throws -> [LearnedInvariant] {
        let journal = try Journal.open(path, access: .random)
        let holding = Set(try Learner.holding(invariants, in: journal).map(\.name))
        return invariants.filter { !holding.contains($0.name) }
    }

    private func falseAlarms<App: Subject>(_ maker: CaseMaker<App>, _ chosen: [LearnedInvariant]) throws {
        var alarms: [String: Int] = [:]
        var runs = 0
        for seed in Self.unseen {
            let violated = try violated(chosen, in: try maker.play(seed, Bugs(), "unseen-\(seed)").path)
            if !violated.isEmpty { runs += 1 }
            for invariant in violated { alarms[invariant.name, default: 0] += 1 }
        }
        print("\nfalse alarms: in \(runs) of \(Self.unseen.count) unseen good runs")
        for (name, count) in alarms.sorted(by: { $0.key < $1.key }) { print("  - \(name): \(count)") }
    }

    // MARK: Truths

    /// A truth is found if what was learned rejects nine of ten changed states that violate it.
    private func found<App: Subject>(
        _ truths: [String], _ chosen: [LearnedInvariant], _ maker: CaseMaker<App>
    ) throws {
        let mutations = try StateMutations(
            paths: Self.unseen.prefix(10).map { try maker.play($0, Bugs(), "unseen-\($0)").path })
        let queries = try chosen.map { try Query($0.condition) }
        var found = 0
        for truth in truths {
            let query = try Query(truth)
            let violating = mutations.pairs.filter { !$0.satisfies(query) }
            let rejected = violating.count { pair in queries.contains { !pair.satisfies($0) } }
            let isFound = !violating.isEmpty && rejected * 10 >= violating.count * 9
            found += isFound ? 1 : 0
            print("  \(isFound ? "found " : "missed") \(rejected) of \(violating.count): \(truth)")
        }
        print("found: \(found) of \(truths.count) truths")
    }

    // MARK: Faults

    /// Of the faults that are not held back, how many break something that was learned.
    private func broken<App: Subject>(
        _ maker: CaseMaker<App>, _ chosen: [LearnedInvariant], _ faultsBefore: Int
    ) throws -> Int {
        var next = faultsBefore
        // The books that each app closes are constants, and say themselves that something is wrong.
        let others = chosen.filter { $0.kind != .constant }
        var (shown, broken, otherwise) = (0, 0, 0)
        for mutant in try maker.mutants() {
            next += 1
            guard next % 3 != 0, let bug = try maker.bugCase(mutant, next, runs: 4) else { continue }
            shown += 1
            if try bug.paths.bad.contains(where: { try !violated(chosen, in: $0).isEmpty }) { broken += 1 }
            if try bug.paths.bad.contains(where: { try !violated(others, in: $0).isEmpty }) { otherwise += 1 }
        }
        print("faults: \(broken) of \(shown) break one of them, \(otherwise) one that is not a constant\n")
        return next
    }
}

/// States of good runs, each with one leaf changed, and the state before.
struct StateMutations {
    struct Pair {
        let old: JSONValue
        let new: JSONValue

        /// Whether a condition is true of it.
        func satisfies(_ query: Query) -> Bool {
            guard let value = try? query.first(of: new, context: QueryContext(old: old, name: "nobody")) else {
                return false
            }
            return value != .null && value != .bool(false)
        }
    }

    private(set) var pairs: [Pair] = []
    private var random = SeededGenerator(seed: 7)

    init(paths: [String]) throws {
        for path in paths {
            let journal = try Journal.open(path, access: .random)
            let last = try journal.lastCommit.rawValue
            for _ in 0..<300 {
                let position = Int.random(in: 1...max(last, 1), using: &random)
                let old = try journal.state(at: CommitNumber(position - 1)).value
                var new = try journal.state(at: CommitNumber(position)).value
                change(&new)
                pairs.append(Pair(old: old, new: new))
            }
        }
    }

    /// Changes one leaf, chosen by going down from the top.
    private mutating func change(_ value: inout JSONValue) {
        switch value {
        case .object(let object) where !object.isEmpty:
            let key = object.keys[below(object.count, &random)]
            var member = object[key] ?? .null
            change(&member)
            var changed = object
            changed[key] = member
            value = .object(changed)
        case .array(var elements) where !elements.isEmpty:
            let index = below(elements.count, &random)
            switch below(4, &random) {
            case 0: elements.append(elements[index])
            case 1: elements.remove(at: index)
            default: change(&elements[index])
            }
            value = .array(elements)
        case .number(let number):
            let whole = number.integerValue ?? 0
            value = .number(JSONNumber([whole + 1, whole - 1, -whole - 1, whole * 10 + 1, 0][below(5, &random)]))
        case .string:
            value = [.string("other"), .null, .string("away"), .string("paying"), .string("plain")][below(5, &random)]
        case .null: value = [.string("other"), 20][below(2, &random)]
        case .bool(let flag): value = .bool(!flag)
        case .object, .array: break
        }
    }
}
