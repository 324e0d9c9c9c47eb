/// Measures how well faults are found: `StateBugs [--held-back] [--list] [--runs N] [--keep FOLDER]`.
///
/// It plays two apps with one fault at a time, keeps the runs that show it and those that do not, and asks every ranking for
/// the place that is to blame. A third of the faults, by number, is only looked at with `--held-back`. `--list` prints each
/// fault with its runs, `--runs` asks for so many runs of each kind (4 unless given), and `--keep` leaves their journals in a folder.
@main
enum StateBugs {
    static func main() throws {
        let arguments = CommandLine.arguments
        func value(_ option: String) -> String? {
            arguments.firstIndex(of: option).flatMap { $0 + 1 < arguments.count ? arguments[$0 + 1] : nil }
        }
        var measure = Measure(
            isHeldBack: arguments.contains("--held-back"), isListed: arguments.contains("--list"),
            runs: value("--runs").flatMap { Int($0) } ?? 4, folder: value("--keep"))
        try measure.run(Shop.self)
        try measure.run(Queue.self)
        measure.report()
    }
}
