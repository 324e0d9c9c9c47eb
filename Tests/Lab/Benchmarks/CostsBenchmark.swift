import Foundation
import JournalFormat
import StateStore

/// Counts the instructions of each way to change a state and to notify others of it, beside a lock and a copy.
///
/// A count is the difference of two runs of different lengths, so that what a process does before and after is not in it. Each is
/// a process of its own, which runs one ``CommitCost``.
struct CostsBenchmark {
    /// The only costs to count, by a part of their names.
    var filter = ""

    func run() throws {
        guard let counter = InstructionCount() else {
            print("neither perf(1) nor valgrind(1) can count instructions here")
            return
        }
        print("instructions as \(counter.name) counts them, in all threads\n")
        print("| what | each | beside a lock and a copy |\n| --- | --- | --- |")
        let base = try count(.lock, counter)
        for cost in CommitCost.allCases where filter.isEmpty || cost.rawValue.contains(filter) {
            let each = try count(cost, counter)
            print("| \(cost.rawValue) | \(Figure.text(each)) | \(Figure.text(each / base))× |")
        }
    }

    private func count(_ cost: CommitCost, _ counter: InstructionCount) throws -> Double {
        let (few, many) = cost.counts
        let counts = try [few, many].map { try counter.of(CommitCost.run(cost, $0).words) }
        return Double(counts[1] - counts[0]) / Double(many - few)
    }
}

/// Something of which the cost is counted.
enum CommitCost: String, CaseIterable {
    case lock = "a Mutex and one copy"
    case plain = "a commit"
    case unheard = "a commit, its subscriber gone"
    case read = "a read"
    case subscriber = "a commit, one subscriber"
    case subscribers = "a commit, ten subscribers"
    case selection = "a commit, a selection that stays equal"
    case derived = "a commit, a derived value with a subscriber"
    case recorded = "a recorded commit"
    case path = "a recorded commit, a path redacted"
    case keyPath = "a recorded commit, a key path redacted"
    case elements = "a recorded commit, a key path of a list's elements redacted"
    case watched = "a recorded commit beside eight derived values"
    case watchedPath = "a recorded commit beside eight derived values, a path redacted"
    case watchedKeyPath = "a recorded commit beside eight derived values, a key path redacted"
    case recordedDerived = "a recorded commit, a derived value with a subscriber"
    case background = "a commit recorded in the background"
    case backgroundDerived = "a commit recorded in the background, a derived value with a subscriber"
    case store = "a store, made and dropped"
    case recordedStore = "a recorded store, made and dropped"
    case droppedStore = "a recorded store, made and dropped among 4,000"
    case array = "opening a recorded array of 10,000"
    case dictionary = "opening a recorded dictionary of 10,000"
    case table = "opening a recorded entity table of 10,000"

    /// How often it is done in the two runs.
    var counts: (few: Int, many: Int) {
        switch self {
        case .array, .dictionary, .table: (1, 3)
        case .droppedStore: (4_000, 8_000)
        case .store, .recordedStore: (500, 2_500)
        default: (500, 4_500)
        }
    }

    /// The run of a process that does it so many times.
    static func run(_ cost: CommitCost, _ count: Int) -> CommandRun {
        let place = CommitCost.allCases.firstIndex(of: cost) ?? 0
        return CommandRun(["cost", "\(place)", "\(count)"])
    }

    /// Does it so many times, in a journal that is then removed.
    func run(_ count: Int) throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "costs-\(getpid()).jsonl").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        switch self {
        case .lock:
            let locked = LockedState(CostState())
            for _ in 0..<count { locked.change { $0.count &+= 1 } }
        case .plain: commit(count, to: Store(CostState(), recorder: nil))
        case .unheard:
            let store = Store(CostState(), recorder: nil)
            store.subscribe(initially: false) { _ in }.cancel()
            commit(count, to: store)
        case .read:
            let store = Store(CostState(), recorder: nil)
            var sum = 0
            for _ in 0..<count { sum &+= store.state.count }
            precondition(sum == 0)
        case .subscriber: subscribed(count, 1)
        case .subscribers: subscribed(count, 10)
        case .selection:
            let store = Store(CostState(), recorder: nil)
            let subscription = store.subscribe(\.title, initially: false) { _ in }
            commit(count, to: store)
            subscription.cancel()
        case .derived: withDerived(count, recorder: nil)
        case .recorded: try recorded(count, path)
        case .path: try recorded(count, path, redact: ["/cost/user/token"])
        case .keyPath: try recorded(count, path, redact: [.keyPath(\CostState.user.token)])
        case .elements: try recorded(count, path, redact: [.keyPath(\CostState.Item.secret)])
        case .watched: try watched(count, path)
        case .watchedPath: try watched(count, path, redact: ["/cost/user/token"])
        case .watchedKeyPath: try watched(count, path, redact: [.keyPath(\CostState.User.token)])
        case .recordedDerived: withDerived(count, recorder: try Recorder(path))
        case .background: try recorded(count, path, durability: CommitCost.inBackground)
        case .backgroundDerived:
            withDerived(count, recorder: try Recorder(path, durability: CommitCost.inBackground))
        case .store: for _ in 0..<count { commit(1, to: Store(CostState(), recorder: nil)) }
        case .recordedStore:
            let recorder = try Recorder(path)
            for _ in 0..<count { commit(1, to: Store(CostState(), recorder: recorder)) }
        case .droppedStore:
            let recorder = try Recorder(path)
            var stores = (0..<count).map { _ in Store(CostState(), name: "cell", recorder: recorder) }
            stores.removeAll()
        case .array: try open(count, path, ArrayState.init)
        case .dictionary: try open(count, path, DictionaryState.init)
        case .table: try open(count, path, TableState.init)
        }
    }

    private static let inBackground = Recorder.Durability.background

    private func commit(_ count: Int, to store: Store<CostState>) {
        for _ in 0..<count { store.commit { $0.count &+= 1 } }
    }

    private func subscribed(_ count: Int, _ subscribers: Int) {
        let store = Store(CostState(), recorder: nil)
        let subscriptions = (0..<subscribers).map { _ in store.subscribe(initially: false) { _ in } }
        commit(count, to: store)
        for subscription in subscriptions { subscription.cancel() }
    }

    private func withDerived(_ count: Int, recorder: Recorder?) {
        let store = Store(CostState(), name: "cost", recorder: recorder)
        let derived = store.derived(\.count, named: "next") { $0 &+ 1 }
        let subscription = derived.subscribe(initially: false) { _ in }
        commit(count, to: store)
        subscription.cancel()
        recorder?.close()
    }

    private func recorded(
        _ count: Int, _ path: String, durability: Recorder.Durability = .synchronous, redact: [Redaction] = []
    ) throws {
        let recorder = try Recorder(path, durability: durability, redact: redact)
        commit(count, to: Store(CostState(), name: "cost", recorder: recorder))
        recorder.close()
    }

    /// Derived values whose inputs the recorder looks at where something is redacted.
    private func watched(_ count: Int, _ path: String, redact: [Redaction] = []) throws {
        let recorder = try Recorder(path, redact: redact)
        let store = Store(CostState(), name: "cost", recorder: recorder)
        let derived = (0..<4).flatMap { number in
            [
                store.derived(\.title, named: "title\(number)") { $0 },
                store.derived(\.user.name, named: "name\(number)") { $0 },
            ]
        }
        commit(count, to: store)
        recorder.close()
        withExtendedLifetime(derived) {}
    }

    private func open<State: EntityState>(_ count: Int, _ path: String, _ make: (Int) -> State) throws {
        let recorder = try Recorder(path)
        let state = make(10_000)
        let stores = (0..<count).map { _ in Store(state, name: "store", recorder: recorder) }
        recorder.close()
        precondition(stores.count == count)
    }
}

/// A state as small apps have them.
private struct CostState: Codable, Equatable, Sendable {
    struct User: Codable, Equatable, Sendable {
        var name = "Ann"
        var token = "a token that is longer than a small string"
    }

    struct Item: Codable, Equatable, Sendable {
        var id: Int
        var secret = "1234"
    }

    var count = 0
    var title = "a title that is longer than a small string"
    var user = User()
    var items = (0..<10).map { Item(id: $0) }
}
