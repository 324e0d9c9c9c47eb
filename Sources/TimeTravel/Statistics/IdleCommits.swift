import JSONCore
import JournalFormat
package import JournalReading

/// Commits without changes, or with ones that come to nothing together, in journals of other writers: ours writes only
/// changes that make a difference.
///
/// Where the patch does not decide, the states do.
package struct IdleCommits {
    private let commits: FollowedCommits

    private struct IdleQuestion: FollowedCommits.CommitQuestion {
        let paths = PathSet.everything

        func answer(_ patch: JSONPatch, of store: String) -> Bool? {
            if patch.operations.allSatisfy(\.isIdle) { return true }
            return patch.operations.count == 1 && patch.operations[0].isSure ? false : nil
        }

        func answer(_ patch: JSONPatch, of store: String, in state: inout JSONValue, holding held: PathSet) -> Bool? {
            let state = state
            if patch.isOfSeparatePlaces(in: state) { return patch.operations.allSatisfy { $0.isIdle(in: state) } }
            var after = state
            guard (try? patch.apply(to: &after, order: .ascending)) != nil else { return false }
            return patch.operations.allSatisfy { operation in
                operation.written().allSatisfy { $0.value(in: state) == $0.value(in: after) }
            }
        }
    }

    /// Nil where the journal is our writer's; `range` has the commits that will be asked about, nil for all.
    package init?(_ journal: Journal, _ range: PositionRange?, recover: Bool) throws(JournalError) {
        guard try journal.header().recorder != "state-store" else { return nil }
        commits = FollowedCommits(IdleQuestion())
        commits.follow(journal, range, recover: recover)
    }

    /// Call it before the commit of the line is asked about.
    package func read(_ line: RecordLine) { commits.read(line) }

    /// Whether a commit changed nothing; one that even the states do not decide counts as one that did.
    package func contains(_ commit: Record) -> Bool { commits.answer(for: commit) ?? false }
}

extension JSONPatch.Operation {
    var isIdle: Bool {
        switch self {
        case .test: true
        case .replace(_, let value, let old?): value == old
        case .replace, .add, .remove, .move, .copy: false
        }
    }

    /// Whether the operation, if it is not idle, is sure to make a difference where it is the only one of its patch.
    var isSure: Bool {
        switch self {
        case .replace(_, _, old: .some), .remove: true
        case .replace, .add, .move, .copy, .test: false
        }
    }

    fileprivate func isIdle(in state: JSONValue) -> Bool {
        switch self {
        case .test: return true
        case .replace(let path, let value, _): return path.value(in: state) == value
        case .remove: return false
        case .add(let path, let value): return isIdle(path, value, in: state)
        case .copy(let from, let path): return from.value(in: state).map { isIdle(path, $0, in: state) } ?? false
        case .move(let from, let path):
            guard from != path else { return from.value(in: state) != nil }
            // Taken out of one container and put into another, it is missing in the first.
            guard from.parent == path.parent, case .array(let elements)? = from.parent?.value(in: state) else {
                return false
            }
            return JSONPatch.Operation.isIdle(moving: from, to: path, elements)
        }
    }

    private func isIdle(_ path: JSONPointer, _ value: JSONValue, in state: JSONValue) -> Bool {
        if case .array? = path.parent?.value(in: state) { return false }
        return path.value(in: state) == value
    }

    private static func isIdle(moving from: JSONPointer, to path: JSONPointer, _ elements: JSONArray) -> Bool {
        let end = path.segments.last == "-" ? elements.count - 1 : path.segments.last.flatMap(JSONPointer.arrayIndex)
        guard let from = from.segments.last.flatMap(JSONPointer.arrayIndex), let to = end,
            max(from, to) < elements.count
        else { return false }
        return (min(from, to)..<max(from, to)).allSatisfy { elements[$0] == elements[$0 + 1] }
    }

    /// Places that are equal before and after the patch only if this operation came to nothing; of a known state
    /// members are places.
    fileprivate func written(in state: JSONValue? = nil) -> [JSONPointer] {
        places { path in
            guard let parent = path.parent else { return path }
            if case .object? = state.flatMap({ parent.value(in: $0) }) { return path }
            return parent
        }
    }
}

extension JSONPatch {
    /// Whether no operation writes where another one writes or reads from, so that each can be judged by the state before all.
    fileprivate func isOfSeparatePlaces(in state: JSONValue) -> Bool {
        if operations.count == 1 { return true }
        // More than some are compared as a whole: each with each would cost the square.
        guard operations.count <= 16 else { return false }
        let places = operations.map { operation in
            operation.written(in: state).map(\.segments)
                + (operation.from.map { [$0.segments] } ?? [])
        }
        for (index, own) in places.enumerated() {
            for other in places[(index + 1)...].joined() {
                let isApart = own.allSatisfy {
                    !$0.starts(with: other, by: UTF8Order.equal) && !other.starts(with: $0, by: UTF8Order.equal)
                }
                if !isApart { return false }
            }
        }
        return true
    }
}

extension PatchOperation {
    var isSure: Bool { name == .remove || name == .replace && old != nil }
}
