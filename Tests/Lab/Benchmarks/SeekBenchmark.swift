import JSONCore
import JournalFormat
import JournalReading
import TestSupport
import TimeTravel

/// The state at random positions, from nothing each time.
struct SeekBenchmark {
    private static let rounds = 200

    private let path: String

    init(_ path: String) { self.path = path }

    func run() throws {
        let end = try Journal.open(path, access: .random).position(.end(minus: 0))
        var random = SeededGenerator(seed: 3)
        var samples = Samples()
        var members = 0
        for _ in 0..<SeekBenchmark.rounds {
            let position = CommitNumber(Int.random(in: 0...end.rawValue, using: &random))
            try samples.measure {
                let journal = try Journal.open(path, access: .random)
                members += try journal.state(at: position).stores.count
            }
        }
        print("\(samples.count) positions of \(end.rawValue), \(members) stores")
        print("state  p50 \(Figure.milliseconds(samples.median))  p99 \(Figure.milliseconds(samples.percentile(0.99)))")
        print("peak memory \(Figure.megabytes(ProcessUsage.peakMemory))")
    }
}
