import TestSupport

/// What queries without end take until a limit ends them, each in a process of its own.
///
/// None may keep a processor busy for over ten seconds, or hold over 600 MiB, of which the program has its part.
struct HostileBenchmark {
    /// Only queries with this in them; nil for all.
    let filter: String?

    private static let mostSeconds = 10.0
    private static let mostMemory = 600 << 20

    /// Queries that kept a processor busy for too long or held too much.
    struct OverBound: Error {
        var queries: [String]
    }

    /// Prints a line for each as it is measured, then the ten that took longest and the ten that held most.
    ///
    /// - Throws: ``OverBound`` where one is over the bounds, or did not end by itself.
    func run() throws {
        var rows: [(query: String, seconds: Double, memory: Int, status: Int32)] = []
        for query in HostileQuery.endless + HostileQuery.all.map(\.endless) where filter.map(query.contains) ?? true {
            let result = try Self.run(query).measured(statuses: 0...255)
            rows.append((query, result.processorTime, result.peakMemory, result.status))
            print(Self.line(rows[rows.count - 1]))
        }
        print("\nthe longest")
        for row in rows.sorted(by: { $0.seconds > $1.seconds }).prefix(10) { print(Self.line(row)) }
        print("\nthe most memory")
        for row in rows.sorted(by: { $0.memory > $1.memory }).prefix(10) { print(Self.line(row)) }
        let over = rows.filter { $0.seconds > Self.mostSeconds || $0.memory > Self.mostMemory || $0.status >= 128 }
        if !over.isEmpty { throw OverBound(queries: over.map(\.query)) }
    }

    /// A query in a process of its own, which the system ends after a minute of a processor's time.
    private static func run(_ query: String) -> CommandRun {
        let words = CommandRun(["command", "query", "-n", query]).words
        return CommandRun(["-c", "ulimit -t 60; exec \"$0\" \"$@\""] + words, program: "/bin/sh")
    }

    private static func line(_ row: (query: String, seconds: Double, memory: Int, status: Int32)) -> String {
        let query = row.query.count > 90 ? row.query.prefix(87) + "..." : row.query[...]
        return Figure.column(Figure.text(row.seconds) + " s", 9) + Figure.column(Figure.megabytes(row.memory), 10)
            + Figure.column("\(row.status)", 5) + "  " + query
    }
}
