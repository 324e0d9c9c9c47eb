import JournalFormat

/// Finds the values that one part of a run put back where another part before it had replaced them.
struct PutBackJoin {
    /// What a commit replaced.
    struct Replaced {
        /// How many commits ago, 0 for the latest one.
        var age: Int
        let path: [UInt8]
        /// The compact text of what stood there, or a text that only equal ones share.
        let old: [UInt8]
    }

    /// What the last commits of the parts so far replaced.
    private var recent: [Replaced] = []

    /// Takes the next part.
    ///
    /// - Parameters:
    ///   - opening: the changes of its first commits, in their order.
    ///   - commits: how many it has.
    ///   - replaced: what its last commits replaced.
    /// - Returns: the places at which it put values back without seeing it, with the commits.
    mutating func take(
        _ opening: [PutBackWatch.Opening], commits: Int, replaced: [Replaced]
    ) -> [(path: [UInt8], seq: CommitNumber)] {
        var found: [(path: [UInt8], seq: CommitNumber)] = []
        for change in opening {
            switch change {
            case .wrote(let path, let value, let commit, let seq):
                let isBack = recent.contains {
                    $0.age + commit <= PutBackWatch.window && $0.path == path && $0.old == value
                }
                if isBack { found.append((path, seq)) }
            case .edited(let path):
                path.withUnsafeBytes { path in
                    let container = PutBackWatch.container(of: path)
                    recent.removeAll { $0.path.withUnsafeBytes { PutBackWatch.isInside($0, container) } }
                }
            }
        }
        for index in recent.indices { recent[index].age = min(recent[index].age + commits, PutBackWatch.window) }
        recent = recent.filter { $0.age < PutBackWatch.window } + replaced
        return found
    }
}
