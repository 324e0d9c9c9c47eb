import JournalFormat
import JournalReading
import StateStore

/// Makes a large journal through a store and a recorder, as an app does, and prints how fast that was.
struct JournalBenchmark {
    let commits: Int

    func run(_ path: String) throws {
        var options = Recorder.Options()
        options.replacesFile = true
        options.id = "benchmark"
        options.app = "Benchmarks"
        let recorder = try Recorder(path, options: options)
        let store = Store(ShopState(), name: "shop", recorder: recorder)
        var traffic = ShopTraffic(store, commits: commits)
        var samples = Samples()
        samples.measure {
            for number in 1...commits { traffic.commit(number) }
        }
        recorder.close()
        let bytes = try Journal.open(path, access: .random).byteCount ?? 0
        print("\(commits) commits, \(Figure.megabytes(bytes)), \(bytes / commits) bytes a commit")
        print("\(Figure.text(Double(commits) * 1e9 / samples.median)) commits/s, \(Figure.rate(bytes, samples.median))")
        print("/cart/total is negative from commit \(traffic.discountAt) on")
        print("peak memory \(Figure.megabytes(ProcessUsage.peakMemory))")
    }
}
