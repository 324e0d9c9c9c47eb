extension JSONPatch.Operation {
    /// Applies the operation and notes what leads back to the value as it is now.
    ///
    /// Other than ``inverted`` it asks the value itself, so it is right whatever the operation says of what was there: of an
    /// `add` that goes over a member, of a `copy`, and of a foreign `old`.
    ///
    /// - Parameter undo: is given the operations that lead back, which apply last first and to the value as it is held:
    ///   unpruned, new members in ascending order.
    /// - Throws: as ``apply(to:pruning:order:)``; what was noted up to then leads back all the same.
    /// - Complexity: that of applying it, and one more look-up of the path.
    public func apply(
        to value: inout JSONValue, pruning node: PathSet.Node, order: MemberOrder, undo: inout [JSONPatch.Operation]
    ) throws(PatchError.Reason) -> Bool {
        try apply(on: &value, pruning: node, order: order, undo: &undo)
    }

    /// Applies the operation to a value in the middle of a patch, and notes what leads back.
    public func apply(
        to value: inout PatchedValue, pruning node: PathSet.Node, order: MemberOrder, undo: inout [JSONPatch.Operation]
    ) throws(PatchError.Reason) -> Bool {
        try apply(on: &value, pruning: node, order: order, undo: &undo)
    }

    private func apply(
        on value: inout some PatchTarget, pruning node: PathSet.Node, order: MemberOrder,
        undo: inout [JSONPatch.Operation]
    ) throws(PatchError.Reason) -> Bool {
        if case .move(let from, let path) = self, !path.segments.isEmpty, from != path, !isWithinOneContainer {
            return try applyMove(from, path, to: &value, pruning: node, order: order, undo: &undo)
        }
        let back = wayBack(in: &value)
        let isTouched = try apply(on: &value, pruning: node, order: order)
        if isTouched { undo += back }
        return isTouched
    }

    /// A `move` from one container to another is a `remove` and an `add` (RFC 6902 §4.4); what the path of the latter means
    /// is known only after the former.
    private func applyMove(
        _ from: JSONPointer, _ path: JSONPointer, to value: inout some PatchTarget, pruning node: PathSet.Node,
        order: MemberOrder, undo: inout [JSONPatch.Operation]
    ) throws(PatchError.Reason) -> Bool {
        guard case .all = node else { throw .notPrunable }
        let moved = try value.part(at: from.segments)
        guard !path.segments.starts(with: from.segments, by: UTF8Order.equal) else { throw .movesIntoItself }
        _ = try JSONPatch.Operation.remove(from, old: nil).apply(on: &value, pruning: node, order: order, undo: &undo)
        return try JSONPatch.Operation.add(path, moved).apply(on: &value, pruning: node, order: order, undo: &undo)
    }

    /// Whether it moves a member or an element to another place of the same object or array.
    private var isWithinOneContainer: Bool {
        guard let from, from.segments.count == path.segments.count else { return false }
        return from.segments.dropLast().elementsEqual(path.segments.dropLast(), by: UTF8Order.equal)
    }

    /// What leads back from the result to this value, last first; nothing where the operation does not apply.
    private func wayBack(in value: inout some PatchTarget) -> [JSONPatch.Operation] {
        if case .test = self { return [] }
        if case .move(path, _) = self { return [] }
        guard let last = path.segments.last, let parent = path.parent else {
            return ((try? value.part(at: [])).map { [.replace(path, $0, old: nil)] }) ?? []
        }
        switch self {
        case .test: return []
        case .replace: return (try? value.part(at: path.segments)).map { [.replace(path, $0, old: nil)] } ?? []
        case .remove: return (try? value.part(at: path.segments)).map { [.add(path, $0)] } ?? []
        case .add, .copy:
            if let count = value.count(ofArrayAt: parent.segments) {
                return [.remove(last == "-" ? parent.appending(String(count)) : path, old: nil)]
            }
            return [
                (try? value.part(at: path.segments)).map { .replace(path, $0, old: nil) } ?? .remove(path, old: nil)
            ]
        case .move(let from, _):
            if let count = value.count(ofArrayAt: parent.segments) {
                return [.move(from: last == "-" ? parent.appending(String(count - 1)) : path, to: from)]
            }
            return ((try? value.part(at: path.segments)).map { [.add(path, $0)] } ?? []) + [.move(from: path, to: from)]
        }
    }
}

extension JSONPatch {
    /// Applies a list of operations last first, as ``Operation/apply(to:pruning:order:undo:)`` makes it.
    public static func undo(_ operations: [Operation], in value: inout JSONValue) {
        var patched = PatchedValue(taking: &value)
        defer { value = patched.take() }
        for operation in operations.reversed() {
            // What was noted while a value was changed fits what became of it.
            let done = try? operation.apply(to: &patched, pruning: .all, order: .ascending)
            assert(done != nil, "\(operation) does not lead back")
        }
    }
}
