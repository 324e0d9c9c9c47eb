import JournalFormat
import JournalReading
import QueryLanguage
import StateStore
import TestSupport
import TimeTravel

/// What one run says by itself, without a question: what held through many changes and then broke, in runs without a fault, in runs
/// with one, and in runs with one that begins after two thirds, as a rare condition does.
struct AloneMeasure {
    /// How often an app is played in one run.
    private static let lengths: [UInt64] = [1, 6, 21, 60]
    private static let goodRuns: ClosedRange<UInt64> = 1...40

    private let path: String
    private let folder = TemporaryFolder()

    init() { path = folder.path + "/run.jsonl" }

    /// Prints the figures of both apps.
    func run() throws {
        let before = try run(Shop.self, faultsBefore: 0)
        _ = try run(Queue.self, faultsBefore: before)
    }

    private func run<App: Subject>(_ app: App.Type, faultsBefore: Int) throws -> Int {
        let mutants = try CaseMaker(app, in: folder.path).mutants()
        print("# \(App.name)\n")
        for length in Self.lengths { try measure(app, mutants, faultsBefore, length) }
        print("")
        return faultsBefore + mutants.count
    }

    private func measure<App: Subject>(
        _ app: App.Type, _ mutants: [Mutant], _ faultsBefore: Int, _ length: UInt64
    ) throws {
        var (commits, alarms, putBack) = (0, 0, 0)
        for seed in Self.goodRuns {
            let run = try play(app, seed, Bugs(), length)
            commits += try run.lastCommit.rawValue
            if try !BrokenInvariant.all(in: run).isEmpty { alarms += 1 }
            if try putsBack(run) { putBack += 1 }
        }
        print(
            "\(commits / Self.goodRuns.count) commits: of \(Self.goodRuns.count) good runs something breaks in \(alarms), a value is put "
                + "back in \(putBack)")
        for waits in [false, true] {
            var (shown, broken, near, atFault) = (0, 0, 0, 0)
            for (place, mutant) in mutants.enumerated() where (faultsBefore + place + 1) % 3 != 0 {
                let run = try play(app, 7, Bugs(mutant), length, waits: waits)
                guard let symptom = try symptom(of: app, in: run) else { continue }
                shown += 1
                guard let first = try BrokenInvariant.all(in: run).first else { continue }
                broken += 1
                if abs(first.position.rawValue - symptom.rawValue) <= 20 { near += 1 }
                if let place = first.place,
                    mutant.isGuilty(Place(file: place.file, line: place.line, function: place.function))
                {
                    atFault += 1
                }
            }
            print(
                "  of \(shown) with a fault\(waits ? " from two thirds on" : "") in \(broken), within twenty commits of the symptom in "
                    + "\(near), at the fault in \(atFault)")
        }
    }

    private func play<App: Subject>(
        _ app: App.Type, _ seed: UInt64, _ bugs: Bugs, _ length: UInt64, waits: Bool = false
    ) throws -> Journal {
        var options = Recorder.Options()
        options.replacesFile = true
        options.id = "alone"
        let recorder = try Recorder(path, options: options)
        let app = App(bugs, recorder)
        for day in 0..<length {
            bugs.wait(waits && day * 3 < length * 2)
            app.play(seed: seed &* 1_000 &+ day)
        }
        withExtendedLifetime(app) { recorder.close() }
        return try Journal.open(path, access: .random)
    }

    private func symptom<App: Subject>(of app: App.Type, in journal: Journal) throws -> CommitNumber? {
        try journal.firstViolation(of: App.invariants.map { Invariant(name: $0, query: try Query($0)) })?.position
    }

    private func putsBack(_ journal: Journal) throws -> Bool {
        var statistics = JournalStatistics()
        var reader = journal.records()
        while let line = try reader.next() { if line.kind == .commit { try statistics.add(line) } }
        return statistics.putBack.total > 0
    }
}
