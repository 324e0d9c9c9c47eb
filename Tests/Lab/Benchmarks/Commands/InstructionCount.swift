import Foundation

/// Counts the instructions that a program executes: the same from run to run where times are not, so that two builds can be
/// compared on a machine that others use too.
struct InstructionCount {
    /// What counts them.
    private enum Counter: String {
        /// The processor, where the kernel lets it be asked.
        case perf
        /// An interpreter of the program, some fifty times as slow.
        case valgrind
    }

    private let counter: Counter
    private let path: String

    /// The quickest counter that is installed and can count here; nil for none.
    init?() {
        for counter in [Counter.perf, .valgrind] {
            guard let path = CommandRun.program(counter.rawValue) else { continue }
            let count = InstructionCount(counter: counter, path: path)
            guard let nothing = CommandRun.program("true"), (try? count.of([nothing])) != nil else { continue }
            self = count
            return
        }
        return nil
    }

    private init(counter: Counter, path: String) {
        self.counter = counter
        self.path = path
    }

    /// What counts them, by its name.
    var name: String { counter.rawValue }

    /// The instructions of one run, in all of its threads.
    ///
    /// - Parameter words: the program's path and its arguments.
    /// - Throws: what a run that cannot be made throws, and where the counter does not say.
    func of(_ words: [String]) throws -> Int {
        let report = FileManager.default.temporaryDirectory.appending(path: "instructions-\(getpid())").path
        defer { try? FileManager.default.removeItem(atPath: report) }
        let options =
            switch counter {
            case .perf: ["stat", "-x,", "-e", "instructions:u", "-o", report, "--"]
            case .valgrind:
                ["--tool=callgrind", "--callgrind-out-file=/dev/null", "--log-file=\(report)"]
            }
        _ = try CommandRun(options + words, program: path).measured()
        let text = try String(contentsOfFile: report, encoding: .utf8)
        guard let count = counted(text) else { throw CommandRun.Failure.ended(status: 0, words) }
        return count
    }

    private func counted(_ report: String) -> Int? {
        switch counter {
        // A line of values; the first is the count, or says that there is none.
        case .perf:
            report.split(separator: "\n").first { $0.contains(",instructions") }
                .flatMap { $0.split(separator: ",").first.flatMap { Int($0) } }
        // `==17== Collected : 283597270`
        case .valgrind:
            report.split(separator: "\n").first { $0.contains("Collected :") }
                .flatMap { $0.split(separator: " ").last.flatMap { Int($0) } }
        }
    }
}
