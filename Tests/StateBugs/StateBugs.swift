/// Measures how well faults are found: `StateBugs [--held-back | --real] [--list] [--runs N] [--keep FOLDER]`.
///
/// It plays two apps with one fault at a time, keeps the runs that show it and those that do not, and asks every ranking for
/// the place that is to blame. A third of the faults, by number, is only looked at with `--held-back`. `--real` plays
/// the faults of public trackers instead, all of them. `--list` prints each fault with its runs, `--runs` asks for so many runs
/// of each kind (4 unless given), `--misses` explains ten that were not found, and `--keep` leaves journals in a folder.
@main
enum StateBugs {
    static func main() throws {
        let arguments = CommandLine.arguments
        func value(_ option: String) -> String? {
            arguments.firstIndex(of: option).flatMap { $0 + 1 < arguments.count ? arguments[$0 + 1] : nil }
        }
        let isReal = arguments.contains("--real")
        let isListed = arguments.contains("--list")
        var measure = Measure(
            isHeldBack: isReal ? nil : arguments.contains("--held-back"), isListed: isListed,
            runs: value("--runs").flatMap { Int($0) } ?? 4, folder: value("--keep"))
        if isReal {
            for bug in RealBugs.all {
                if isListed { print("\(bug.name)\t\(bug.report)\t\(bug.fix)") }
                try measure.run(bug)
            }
        } else {
            try measure.run(Shop.self)
            try measure.run(Queue.self)
        }
        measure.report()
        if arguments.contains("--misses") { Miss.print(measure.misses) }
    }
}
