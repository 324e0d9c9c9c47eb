import Foundation
import StateStore
import Synchronization

/// The ways to change one state and tell others of it, taken in turns, so that each has the machine in the same mood.
struct CommitContest<State: EntityState> {
    /// The clock costs as much as a lock and a copy: those are measured so many at a time.
    private static var batch: Int { 50 }

    private let locked: LockedState<State>
    private let plain: Store<State>
    private let heard: Store<State>
    private let journaled: Store<State>
    private let subscription: Subscription
    private let whole: WholeEncoding<State>
    private var figures: [(name: String, samples: Samples)] = []

    init(_ state: State, recorder: Recorder) {
        locked = LockedState(state)
        plain = Store(state, name: "plain", recorder: nil)
        heard = Store(state, name: "heard", recorder: nil)
        subscription = heard.subscribe(initially: false) { _ in }
        journaled = Store(state, name: "journaled", recorder: recorder)
        whole = WholeEncoding(state)
    }

    /// Measures each way in turns.
    mutating func run(rounds: Int) throws {
        runScalars(rounds)
        runEntities(rounds)
        try runWholeEncodings()
    }

    private mutating func runScalars(_ rounds: Int) {
        let batch = CommitContest.batch
        var (lock, store, sink, journal) = (Samples(), Samples(), Samples(), Samples())
        for _ in 0..<rounds {
            lock.measure(batch: batch) { for _ in 0..<batch { locked.change { $0.count += 1 } } }
            store.measure(batch: batch) { for _ in 0..<batch { plain.commit { $0.count += 1 } } }
            sink.measure(batch: batch) { for _ in 0..<batch { heard.commit { $0.count += 1 } } }
            journal.measure { journaled.commit { $0.count += 1 } }
        }
        figures += [
            ("a scalar: Mutex and one copy", lock), ("a scalar: commit, no recorder", store),
            ("a scalar: commit, one subscriber", sink), ("a scalar: commit, journaled", journal),
        ]
    }

    private mutating func runEntities(_ rounds: Int) {
        var (lock, store, journal) = (Samples(), Samples(), Samples())
        for round in 0..<rounds {
            lock.measure { locked.change { $0.edit(round) } }
            store.measure { plain.commit { $0.edit(round) } }
            journal.measure { journaled.commit { $0.edit(round) } }
        }
        figures += [
            ("an entity: Mutex and one copy", lock), ("an entity: commit, no recorder", store),
            ("an entity: commit, journaled", journal),
        ]
    }

    private mutating func runWholeEncodings() throws {
        var (encoding, mirror) = (Samples(), Samples())
        let clock = ContinuousClock()
        let end = clock.now + .seconds(1)
        repeat {
            try encoding.measure { try whole.encode() }
            mirror.measure { whole.reflect() }
        } while encoding.count < 100 && clock.now < end
        figures += [("a scalar: JSONEncoder, whole state", encoding), ("a scalar: Mirror, whole state", mirror)]
    }

    /// Prints a line for each, with its ratio to the lock and the copy.
    func printFigures() {
        let scalar = figures.first?.samples.median ?? 1
        let entity = figures.first { $0.name.hasPrefix("an entity") }?.samples.median ?? 1
        for (name, samples) in figures {
            let ratio = samples.median / (name.hasPrefix("an entity") ? entity : scalar)
            print(
                "  " + Figure.column(name, 36, right: false),
                "p50 " + Figure.column(Figure.microseconds(samples.median), 11),
                "p99 " + Figure.column(Figure.microseconds(samples.percentile(0.99)), 11),
                Figure.column(Figure.text(ratio), 9) + "×")
        }
    }
}

/// A state under a lock, of which a copy is taken after each change: the least that a store can do.
final class LockedState<State: Sendable>: Sendable {
    private struct Pair: Sendable {
        var state: State
        var published: State
    }

    private let pair: Mutex<Pair>

    init(_ state: State) { pair = Mutex(Pair(state: state, published: state)) }

    @inline(never)
    func change(_ body: (inout State) -> Void) {
        pair.withLock { pair in
            body(&pair.state)
            pair.published = pair.state
        }
    }
}

/// What tools do that know nothing of what changed: the whole state, each time.
final class WholeEncoding<State: EntityState> {
    private var state: State
    private let encoder = JSONEncoder()
    private var bytes = 0

    init(_ state: State) { self.state = state }

    func encode() throws {
        state.count += 1
        bytes += try encoder.encode(state).count
    }

    func reflect() {
        state.count += 1
        bytes += WholeEncoding.visit(state)
    }

    private static func visit(_ value: Any) -> Int {
        var count = 1
        for child in Mirror(reflecting: value).children { count += visit(child.value) }
        return count
    }
}
