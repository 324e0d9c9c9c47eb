import JSONCore
import JournalFormat
import JournalReading

/// A run as a list of steps that can be replayed without some of its commits, again and again.
///
/// A patch that no longer applies without those left out is a conflict: its commit is left out too. The commits that stay are
/// numbered anew, as they are in the journal that is made of them.
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
        /// The whole record, where the question asks for it.
        let record: OwnedRecord?
    }

    /// The state that every replay begins with.
    let start: PositionState
    private(set) var steps: [Step] = []
    private(set) var commits: [Commit] = []

    init(start: PositionState) { self.start = start }

    mutating func append(_ step: Step) { steps.append(step) }

    mutating func append(_ commit: Commit) {
        steps.append(.commit(commits.count))
        commits.append(commit)
    }

    /// What a replay comes to.
    struct End {
        /// The state at the end, numbered as the journal of what was kept is; a store that closed last is still there.
        fileprivate(set) var state: PositionState
        /// The last commit that was applied.
        fileprivate(set) var last: Commit?
        /// The state before it, where that is asked for.
        fileprivate(set) var old = JSONValue.null
    }

    /// Replays with some of the commits only.
    ///
    /// - Parameters:
    ///   - kept: their places, ascending.
    ///   - keepsOld: whether the state before the last commit is asked for.
    func end(keeping kept: [Int], keepsOld: Bool = false) -> End {
        var end = End(state: start)
        var next = kept[...]
        for step in steps {
            switch step {
            case .open(let store, let state): end.state.open(store, state)
            case .close(let store): end.state.close(store)
            case .commit(let index):
                guard next.first == index else { continue }
                next.removeFirst()
                let commit = commits[index]
                let before = keepsOld ? end.state.value : .null
                guard
                    (try? end.state.commitForUndo(end.state.position.next, commit.store, commit.patch)) != nil
                else { continue }
                end.last = commit
                end.old = before
            }
        }
        return end
    }
}
