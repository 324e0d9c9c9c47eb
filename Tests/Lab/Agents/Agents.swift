import Foundation
import TestSupport

/// Counts what it takes to get from a question to the guilty line: `Agents [--quick] [--list] [--one-question]`.
///
/// It plays forty faults of `StateBugs`, and asks the program that was built with it what a person or a model would ask. With
/// `--quick` it plays every eighth, with `--list` it prints each with its calls, and with `--one-question` the line that `bisect`
/// names is not read. The status is 1 where the targets are missed.
@main
enum Agents {
    /// Of the faults that are not held back and show, by their numbers, forty at even distances.
    private static let numbers = [
        2, 10, 16, 32, 40, 44, 64, 70, 79, 83, 91, 95, 100, 107, 113, 119, 127, 133, 137, 143, 148, 158, 164, 172, 178,
        185, 191, 197, 206, 211, 215, 229, 233, 241, 251, 256, 260, 266, 271, 275,
    ]

    static func main() throws {
        let arguments = CommandLine.arguments
        let products = URL(fileURLWithPath: arguments[0]).deletingLastPathComponent()
        func product(_ name: String) -> String { products.appendingPathComponent(name).path }
        let folder = TemporaryFolder()
        let chosen =
            arguments.contains("--quick") ? numbers.enumerated().filter { $0.offset % 8 == 0 }.map(\.element) : numbers
        let runs = try FailingRun.played(chosen, by: product("StateBugs"), in: folder)
        let program = Program(product("state-inspect"), in: folder)
        var isHeld = true
        for isAlone in [true, false] {
            let way = Investigation.Way(isAlone: isAlone, asksCloser: !arguments.contains("--one-question"))
            let evaluation = try Evaluation(runs, way, program)
            if arguments.contains("--list") { evaluation.list() }
            evaluation.report()
            isHeld = isHeld && evaluation.isHeld
        }
        withExtendedLifetime(folder) {}
        if !isHeld { exit(1) }
    }
}
