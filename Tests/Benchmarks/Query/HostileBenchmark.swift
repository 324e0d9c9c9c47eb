import TestSupport

/// What queries without end take until a limit ends them, each in a process of its own.
///
/// None should keep a processor busy for over ten seconds, or hold over a gigabyte.
struct HostileBenchmark {
    /// Only queries with this in them; nil for all.
    let filter: String?

    /// Prints a line for each as it is measured, then the ten that took longest and the ten that held most.
    func run() throws {
        var rows: [(query: String, seconds: Double, memory: Int, status: Int32)] = []
        for query in HostileQuery.endless + HostileQuery.all.map(\.endless) where filter.map(query.contains) ?? true {
            let result = try CommandRun(["command", "query", "-n", query]).measured(statuses: 0...255)
            rows.append((query, result.processorTime, result.peakMemory, result.status))
            print(Self.line(rows[rows.count - 1]))
        }
        print("\nthe longest")
        for row in rows.sorted(by: { $0.seconds > $1.seconds }).prefix(10) { print(Self.line(row)) }
        print("\nthe most memory")
        for row in rows.sorted(by: { $0.memory > $1.memory }).prefix(10) { print(Self.line(row)) }
    }

    private static func line(_ row: (query: String, seconds: Double, memory: Int, status: Int32)) -> String {
        let query = row.query.count > 90 ? row.query.prefix(87) + "..." : row.query[...]
        return Figure.column(Figure.text(row.seconds) + " s", 9) + Figure.column(Figure.megabytes(row.memory), 10)
            + Figure.column("\(row.status)", 5) + "  " + query
    }
}
