import JournalFormat
import JournalReading
import QueryLanguage
import StateStore
import TimeTravel

/// One fault with its runs: some that show it, and some that do not, of one and the same faulty app.
struct BugCase {
    let number: Int
    let mutant: Mutant
    /// The query that is false from the symptom on, in the first bad run.
    let symptom: String
    let bad: [RunFacts]
    let good: [RunFacts]
    /// Where the journals are, as long as the folder is.
    let paths: (bad: [String], good: [String])
    /// In how many of the good runs the faulty line was executed, and did no harm.
    let harmless: Int
    /// How many commits were made between the first execution of the faulty line and the symptom, in the first bad run.
    let distance: Int

    /// Whether the guilty place writes a store that the symptom names.
    var isNear: Bool {
        let named = Set(
            symptom.split { !($0.isLetter || $0 == ".") }.filter { $0.hasPrefix(".") }
                .compactMap { $0.split(separator: ".").first.map(String.init) })
        let written = bad.flatMap(\.commits).filter { isGuilty($0.place) }.flatMap(\.paths)
        return written.contains { path in path.split(separator: "/").first.map { named.contains(String($0)) } ?? false }
    }

    /// The good runs, half of them called bad, without a symptom; nil where there are not two.
    ///
    /// There is nothing to find in them.
    var mistaken: BugCase? {
        guard good.count > 1 else { return nil }
        let half = good.count / 2
        let called = good.prefix(half).map { $0.failing(at: $0.commits.last?.number ?? 0) }
        return BugCase(
            number: number, mutant: mutant, symptom: symptom, bad: called, good: Array(good.dropFirst(half)),
            paths: (Array(paths.good.prefix(half)), Array(paths.good.dropFirst(half))), harmless: 0, distance: 0)
    }

    /// Whether a run shows the symptom.
    func shows(in path: String) throws -> Bool {
        let journal = try Journal.open(path, access: .random)
        let range = try PositionRange(journal.start, journal.lastCommit)!
        let question = Symptom.Question(Invariant(name: symptom, query: try Query(symptom)))
        return try Symptom.first(of: [question], in: journal, range).symptom != nil
    }

    func isGuilty(_ place: Place) -> Bool { mutant.isGuilty(place) }
}

extension Mutant {
    /// Whether the function whose commit carries the fault into the state is of that place.
    func isGuilty(_ place: Place) -> Bool { place.file == file && place.function == function }
}

/// Plays an app with its faults.
struct CaseMaker<App: Subject> {
    /// The seeds of the runs without a fault, which say what faults there can be.
    private static var wholeSeeds: Range<UInt64> { 1..<25 }

    private let folder: String
    private let invariants: [Invariant]

    init(_ app: App.Type, in folder: String) throws {
        self.folder = folder
        invariants = try App.invariants.map { Invariant(name: $0, query: try Query($0)) }
    }

    /// One run.
    struct Played {
        let path: String
        let facts: RunFacts
        let symptom: String?
        let executions: Int
    }

    /// Plays a run and looks for its symptom.
    func play(_ seed: UInt64, _ bugs: Bugs, _ name: String) throws -> Played {
        let path = "\(folder)/\(name).jsonl"
        var options = Recorder.Options()
        options.replacesFile = true
        options.id = name
        options.clock = { Timestamp(microseconds: 1_772_366_400_000_000) }
        let recorder = try Recorder(path, options: options)
        let app = App(bugs, recorder)
        app.play(seed: seed)
        withExtendedLifetime(app) { recorder.close() }
        let journal = try Journal.open(path, access: .random)
        let first = try journal.firstViolation(of: invariants)
        let facts = try RunFacts(journal, symptomAt: first?.position.rawValue, first?.name)
        return Played(path: path, facts: facts, symptom: first?.name, executions: bugs.executions)
    }

    /// Every fault that can be switched on.
    ///
    /// - Throws: where the app without a fault shows a symptom.
    func mutants() throws -> [Mutant] {
        var found: Set<Mutant> = []
        for seed in Self.wholeSeeds {
            let bugs = Bugs()
            if let symptom = try play(seed, bugs, "whole").symptom {
                throw Unsound(app: App.name, seed: seed, symptom: symptom)
            }
            found.formUnion(bugs.sites)
        }
        return found.sorted()
    }

    /// The app without a fault is wrong.
    struct Unsound: Error {
        let app: String
        let seed: UInt64
        let symptom: String
    }

    /// The case of a fault; nil where no run shows it.
    func bugCase(_ mutant: Mutant, _ number: Int, runs: Int) throws -> BugCase? {
        let (bad, good) = try sorted("\(number)", runs: runs) { Bugs(mutant) }
        guard !bad.isEmpty else { return nil }
        return bugCase(mutant, number, bad.map(\.run), good)
    }

    /// The case of two faults at once; nil where there are not as many runs of each kind, or one of the two hardly shows.
    ///
    /// In a quarter of the bad runs each has to show by itself.
    func bugCase(_ pair: (Mutant, Mutant), _ number: Int, runs: Int) throws -> BugCase? {
        let (bad, good) = try sorted("\(number)", runs: runs) { Bugs(pair.0, pair.1) }
        guard bad.count == runs, good.count == runs else { return nil }
        for mutant in [pair.0, pair.1] {
            let shown = try bad.count { try play($0.seed, Bugs(mutant), "alone").symptom != nil }
            guard shown * 4 >= runs else { return nil }
        }
        return bugCase(pair.0, number, bad.map(\.run), good)
    }

    /// Runs that show a symptom, with their seeds, and runs that do not.
    private func sorted(
        _ name: String, runs: Int, _ bugs: () -> Bugs
    ) throws -> (bad: [(seed: UInt64, run: Played)], good: [Played]) {
        var (bad, good): ([(seed: UInt64, run: Played)], [Played]) = ([], [])
        // Six seeds for each run that is wanted: a fault that shows in fewer has fewer bad runs.
        for seed in 1..<UInt64(6 * runs + 1) where bad.count < runs || good.count < runs {
            let played = try play(seed, bugs(), "\(name)-\(seed)")
            if played.symptom != nil {
                if bad.count < runs { bad.append((seed, played)) }
            } else if good.count < runs {
                good.append(played)
            }
        }
        return (bad, good)
    }

    private func bugCase(_ mutant: Mutant, _ number: Int, _ bad: [Played], _ good: [Played]) -> BugCase {
        let first = bad[0]
        let reached = first.facts.commits.first { mutant.isGuilty($0.place) }
        return BugCase(
            number: number, mutant: mutant, symptom: first.symptom ?? "", bad: bad.map(\.facts),
            good: good.map(\.facts), paths: (bad.map(\.path), good.map(\.path)),
            harmless: good.count { $0.executions > 0 },
            distance: reached.map { (first.facts.symptomAt ?? 0) - $0.number } ?? -1)
    }
}

extension Journal {
    /// The invariant that breaks first, and where; nil where all hold.
    func firstViolation(of invariants: [Invariant]) throws -> (position: CommitNumber, name: String)? {
        let range = try PositionRange(start, lastCommit)!
        let answers = try InvariantScan.run(self, range, invariants, threads: 1).answers
        return answers.compactMap { answer in answer.violation.map { ($0.position, answer.invariant.name) } }
            .min { $0.0 < $1.0 }
    }
}
