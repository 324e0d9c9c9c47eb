import StateStore
import Synchronization

/// One commit of a state with 0, 1, 10 and 100 derived values, of which it touches none, one or all, beside the same work
/// written out by hand: a lock, a comparison of each input, the transforms of those that differ.
struct DerivedBenchmark {
    private static let counts = [0, 1, 10, 100]
    private static let rounds = 3_000
    /// The clock costs as much as a short commit: so many are measured at a time.
    private static let batch = 20

    func run() {
        print("a commit with derived values, no recorder: median, and by hand")
        for count in DerivedBenchmark.counts {
            measure(count, "none", Commits.none)
            if count > 0 { measure(count, "one", Commits.one) }
            if count > 1 { measure(count, "all", Commits.all) }
        }
        chain(100)
        overStores()
    }

    private func measure(_ count: Int, _ touched: String, _ commit: @escaping @Sendable (inout Wide) -> Void) {
        let store = Store(Wide(), name: "wide", recorder: nil)
        let derived = (0..<count).map { place in
            store.derived(place == 0 ? \.single : Wide.paths[place % Wide.paths.count], \.shared, named: "d\(place)") {
                $0 &+ $1
            }
        }
        for value in derived { _ = value.value }
        let hand = HandMade(count)
        var (commits, byHand) = (Samples(), Samples())
        for _ in 0..<DerivedBenchmark.rounds {
            commits.measure(batch: DerivedBenchmark.batch) {
                for _ in 0..<DerivedBenchmark.batch { store.commit { commit(&$0) } }
            }
            byHand.measure(batch: DerivedBenchmark.batch) {
                for _ in 0..<DerivedBenchmark.batch { hand.change(commit) }
            }
        }
        withExtendedLifetime(derived) {}  // what nobody holds is not kept up to date
        report("\(count) derived values, \(touched) touched", commits, byHand)
    }

    /// Values that read each other, one behind the other.
    private func chain(_ length: Int) {
        let store = Store(Wide(), name: "wide", recorder: nil)
        var last = store.derived(\.single, named: "first") { $0 &+ 1 }
        for place in 1..<length { last = last.derived(named: "c\(place)") { $0 &+ 1 } }
        _ = last.value
        var samples = Samples()
        for _ in 0..<DerivedBenchmark.rounds { samples.measure { store.commit { $0.single &+= 1 } } }
        withExtendedLifetime(last) {}
        report("a chain of \(length), all touched", samples, nil)
    }

    /// One value over two stores.
    private func overStores() {
        let (first, second) = (Store(Wide(), recorder: nil), Store(Wide(), recorder: nil))
        let sum = Derived(first[\.single], second[\.single], named: "sum") { $0 &+ $1 }
        _ = sum.value
        var samples = Samples()
        for _ in 0..<DerivedBenchmark.rounds {
            samples.measure(batch: DerivedBenchmark.batch) {
                for _ in 0..<DerivedBenchmark.batch { first.commit { $0.single &+= 1 } }
            }
        }
        withExtendedLifetime(sum) {}
        report("one over two stores, touched", samples, nil)
    }

    private func report(_ name: String, _ commits: Samples, _ byHand: Samples?) {
        var line = Figure.column(name, 36, right: false) + Figure.column(Figure.microseconds(commits.median), 12)
        if let byHand {
            line += Figure.column(Figure.microseconds(byHand.median), 12)
            line += Figure.column(Figure.text(commits.median / max(byHand.median, 1)) + "×", 9)
        }
        print(line)
    }
}

/// The commits that are measured.
private enum Commits {
    static let none: @Sendable (inout Wide) -> Void = { $0.unread &+= 1 }
    static let one: @Sendable (inout Wide) -> Void = { $0.single &+= 1 }
    static let all: @Sendable (inout Wide) -> Void = { $0.shared &+= 1 }
}

/// A state as apps have them: some numbers, some lists.
private struct Wide: Codable, Equatable, Sendable {
    var unread = 0
    var single = 0
    var shared = 0
    var (a, b, c, d, e) = (1, 2, 3, 4, 5)
    var title = "a title that is longer than a small string"
    var items = Array(0..<100)
    var users = [1: "Ann", 2: "Bob"]

    static let paths: [any KeyPath<Wide, Int> & Sendable] = [\.a, \.b, \.c, \.d, \.e]
}

/// The same by hand.
private final class HandMade: Sendable {
    private struct Content: Sendable {
        var state = Wide()
        var values: [Value]
    }

    private struct Value: Sendable {
        var path: any KeyPath<Wide, Int> & Sendable
        var first: Int?
        var shared = 0
        var output = 0
    }

    private let content: Mutex<Content>

    init(_ count: Int) {
        let values = (0..<count).map { place in
            Value(path: place == 0 ? \.single : Wide.paths[place % Wide.paths.count])
        }
        content = Mutex(Content(values: values))
    }

    func change(_ body: (inout Wide) -> Void) {
        content.withLock { content in
            body(&content.state)
            for place in content.values.indices {
                let first = content.state[keyPath: content.values[place].path]
                let shared = content.state.shared
                if content.values[place].first == first, content.values[place].shared == shared { continue }
                content.values[place].first = first
                content.values[place].shared = shared
                content.values[place].output = first &+ shared
            }
        }
    }
}
