import JSONCore
import JournalFormat
import JournalReading

/// A whole state would make each array that is changed be copied; mostly the few replaced values are enough.
enum StateBefore {
    /// The values at the places that it replaced, nil for none; nothing else was changed.
    case values([(place: JSONPointer, value: JSONValue?)])
    /// The patch that leads back to it.
    case way(JSONPatch)
    case state(JSONValue)

    init(_ undo: PositionUndo) {
        switch undo {
        case .patch(let patch, let store, _): self = .way(patch.inStore(store))
        case .state(let before): self = .state(before.value)
        }
    }

    func state(before state: JSONValue) -> JSONValue {
        let way: JSONPatch
        switch self {
        case .state(let before): return before
        case .way(let back): way = back
        case .values(let values):
            way = JSONPatch(
                values.reversed().compactMap { place, value in value.map { .replace(place, $0, old: nil) } })
        }
        var before = state
        try? way.apply(to: &before, order: .ascending)
        return before
    }

    /// Whether what a node reads is the same after; costs what was written, or what is not shared with a whole state.
    func isSame(in state: JSONValue, reading node: PathSet.Node) -> Bool {
        switch self {
        case .state(let before): return state.equals(before, reading: node)
        case .values(let values):
            return values.allSatisfy { place, before in
                guard let (after, part) = state.part(at: place, pruning: node) else { return true }
                return before.map { after.equals($0, reading: part) } ?? false
            }
        case .way(let way):
            if way.changesLength(ofArrayIn: state, reading: node) { return false }
            return way.isIdleMove(in: state, reading: node)
                ?? state.equals(self.state(before: state), reading: node)
        }
    }
}

extension JSONPatch {
    /// So many arrays are looked at.
    private static let mostArrays = 4

    /// Whether such an array has surely another length after the patch: O(*n*) in the operations, without a copy.
    fileprivate func changesLength(ofArrayIn state: JSONValue, reading node: PathSet.Node) -> Bool {
        var arrays: [JSONPointer] = []
        for operation in operations where arrays.count < JSONPatch.mostArrays {
            if let array = operation.path.parent, !arrays.contains(array) { arrays.append(array) }
        }
        return arrays.contains { array in
            guard case .array? = state.part(at: array, pruning: node)?.0 else { return false }
            var change = 0
            for (path, step) in operations.lazy.flatMap(\.steps) {
                if path.parent == array {
                    change += step
                } else if array.segments.starts(with: path.segments.dropLast(abs(step)), by: UTF8Order.equal) {
                    // It may be another array by then.
                    return false
                }
            }
            return change != 0
        }
    }

    /// Whether it only moves an element to among equal ones: O(*n*) in these; nil where it does something else.
    fileprivate func isIdleMove(in state: JSONValue, reading node: PathSet.Node) -> Bool? {
        guard operations.count == 1, case .move(let from, let path) = operations[0], let array = from.parent,
            path.parent == array, case (.array(let elements), let read)? = state.part(at: array, pruning: node),
            let first = from.segments.last.flatMap(JSONPointer.arrayIndex),
            let last = path.segments.last.flatMap(JSONPointer.arrayIndex), max(first, last) < elements.count
        else { return nil }
        guard let element = read.element else { return true }
        return (min(first, last)..<max(first, last)).allSatisfy {
            elements[$0].equals(elements[$0 + 1], reading: element)
        }
    }
}

extension JSONPatch.Operation {
    /// How many values come to each place that it writes: one that is replaced is none.
    fileprivate var steps: [(path: JSONPointer, step: Int)] {
        switch self {
        case .add(let path, _), .copy(_, let path): [(path, 1)]
        case .remove(let path, _): [(path, -1)]
        case .move(let from, let path): [(from, -1), (path, 1)]
        case .replace(let path, _, _): [(path, 0)]
        case .test: []
        }
    }
}

/// A large state follows the run's from record to record, and shares no container with it that a record has written to:
/// a copy would make each commit copy every array that it edits.
///
/// A small one is copied, as is any after what no record says.
struct OldState {
    /// In a box of its own, since its value is asked for more often than it changes.
    private final class Follower {
        var state: PositionState

        init(_ state: PositionState) { self.state = state }
    }

    private var follower: Follower?
    /// The value where none follows; and the one before it, until it is known that there is another step.
    private var copy: JSONValue
    private var former: JSONValue?
    private var copiesLeft = 0
    /// The records that were applied to the run's state since, and how many of them belong to the position before.
    private var lines: [OwnedRecord] = []
    private var due = 0
    private var isFollowing = false

    /// A state with fewer elements and members is copied faster than a record is applied again.
    private static let fewestParts = 256
    private static let copiesOfSmall = 64

    init(_ value: JSONValue) { copy = value }
    var value: JSONValue { follower?.state.value ?? copy }

    mutating func begin(_ now: PositionState, mayFollow: Bool) {
        if isFollowing, mayFollow {
            due = lines.count
            return
        }
        (former, lines, due) = (value, [], 0)
        isFollowing = mayFollow && isLarge(now.value)
        (copy, follower) = isFollowing ? (.null, Follower(now)) : (now.value, nil)
    }

    mutating func advance() {
        former = nil
        guard due > 0 else { return }
        for line in lines.prefix(due) {
            let done: Void? = try? line.withLine { (line) throws(JournalError) in
                _ = try follower?.state.apply(line)
            }
            assert(done != nil, "a record that was applied does not apply again")
        }
        lines.removeFirst(due)
        due = 0
    }

    mutating func stay() {
        due = 0
        guard let former else { return }
        (copy, follower, lines, isFollowing) = (former, nil, [], false)
        self.former = nil
    }

    mutating func follow(_ line: RecordLine) { if isFollowing { lines.append(line.owned()) } }

    mutating func stopFollowing() {
        lines.removeSubrange(due...)
        isFollowing = false
        copiesLeft = 0
    }

    private mutating func isLarge(_ state: JSONValue) -> Bool {
        copiesLeft -= 1
        guard copiesLeft < 0 else { return false }
        var left = OldState.fewestParts
        if OldState.hasMore(state, than: &left) { return true }
        copiesLeft = OldState.copiesOfSmall
        return false
    }

    private static func hasMore(_ value: JSONValue, than parts: inout Int) -> Bool {
        switch value {
        case .array(let elements):
            parts -= elements.count
            return parts < 0 || elements.contains { hasMore($0, than: &parts) }
        case .object(let members):
            parts -= members.count
            return parts < 0 || members.contains { hasMore($0.value, than: &parts) }
        default: return false
        }
    }
}
