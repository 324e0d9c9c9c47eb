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
                end.apply(commits[index])
            }
        }
        return end
    }
}

extension CommitReplay.End {
    /// Applies a commit, all of it or nothing; a store that closed goes away with the next commit that there is.
    fileprivate mutating func apply(_ commit: CommitReplay.Commit) {
        let before = stores
        for store in closing { stores.removeValue(forKey: store) }
        let done = stores.modify(commit.store) { state in
            (try? commit.patch.apply(to: &state, order: .ascending)) != nil
        }
        guard done == true else {
            stores = before
            return
        }
        closing.removeAll()
    }
}
