import Foundation
import JournalFormat
import StateStore

/// What comes and goes in a run of days: whether the millionth costs what the first did, and leaves nothing behind.
struct LifetimeBenchmark {
    let count: Int
    private let folder = FileManager.default.temporaryDirectory.appending(path: "lifetimes-\(getpid())")

    func run() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        print(
            "\(count) of each made and dropped, under a limit of 1 MB; microseconds each in the first, middle and last tenth"
        )
        try measure("derived values, read once") { store, recorder, number in
            let value = store.derived("badge", \.count) { $0 + 1 }
            return value.value
        }
        try measure("derived values of many names") { store, recorder, number in
            let value = store.derived("badge\(number)", \.count) { $0 + 1 }
            return value.value
        }
        try measure("stores") { _, recorder, number in
            Store(DictionaryState(0), name: "short", recorder: recorder).version
        }
        try measure("subscriptions") { store, _, _ in
            store.subscribe(initially: false) { _ in }.cancel()
            return 0
        }
        try measure("subscriptions of a derived value") { store, _, _ in
            let value = store.derived("total", \.count) { $0 * 2 }
            value.subscribe { _ in }.cancel()
            return 0
        }
        try measureDropping()
    }

    private func measure(
        _ name: String, _ body: (Store<DictionaryState>, Recorder, Int) -> Int
    ) throws {
        let path = folder.appending(path: "\(name.count).jsonl").path
        let recorder = try Recorder(path, limit: 1 << 20)
        let store = Store(DictionaryState(0), name: "store", recorder: recorder)
        let before = ProcessUsage.residentMemory
        var tenths: [Double] = []
        var sum = 0
        for tenth in 0..<10 {
            var samples = Samples()
            samples.measure(batch: max(count / 10, 1)) {
                for number in 0..<(count / 10) { sum &+= body(store, recorder, tenth * (count / 10) + number) }
            }
            tenths.append(samples.median / 1_000)
        }
        let grown = ProcessUsage.residentMemory - before
        recorder.close()
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        let size = files.reduce(0) { sum, file in
            sum + ((try? Data(contentsOf: folder.appending(path: file)).count) ?? 0)
        }
        for file in files { try? FileManager.default.removeItem(at: folder.appending(path: file)) }
        let figures = [tenths[0], tenths[5], tenths[9]].map { String(format: "%.2f", $0) }.joined(separator: "  ")
        print("\(name): \(figures) µs; memory grew by \(grown >> 10) KB, journal \(size >> 10) KB (\(sum & 1))")
    }

    /// Ends subscriptions out of many, in an order that suits no list.
    private func measureDropping() throws {
        for many in [100, 8_000, 64_000] {
            let store = Store(DictionaryState(0), name: "store", recorder: nil)
            var links = (0..<many).map { _ in store.subscribe(initially: false) { _ in } }
            links.shuffle()
            var samples = Samples()
            samples.measure(batch: many) { links.removeAll() }
            print("one of \(many) subscriptions dropped: \(String(format: "%.3f", samples.median / 1_000)) µs")
        }
    }
}
