import Foundation
import JSONCore
import JournalFormat
import StateStore
import Synchronization

/// Many threads that commit to one store: how fast, and whether anybody sees two commits in another order than they were made.
struct ThreadsBenchmark {
    private static let threads = 8
    private static let commits = 20_000
    private let folder = FileManager.default.temporaryDirectory.appending(path: "benchmarks-\(getpid())")

    /// What hears or keeps the commits of a run.
    private enum Audience {
        case nobody, sink, queue
        case journal(Recorder.Durability)
    }

    func run() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        print("\(Self.threads) threads × \(Self.commits) commits of a scalar")
        measureLock()
        try measure("nobody listens", .nobody)
        try measure("a sink", .sink)
        try measure("a sink on a queue", .queue)
        try measure("a journal, synchronous, and a sink", .journal(.synchronous))
        try measure(
            "a journal, in the background, and a sink", .journal(.background))
        print("peak memory \(Figure.megabytes(ProcessUsage.peakMemory))")
    }

    /// How many commits a second all threads make together that are journaled before they return.
    func journaledRate() throws -> Double {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let recorder = try makeRecorder(folder.appending(path: "threads.jsonl").path, .synchronous)
        defer { recorder.close() }
        let store = Store(DictionaryState(100), name: "store", recorder: recorder)
        var samples = Samples()
        samples.measure {
            onThreads { for _ in 0..<Self.commits { store.commit { $0.count += 1 } } }
        }
        return Double(Self.threads * Self.commits) * 1e9 / samples.median
    }

    private func measure(_ name: String, _ audience: Audience) throws {
        let path = folder.appending(path: "threads.jsonl").path
        var recorder: Recorder?
        if case .journal(let durability) = audience { recorder = try makeRecorder(path, durability) }
        let store = Store(DictionaryState(100), name: "store", recorder: recorder)
        let watch = OrderWatch()
        let subscription = subscribe(to: store, audience, watch)
        var samples = Samples()
        let latencies = Mutex(Samples())
        samples.measure {
            onThreads {
                var own = Samples()
                for _ in 0..<Self.commits { own.measure { store.commit { $0.count += 1 } } }
                latencies.withLock { $0.append(own) }
            }
            if subscription != nil { watch.wait(for: Self.threads * Self.commits) }
            recorder?.close()
        }
        subscription?.cancel()
        guard store.version == Self.threads * Self.commits, store.state.count == store.version else {
            throw ThreadsBenchmarkError.lost(store.version)
        }
        if recorder != nil { try verify(path) }
        let inversions = subscription == nil ? "" : ", \(watch.inversions) inversions at the sink"
        show(name, samples, latencies.withLock { LatencyText.text($0) } + inversions)
        if watch.inversions > 0 { throw ThreadsBenchmarkError.inverted(watch.inversions) }
    }

    /// What the threads wait for one another with nothing but a lock and a copy.
    private func measureLock() {
        let locked = LockedState(DictionaryState(100))
        var samples = Samples()
        samples.measure {
            onThreads { for _ in 0..<Self.commits { locked.change { $0.count += 1 } } }
        }
        show("Mutex and one copy, no store", samples)
    }

    private func show(_ name: String, _ samples: Samples, _ note: String = "") {
        let rate = Double(Self.threads * Self.commits) * 1e9 / samples.median
        print("  " + Figure.column(name, 42, right: false), Figure.column(Figure.text(rate), 9), "commits/s" + note)
    }

    private func makeRecorder(_ path: String, _ durability: Recorder.Durability) throws -> Recorder {
        var options = Recorder.Options()
        options.replacesFile = true
        return try Recorder(path, durability: durability, options: options)
    }

    private func subscribe(
        to store: Store<DictionaryState>, _ audience: Audience, _ watch: OrderWatch
    ) -> Subscription? {
        switch audience {
        case .nobody: nil
        case .sink, .journal:
            store.subscribe(initially: false) { watch.see($0.version, previous: $0.previous?.version) }
        case .queue:
            store.subscribe(on: .queue(DispatchQueue(label: "sink")), initially: false) {
                watch.see($0.version, previous: $0.previous?.version)
            }
        }
    }

    private func onThreads(_ body: @escaping @Sendable () -> Void) {
        let group = DispatchGroup()
        for _ in 0..<Self.threads {
            group.enter()
            Thread.detachNewThread {
                body()
                group.leave()
            }
        }
        group.wait()
    }

    /// Looks for a commit of the journal that is not the next one, or does not begin where the one before ended.
    private func verify(_ path: String) throws {
        var count = 0
        for line in try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
        where line.contains(#""kind":"commit""#) {
            count += 1
            let change = #""patch":[{"op":"replace","path":"/count","value":\#(count),"old":\#(count - 1)}]"#
            guard line.hasPrefix(#"{"seq":\#(count),"#), line.contains(#""version":\#(count),"#), line.contains(change)
            else { throw ThreadsBenchmarkError.outOfOrder(String(line)) }
        }
        guard count == Self.threads * Self.commits else { throw ThreadsBenchmarkError.lost(count) }
    }
}

/// How long single commits took, in words.
private enum LatencyText {
    static func text(_ samples: Samples) -> String {
        ", p50 \(Figure.microseconds(samples.median)), p99 \(Figure.microseconds(samples.percentile(0.99)))"
    }
}

enum ThreadsBenchmarkError: Error {
    case lost(Int)
    case inverted(Int)
    case outOfOrder(String)
}

/// Watches the versions that come to a sink.
private final class OrderWatch: Sendable {
    private let seen = Mutex((last: 0, inversions: 0))

    var inversions: Int { seen.withLock(\.inversions) }

    func see(_ version: Int, previous: Int?) {
        seen.withLock { seen in
            if version != seen.last + 1 || previous != seen.last { seen.inversions += 1 }
            seen.last = version
        }
    }

    /// Returns when a version has come: who commits last may return before another thread has delivered.
    func wait(for version: Int) {
        while seen.withLock(\.last) < version { Thread.sleep(forTimeInterval: 0.0001) }
    }
}
