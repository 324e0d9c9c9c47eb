package import JSONCore
package import JournalFormat

/// Which commits changed nothing: without changes, or with ones that come to nothing together.
///
/// It is for journals of other writers: ours writes none but changes that make a difference, so the patch tells. Where it does
/// not, the states do.
package struct IdleCommits {
    private let commits: FollowedCommits

    private struct Question: FollowedCommits.Question {
        let paths = PathSet.everything

        func answer(_ patch: JSONPatch, of store: String) -> Bool? {
            if patch.operations.allSatisfy(\.isIdle) { return true }
            return patch.operations.count == 1 && patch.operations[0].isSure ? false : nil
        }

        func answer(_ patch: JSONPatch, of store: String, in state: JSONValue, holding held: PathSet) -> Bool {
            var after = state
            guard (try? patch.apply(to: &after, order: .ascending)) != nil else { return false }
            return patch.operations.allSatisfy { operation in
                operation.written.allSatisfy { $0.value(in: state) == $0.value(in: after) }
            }
        }
    }

    /// The commits of a journal; nil where it is our writer's.
    ///
    /// - Parameter range: the commits that will be asked about; nil for all.
    /// - Throws: `JournalError` where the first line is damaged.
    package init?(_ journal: Journal, _ range: PositionRange?, recover: Bool) throws(JournalError) {
        guard try journal.header().recorder != "state-store" else { return nil }
        commits = FollowedCommits(Question())
        commits.follow(journal, range, recover: recover)
    }

    /// Takes the next line of a journal that is read once, before its commit is asked about.
    package func read(_ line: RecordLine) { commits.read(line) }

    /// Whether a commit changed nothing; one of which even the states do not tell counts as one that did.
    package func contains(_ commit: JSONObject) -> Bool { commits.answer(for: commit) ?? false }
}

extension JSONPatch.Operation {
    /// Whether it says itself that it changes nothing.
    var isIdle: Bool {
        switch self {
        case .test: true
        case .replace(_, let value, let old?): value == old
        case .replace, .add, .remove, .move, .copy: false
        }
    }

    /// Whether, being no idle one, it makes a difference if no other stands beside it.
    var isSure: Bool {
        switch self {
        case .replace(_, _, old: .some), .remove: true
        case .replace, .add, .move, .copy, .test: false
        }
    }

    /// Places that are equal before and after the patch only if this operation, with the others, came to nothing: what it
    /// shifts lies in them.
    fileprivate var written: [JSONPointer] {
        switch self {
        case .test: []
        case .replace(let path, _, _): [path]
        case .add(let path, _), .remove(let path, _), .copy(_, let path): [path.parent ?? path]
        case .move(let from, let path): [from.parent ?? from, path.parent ?? path]
        }
    }
}

extension PatchOperation {
    /// The same of an operation that lies in a text.
    var isSure: Bool { name == .remove || name == .replace && old != nil }
}
