import Foundation

/// Measures whether any command costs more than its work on any shape of run, when that gets four times as long.
///
/// A cost is the processor's time of all threads, less that on a run of a few commits; the least of some counts, since other
/// programs can only add to it.
///
/// From some length on other threads read ahead, and a report has a second chunk: a step, which is no growth. So what is above the limit
/// is measured once more, on runs that are four times as long; what grows is above it there too.
struct GrowthBenchmark {
    /// By how much more than its work a command's cost may grow.
    private static let limit = 1.3
    /// Seconds below which a page fault more would be a difference.
    private static let least = 0.004

    let commits: Int
    /// The only commands and shapes to measure, by a part of their names; empty for all.
    var filter = ""
    private let counter = InstructionCount()
    private let folder = FileManager.default.temporaryDirectory.appending(path: "growth-\(getpid())")

    /// Prints each ratio; false where one is above the limit.
    func run() throws -> Bool {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        print("growth of cost beside that of work, from \(commits) to \(4 * commits) commits; at most \(Self.limit)\n")
        var above: [String] = []
        for shape in GrowthShape.allCases {
            let runs = try [8, commits, 4 * commits].map { try Journal(shape, $0, in: folder) }
            let work = max(4, Double(runs[2].bytes) / Double(runs[1].bytes))
            print("\(shape.rawValue), \(Figure.megabytes(runs[1].bytes)) and \(Figure.megabytes(runs[2].bytes))")
            for command in GrowthCommand.all where filter.isEmpty || "\(command.name) \(shape)".contains(filter) {
                if command.writesStates, shape.growsState { continue }
                var (ratio, costs) = try growth(of: command, runs, work)
                if ratio > Self.limit, costs[2] < 1 {
                    let longer = try Journal(shape, 16 * commits, in: folder)
                    let work = max(4, Double(longer.bytes) / Double(runs[2].bytes))
                    let (again, moreCosts) = try growth(of: command, [runs[0], runs[2], longer], work)
                    (ratio, costs) = (min(ratio, again), costs + moreCosts[2...])
                }
                let times = costs.map { Figure.milliseconds($0 * 1e9) }.joined(separator: ", ")
                let name = Figure.column(command.name, 22, right: false)
                print("  \(name) \(Figure.text(ratio)) of \(times)\(ratio > Self.limit ? ", above" : "")")
                if ratio > Self.limit { above.append("\(command.name), \(shape.rawValue): \(Figure.text(ratio))") }
            }
        }
        print(above.isEmpty ? "\nnone is above" : "\nabove \(Self.limit):\n\(above.joined(separator: "\n"))")
        return above.isEmpty
    }

    /// The growth of a command's cost beside that of its work, with the costs; what seems too much is measured again.
    private func growth(of command: GrowthCommand, _ runs: [Journal], _ work: Double) throws -> (Double, [Double]) {
        var costs = runs.map { _ in Double.infinity }
        var ratio = Double.infinity
        for round in 0..<9 where round < 2 || ratio > Self.limit {
            for (place, run) in runs.enumerated() {
                costs[place] = min(costs[place], try command.run(on: run.names).measured().processorTime)
            }
            ratio = (costs[2] - costs[0]) / max(Self.least, costs[1] - costs[0]) / work
            if costs[2] > 2 { break }
        }
        guard ratio > Self.limit, costs[2] < 1, let counter else { return (max(0, ratio), costs) }
        // Times of some milliseconds differ by chance, instructions hardly.
        let counts = try runs.map { Double(try counter.of(command.run(on: $0.names).words)) }
        return ((counts[2] - counts[0]) / (counts[1] - counts[0]) / work, costs)
    }

    /// A run, in a file.
    private struct Journal {
        /// What stands in command lines for it.
        let names: [String: String]
        let bytes: Int

        init(_ shape: GrowthShape, _ commits: Int, in folder: URL) throws {
            let text = shape.journal(commits)
            let path = folder.appending(path: "\(commits).jsonl").path
            let (copy, out) = (path + ".copy", path + ".out")
            for file in [path, copy] { try text.write(toFile: file, atomically: false, encoding: .utf8) }
            bytes = text.utf8.count
            names = ["J": path, "COPY": copy, "OUT": out, "LAST": "\(commits)", "ELEMENT": shape.element]
        }
    }
}

/// A command that reads a journal.
private struct GrowthCommand {
    let name: String
    /// Whether its answer has the whole state at each commit.
    let writesStates: Bool
    /// The words of its command line.
    ///
    /// `J` is the journal, `COPY` a copy of it, `LAST` its last commit but one, `ELEMENT` a place, `OUT` a file.
    private let line: [String]

    init(_ name: String, _ line: String..., writesStates: Bool = false) {
        (self.name, self.line, self.writesStates) = (name, line, writesStates)
    }

    func run(on names: [String: String]) -> CommandRun { CommandRun(["command"] + line.map { names[$0] ?? $0 }) }

    private static func check(_ name: String, _ query: String) -> GrowthCommand {
        GrowthCommand("check of \(name)", "check", "J", "--invariant", "x=\(query)")
    }

    static let all: [GrowthCommand] =
        ["verify", "info", "stats", "log", "state", "learn"].map { GrowthCommand($0, $0, "J") }
        + ["json-patch", "changes", "csv", "chrome-trace"].map { GrowthCommand("export \($0)", "export", $0, "J") }
        + ["redux-devtools", "itf"].map { GrowthCommand("export \($0)", "export", $0, "J", writesStates: true) }
        + ["bisect", "suspects", "minimize"].map { GrowthCommand($0, $0, "J", "--bad", ".a.n == 7") }
        + [
            check("all", "all(.a.items[]; .n >= 0)"),
            check("any", "any(.a.items[]; .n >= 0)"),
            check("sum", "([.a.items[].n] | add) != -1"),
            check("sum of fractions", "([.a.items[].n / 10] | add) != -1"),
            check("count", "(.a.items | length) >= 0"),
            check("$old", "(.a.items | length) - ($old.a.items | length) < 2"),
            GrowthCommand("repair", "verify", "J", "--repair", "OUT"),
            GrowthCommand("log --path", "log", "J", "--path", "ELEMENT"),
            GrowthCommand("history", "history", "J", "ELEMENT"),
            GrowthCommand("blame", "blame", "J", "/a"),
            GrowthCommand("replay --select", "replay", "J", "--select", ".a.n"),
            GrowthCommand("derived", "derived", "J", "--summary", "--define", "x=[.a.items[].n] | add"),
            GrowthCommand("diff", "diff", "J", "start", "end"),
            GrowthCommand("show", "show", "J", "LAST"),
            GrowthCommand("why", "why", "J", "LAST"),
            GrowthCommand("origin", "origin", "J", "/a/n"),
            GrowthCommand("grep", "grep", "J", "text"),
            GrowthCommand("export csv --select", "export", "csv", "J", "--select", ".a.n"),
            GrowthCommand("export swift-test", "export", "swift-test", "J", "--at", "end", "--store", "a"),
            GrowthCommand("slice", "slice", "J", "4..end"),
            GrowthCommand("merge", "merge", "J", "COPY"),
            GrowthCommand("redact", "redact", "J", "--path", "/a/n"),
            GrowthCommand("report", "report", "J", "-o", "OUT"),
        ]
}
