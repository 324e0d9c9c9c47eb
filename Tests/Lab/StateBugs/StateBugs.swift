import Foundation
import TestSupport

/// Measures how well faults are found: `StateBugs [--held-back | --real | --foreign | --pairs | --learn] [OPTIONS]`.
///
/// It plays two apps with one fault at a time, keeps the runs that show it and those that do not, and asks every ranking for
/// the place that is to blame. A third of the faults, by number, is only looked at with `--held-back`. `--real` plays
/// the faults of public trackers instead, all of them, `--foreign` damages a trace of another program, and `--pairs` switches
/// two faults on at once. `--learn` measures what is learned of good runs.
///
/// `--list` prints each fault with its runs, `--misses` ten that were not found; `--runs N` asks for so many runs of each kind
/// (4 unless given), `--only 2,10` plays the faults of these numbers alone, and `--keep FOLDER` leaves the journals there. With
/// `--strict` the status is 1 where `suspects` is behind an easy ranking.
@main
enum StateBugs {
    static func main() throws {
        try measure()
        if isBehind, CommandLine.arguments.contains("--strict") { exit(1) }
    }

    private static func measure() throws {
        let arguments = CommandLine.arguments
        func value(_ option: String) -> String? {
            arguments.firstIndex(of: option).flatMap { $0 + 1 < arguments.count ? arguments[$0 + 1] : nil }
        }
        func measure(isHeldBack: Bool?) -> Measure {
            Measure(
                isHeldBack: isHeldBack, isListed: arguments.contains("--list"),
                runs: value("--runs").flatMap { Int($0) } ?? 4, folder: value("--keep"))
        }
        if arguments.contains("--learn") {
            var measure = LearnedMeasure()
            guard try measure.run() else { exit(1) }
            return
        }
        if arguments.contains("--pairs") { return try pairs(isListed: arguments.contains("--list")) }
        if arguments.contains("--foreign") { return try foreign { measure(isHeldBack: nil) } }
        if arguments.contains("--real") { return try real(measure(isHeldBack: nil)) }
        var whole = measure(isHeldBack: arguments.contains("--held-back"))
        whole.only = value("--only").map { Set($0.split(separator: ",").compactMap { Int($0) }) }
        try whole.run(Shop.self)
        try whole.run(Queue.self)
        finish(whole)
        if arguments.contains("--misses") { OneRunAnswer.print(whole.answers) }
    }

    private static func pairs(isListed: Bool) throws {
        var measure = PairMeasure(isListed: isListed)
        try measure.run(Shop.self)
        try measure.run(Queue.self)
        measure.report()
    }

    private static func real(_ measure: Measure) throws {
        var measure = measure
        for bug in RealBugs.all {
            if measure.isListed { print("\(bug.name)\t\(bug.report)\t\(bug.fix)") }
            try measure.run(bug)
        }
        finish(measure)
    }

    /// Prints what a measure came to.
    private static func finish(_ measure: Measure) {
        measure.report()
        isBehind = isBehind || measure.isBehind
    }

    private nonisolated(unsafe) static var isBehind = false

    /// A log that no Swift program wrote, damaged: once with its lines as what is named, once with its places.
    private static func foreign(_ measure: () -> Measure) throws {
        let own = TemporaryFolder()
        guard let trace = try RaftTrace.read(in: own) else {
            return print("skipped: '\(RaftTrace.file)' or gzip is not there")
        }
        for unit in ForeignCases.Unit.allCases {
            print("\n## by \(unit.rawValue)\n")
            var measure = measure()
            try ForeignCases(trace, unit, runs: measure.runs).make(keep: measure.folder) { try measure.add($0) }
            finish(measure)
        }
        withExtendedLifetime(own) {}
    }
}
