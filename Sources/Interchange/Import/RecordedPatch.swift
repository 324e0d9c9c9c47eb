import JSONCore
import JournalFormat
import JournalReading

/// A patch of another tool as a journal has it: what it writes over is in it, and each operation can be undone.
///
/// An `add` over a member is a `replace`, one at `-` names its index, `copy` is an `add` of the value, and what moves elsewhere
/// than in one array is removed and added. A `test` is asked and left out.
struct RecordedPatch {
    /// The operations so far.
    private(set) var operations: [JSONPatch.Operation] = []
    /// What copies have put into the states so far.
    private(set) var copies: CopyBudget
    private let checksOld: Bool
    private var undo: [JSONPatch.Operation] = []
    /// How many bytes of JSON the copies of this patch may take, since a journal has each of them whole.
    private var budget = RecordedPatch.copyLimit

    private static let copyLimit = 64 << 20

    init(checksOld: Bool, copies: CopyBudget) {
        self.checksOld = checksOld
        self.copies = copies
    }

    /// Applies a patch.
    ///
    /// - Returns: why it does not fit; the value is as it was then.
    mutating func apply(_ patch: JSONPatch, to value: inout JSONValue, of store: String) -> ImportFault? {
        for (index, operation) in patch.operations.enumerated() {
            do throws(PatchError.Reason) {
                if checksOld, let fault = otherOld(operation, in: value) {
                    JSONPatch.undo(undo, in: &value)
                    return fault
                }
                try apply(operation, to: &value)
            } catch {
                let nearest = Self.nearest(operation, in: value)
                JSONPatch.undo(undo, in: &value)
                return .patch(
                    PatchError(operation: index, path: operation.path, reason: error), store: store,
                    nearest: nearest.path, found: nearest.value)
            }
        }
        do throws(PatchError) { try copies.check(JSONObject(store, value)) } catch {
            JSONPatch.undo(undo, in: &value)
            return .patch(error, store: store, nearest: JSONPointer(), found: .null)
        }
        return nil
    }

    private func otherOld(_ operation: JSONPatch.Operation, in value: JSONValue) -> ImportFault? {
        switch operation {
        case .replace(let path, _, let said?), .remove(let path, let said?):
            let found = path.value(in: value)
            return found == said ? nil : .otherOld(path, said: said, found: found)
        default: return nil
        }
    }

    private mutating func apply(
        _ operation: JSONPatch.Operation, to value: inout JSONValue
    ) throws(PatchError.Reason) {
        switch operation {
        case .test: _ = try operation.apply(to: &value, pruning: .all, order: .ascending)
        case .copy(let from, let path):
            guard let part = from.value(in: value) else { throw .noSuchMember(from.segments.last ?? "") }
            guard part.textSize(upTo: JSONPatch.copyLimit) != nil else { throw .copyTooLarge }
            guard let size = part.textSize(upTo: budget) else { throw .copiesTooLarge(limit: Self.copyLimit) }
            budget -= size
            copies.add(size)
            try record(Self.added(part, at: path, in: value), to: &value)
        case .move(let from, let path):
            if Self.isWithinOneArray(from, path, in: value) {
                return try record(.move(from: from, to: Self.named(path, in: value, after: 1)), to: &value)
            }
            guard let part = from.value(in: value) else { throw .noSuchMember(from.segments.last ?? "") }
            if from == path { return }
            guard !path.segments.starts(with: from.segments, by: UTF8Order.equal) else { throw .movesIntoItself }
            try record(.remove(from, old: part), to: &value)
            try record(Self.added(part, at: path, in: value), to: &value)
        case .add(let path, let part): try record(Self.added(part, at: path, in: value), to: &value)
        case .remove(let path, _): try record(.remove(path, old: path.value(in: value)), to: &value)
        case .replace(let path, let part, _):
            try record(.replace(path, part, old: path.value(in: value)), to: &value)
        }
    }

    private mutating func record(
        _ operation: JSONPatch.Operation, to value: inout JSONValue
    ) throws(PatchError.Reason) {
        _ = try operation.apply(to: &value, pruning: .all, order: .ascending, undo: &undo)
        operations.append(operation)
    }

    private static func added(_ part: JSONValue, at path: JSONPointer, in value: JSONValue) -> JSONPatch.Operation {
        guard let last = path.segments.last, let parent = path.parent else { return .replace(path, part, old: value) }
        if case .object(let members)? = parent.value(in: value), let old = members[last] {
            return .replace(path, part, old: old)
        }
        return .add(named(path, in: value), part)
    }

    /// The path with its index where it ends in the `-` of an array.
    private static func named(_ path: JSONPointer, in value: JSONValue, after taken: Int = 0) -> JSONPointer {
        guard path.segments.last == "-", let parent = path.parent, case .array(let elements)? = parent.value(in: value)
        else { return path }
        return parent.appending(String(elements.count - taken))
    }

    private static func isWithinOneArray(_ from: JSONPointer, _ path: JSONPointer, in value: JSONValue) -> Bool {
        guard let parent = from.parent, parent == path.parent, case .array? = parent.value(in: value) else {
            return false
        }
        return true
    }

    /// What stands nearest to the place that an operation is about: at its path, or above.
    private static func nearest(
        _ operation: JSONPatch.Operation, in value: JSONValue
    ) -> (path: JSONPointer, value: JSONValue) {
        var path = operation.path
        if let from = operation.from, from.value(in: value) == nil { path = from }
        while true {
            if let found = path.value(in: value) { return (path, found) }
            guard let parent = path.parent else { return (JSONPointer(), value) }
            path = parent
        }
    }
}
