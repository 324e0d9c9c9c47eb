import Foundation
import JSONCore
import JournalFormat
import JournalReading
import QueryLanguage
import TestSupport
import TimeTravel

/// How good what is learned is: of 20 good runs of an app, checked on 50 others, on runs with faults, and on states that violate what
/// is known to be true.
struct LearnedMeasure {
    /// The seeds of the runs that are learned from, and of those that are not seen.
    private static let learned: Range<UInt64> = 1..<21
    private static let unseen: Range<UInt64> = 1_001..<1_051

    /// What became of some invariants: those of one app, of a set of apps, or of one template.
    private struct Figures {
        var invariants = 0
        var runs = 0
        var alarms = 0
        var faults = 0
        var broken = 0
        var truths = 0
        var implied = 0

        /// Whether more than one of fifty good runs raises an alarm.
        var isAboveGoal: Bool { alarms * 50 > runs }

        static func += (all: inout Figures, one: Figures) {
            all.invariants += one.invariants
            all.runs += one.runs
            all.alarms += one.alarms
            all.faults += one.faults
            all.broken += one.broken
            all.truths += one.truths
            all.implied += one.implied
        }

        func row(_ name: String) -> String {
            "| \(name) | \(invariants) | \(alarms) of \(runs) | \(Share(Double(alarms), of: runs).textWithInterval) "
                + "| \(broken) of \(faults) | \(truths == 0 ? "–" : "\(implied) of \(truths)") |"
        }
    }

    private var templates: [LearnedInvariant.Kind: Figures] = [:]
    /// Each invariant that raised an alarm, with the runs in which it did.
    private var alarms: [String] = []
    private var missed: [String] = []

    /// Prints the figures of each set of apps, and of each template.
    ///
    /// - Returns: whether no set and no template raises an alarm in more than one of fifty good runs.
    mutating func run() throws -> Bool {
        var sets = [("shop", try measure(Shop.self, ShopTruths.conditions)), ("queue", try measure(Queue.self))]
        var real = Figures()
        for bug in RealBugs.all { real += try measure(bug) }
        sets.append(("\(RealBugs.all.count) apps with a real fault", real))
        let head = "invariants | alarms in unseen good runs | share (95 %) | faults that break one | truths implied |"
        print("| set | \(head)\n|\(String(repeating: " --- |", count: 6))")
        for (name, figures) in sets { print(figures.row(name)) }
        print("\n| template | \(head)\n|\(String(repeating: " --- |", count: 6))")
        for kind in LearnedInvariant.Kind.allCases { print((templates[kind] ?? Figures()).row(kind.rawValue)) }
        print("\nalarms:\n" + alarms.joined(separator: "\n"))
        print(
            "\nnot implied, with how many of the states that violate it are rejected:\n"
                + missed.joined(separator: "\n"))
        return !(sets.map(\.1) + templates.values).contains(where: \.isAboveGoal)
    }

    private mutating func measure<App: Subject>(_ app: App.Type, _ truths: [String] = []) throws -> Figures {
        let folder = TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        let maker = try CaseMaker(app, in: folder.path)
        let invariants = try Self.learn(try Self.learned.map { try maker.play($0, Bugs(), "good-\($0)").path })
        let unseen = try Self.unseen.map { try maker.play($0, Bugs(), "unseen-\($0)").path }
        let alarmed = try unseen.map { try Self.violated(invariants, in: $0) }
        var broken: [[LearnedInvariant]] = []
        for (number, mutant) in try maker.mutants().enumerated() {
            guard let bug = try maker.bugCase(mutant, number, runs: 4) else { continue }
            broken.append(try bug.paths.bad.flatMap { try Self.violated(invariants, in: $0) })
        }
        func figures(_ isMeant: (LearnedInvariant) -> Bool) -> Figures {
            Figures(
                invariants: invariants.count(where: isMeant), runs: unseen.count,
                alarms: alarmed.count { $0.contains(where: isMeant) }, faults: broken.count,
                broken: broken.count { $0.contains(where: isMeant) })
        }
        for kind in LearnedInvariant.Kind.allCases {
            templates[kind, default: Figures()] += figures { $0.kind == kind }
        }
        for invariant in invariants {
            let count = alarmed.count { $0.contains { $0.name == invariant.name } }
            if count > 0 { alarms.append("- \(App.name): \(count): \(invariant.condition)") }
        }
        var all = figures { _ in true }
        (all.truths, all.implied) = (truths.count, try implied(truths, invariants, unseen))
        return all
    }

    private static func learn(_ paths: [String]) throws -> [LearnedInvariant] {
        let journals = try paths.map { try Journal.open($0, access: .random) }
        var learner = Learner()
        for journal in journals { try learner.survey(journal) }
        for journal in journals { try learner.add(journal) }
        return learner.invariants()
    }

    private static func violated(_ invariants: [LearnedInvariant], in path: String) throws -> [LearnedInvariant] {
        let journal = try Journal.open(path, access: .random)
        guard let range = try PositionRange(journal.start, journal.lastCommit) else { return [] }
        let asked = try invariants.map { Invariant(name: $0.name, query: try Query($0.condition)) }
        let answers = try InvariantScan.run(journal, range, asked, threads: 1).answers
        return zip(invariants, answers).filter { $0.1.violation != nil }.map(\.0)
    }

    /// A truth is implied if what was learned rejects nine of ten changed states that violate it.
    private mutating func implied(_ truths: [String], _ learned: [LearnedInvariant], _ runs: [String]) throws -> Int {
        guard !truths.isEmpty else { return 0 }
        let mutations = try StateMutations(paths: Array(runs.prefix(10)))
        let queries = try learned.map { try Query($0.condition) }
        return try truths.count { truth in
            let query = try Query(truth)
            let violating = mutations.pairs.filter { !$0.satisfies(query) }
            let rejected = violating.count { pair in queries.contains { !pair.satisfies($0) } }
            let isImplied = !violating.isEmpty && rejected * 10 >= violating.count * 9
            if !isImplied { missed.append("- \(rejected) of \(violating.count): \(truth)") }
            return isImplied
        }
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
        case .array(let all) where !all.isEmpty:
            var elements = all.array
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
