import JSONCore
import JournalFormat

/// A run as a list of steps that can be replayed without some of its commits, again and again.
///
/// A patch that no longer applies without those left out is a conflict: its commit is left out too.
struct CommitReplay {
    enum Step {
        case open(String, JSONValue)
        case close(String)
        /// The commit with this place in ``commits``.
        case commit(Int)
    }

    struct Commit {
        let number: CommitNumber
        let store: String
        let patch: JSONPatch
    }

    /// The state that every replay begins with.
    let start: JSONObject
    private(set) var steps: [Step] = []
    private(set) var commits: [Commit] = []

    init(start: JSONObject) { self.start = start }

    mutating func append(_ step: Step) { steps.append(step) }

    mutating func append(_ commit: Commit) {
        steps.append(.commit(commits.count))
        commits.append(commit)
    }

    /// What a replay comes to.
    struct End {
        /// The state at the end; a store that closed last is still there.
        var stores: JSONObject
        /// The commits that could be applied, by their places.
        var applied: [Int] = []
        fileprivate var closing: [String] = []
    }

    /// Replays with some of the commits only.
    ///
    /// - Parameter kept: their places, ascending.
    func end(keeping kept: [Int]) -> End {
        var end = End(stores: start)
        var next = kept[...]
        for step in steps {
            switch step {
            case .open(let store, let state):
                end.closing.removeAll { UTF8Order.equal($0, store) }
                end.stores.removeValue(forKey: store)
                end.stores.insertAscending(state, forKey: store)
            case .close(let store): end.closing.append(store)
            case .commit(let index):
                guard next.first == index else { continue }
                next.removeFirst()
                // A store that closed goes away with the next commit that there is.
                for store in end.closing { end.stores.removeValue(forKey: store) }
                end.closing.removeAll()
                if CommitReplay.apply(commits[index], to: &end.stores) { end.applied.append(index) }
            }
        }
        return end
    }

    /// Applies a commit, all of it or nothing.
    static func apply(_ commit: Commit, to stores: inout JSONObject) -> Bool {
        guard let before = stores[commit.store] else { return false }
        let done = stores.modify(commit.store) { state in
            (try? commit.patch.apply(to: &state, order: .ascending)) != nil
        }
        if done != true { stores[commit.store] = before }
        return done == true
    }
}
