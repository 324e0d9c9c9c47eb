import CommandLine
import StateInspectCLI

/// Prints how long things take, and beside each what it is to be compared with, measured in the same run.
///
/// These are figures to read, never tests: build them with `-c release`, run them more than once, and compare the ratios.
@main
struct Benchmarks {
    private static let usage = """
        usage: Benchmarks                           the table of LongRuns.md, of a journal that it makes
               Benchmarks journal PATH [COMMITS]   make a large journal by a store and a recorder
               Benchmarks commit                   a commit beside a lock, a copy and whole encodings
               Benchmarks costs [PART]             what commits, deliveries and recordings execute, by part of a name
               Benchmarks threads                  commits of eight threads at once, and their order
               Benchmarks entities                 commits of entity tables, and the tables beside dictionaries
               Benchmarks shapes [EDIT]            each kind of edit of a list and a dictionary beside its copy
               Benchmarks derived                  a commit with derived values beside the same by hand
               Benchmarks lifetimes [COUNT [ROW]]  derived values, stores, models, requests … made and dropped
               Benchmarks commands [COMMITS [SHAPE]]
                                                   commands on journals of several shapes beside wc, rg, jq, orjson
               Benchmarks instructions [COMMITS [SHAPE]]
                                                   what the same commands execute, where perf or valgrind can tell
               Benchmarks growth [COMMITS [PART]]  what each command costs on runs of 15 shapes that grow, beside its work
               Benchmarks pass PATH [QUERY]        a bisecting pass beside a count of lines
               Benchmarks seek PATH                the state at random positions
               Benchmarks json PATH                parsing and writing every line
               Benchmarks hostile [TEXT]           what queries without end take until a limit ends them, the worst last
               Benchmarks query [CASE [JQ...]]     evaluations beside the jq on PATH, or others; '' is every case
        """

    static func main() {
        let arguments = Array(CommandLine.arguments.dropFirst())
        do {
            if try !run(arguments) {
                print(usage)
                exitProgram(2)
            }
        } catch {
            print("Benchmarks: \(error)")
            exitProgram(1)
        }
    }

    /// Runs what the arguments name; false where they name nothing.
    private static func run(_ arguments: [String]) throws -> Bool {
        if arguments.isEmpty {
            try SpeedTable().run()
            return true
        }
        if arguments.first == "command" { Program.main(StateInspect.commands, Array(arguments.dropFirst())) }
        if arguments.first == "query" {
            let rivals = Array(arguments.dropFirst(2))
            let filter = arguments.count > 1 ? arguments[1] : ""
            try QueryBenchmark(rivals: rivals.isEmpty ? ["jq"] : rivals, filter: filter.isEmpty ? nil : filter).run()
            return true
        }
        let path = arguments.count > 1 ? arguments[1] : nil
        let third = arguments.count > 2 ? arguments[2] : nil
        switch (arguments.first, path) {
        case ("journal", let path?):
            guard let commits = Int(third ?? "1000000"), commits > 0 else { return false }
            try JournalBenchmark(commits: commits).run(path)
        case ("commit", nil): try CommitBenchmark().run()
        case ("costs", let part): try CostsBenchmark(filter: part ?? "").run()
        case ("cost", let place?):
            guard let place = Int(place), CommitCost.allCases.indices.contains(place) else { return false }
            try CommitCost.allCases[place].run(Int(third ?? "") ?? 1)
        case ("threads", nil): try ThreadsBenchmark().run()
        case ("entities", nil): try EntitiesBenchmark().run()
        case ("shapes", let edit): try ShapesBenchmark(edit: edit).run()
        case ("derived", nil): DerivedBenchmark().run()
        case ("lifetimes", let count):
            guard let count = Int(count ?? "1000000"), count > 0 else { return false }
            try LifetimeBenchmark(count: count, filter: third ?? "").run()
        case ("commands", let count), ("instructions", let count):
            let isCounted = arguments.first == "instructions"
            guard let count = Int(count ?? (isCounted ? "20000" : "200000")), count > 0 else { return false }
            let shape = third.flatMap(JournalShape.init)
            guard (third == nil) == (shape == nil) else { return false }
            let benchmark = CommandsBenchmark(commits: count, shape: shape)
            if isCounted { try benchmark.countInstructions() } else { try benchmark.run() }
        case ("growth", let count):
            guard let count = Int(count ?? "1000"), count > 0 else { return false }
            if try !GrowthBenchmark(commits: count, filter: third ?? "").run() { exitProgram(1) }
        case ("pass", let path?): try PassBenchmark(path).run(third ?? ".shop.cart.total < 0")
        case ("seek", let path?): try SeekBenchmark(path).run()
        case ("hostile", let text): try HostileBenchmark(filter: text).run()
        case ("json", let path?): try JSONBenchmark(path).run()
        default: return false
        }
        return true
    }
}
