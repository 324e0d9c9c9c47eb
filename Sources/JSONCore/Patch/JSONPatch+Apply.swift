extension JSONPatch {
    /// Applies the operations in place.
    ///
    /// Only storage that others share is copied.
    ///
    /// - Parameter order: where a new member goes: at the end of its object, or to its place in ascending order, as states
    ///   are held. Values are put in as they are.
    /// - Throws: ``PatchError`` with the first operation that does not apply; those before it have been applied.
    /// - Complexity: per operation one look-up a segment, and what an array's insertion or removal moves.
    public func apply(to value: inout JSONValue, order: MemberOrder = .asWritten) throws(PatchError) {
        try apply(to: &value, pruning: .all, order: order)
    }

    /// Applies the operations to a value that is pruned to a node, so that the result is the pruned result.
    ///
    /// What lies outside the node is skipped without a check whether it would apply. Elements that come into an array from
    /// outside the node are null, as ``JSONValue/pruned(to:)-(PathSet.Node)`` has them.
    ///
    /// - Returns: whether an operation wrote something equal to, above or below what the node reads; an `add`, `remove` or
    ///   `move` of an element writes its array.
    /// - Throws: ``PatchError`` as without pruning; ``PatchError/Reason/notPrunable`` for `copy`, `test` and a `move` that is
    ///   not within one array, unless the node is ``PathSet/Node/all``.
    @discardableResult
    public func apply(
        to value: inout JSONValue, pruning node: PathSet.Node, order: MemberOrder = .asWritten
    ) throws(PatchError) -> Bool {
        var (touched, patched) = (false, PatchedValue(taking: &value))
        defer { value = patched.take() }
        for (index, operation) in operations.enumerated() {
            do throws(PatchError.Reason) {
                if try operation.apply(to: &patched, pruning: node, order: order) { touched = true }
            } catch {
                throw PatchError(operation: index, path: operation.path, reason: error)
            }
        }
        return touched
    }
}

extension JSONPatch.Operation {
    /// Applies the operation to a value that is pruned to a node, and returns whether it touched what the node reads.
    public func apply(
        to value: inout JSONValue, pruning node: PathSet.Node, order: MemberOrder
    ) throws(PatchError.Reason) -> Bool {
        try apply(on: &value, pruning: node, order: order)
    }

    /// Applies the operation to a value in the middle of a patch, and returns whether it touched what the node reads.
    public func apply(
        to value: inout PatchedValue, pruning node: PathSet.Node, order: MemberOrder
    ) throws(PatchError.Reason) -> Bool {
        try apply(on: &value, pruning: node, order: order)
    }

    @inline(__always)
    func apply(
        on value: inout some PatchTarget, pruning node: PathSet.Node, order: MemberOrder
    ) throws(PatchError.Reason) -> Bool {
        switch self {
        case .add(let path, let new):
            return try JSONPatch.Operation.edit(&value, .add(new), at: path, pruning: node, order: order)
        case .remove(let path, _):
            return try JSONPatch.Operation.edit(&value, .remove, at: path, pruning: node, order: order)
        case .replace(let path, let new, _):
            return try JSONPatch.Operation.edit(&value, .replace(new), at: path, pruning: node, order: order)
        case .move(let from, let path):
            try JSONPatch.Operation.checkDepth(max(from.segments.count, path.segments.count))
            if let name = JSONPatch.Operation.siblingName(from, path) {
                return try value.edit(.move(to: name), at: from.segments, pruning: node, order: order)
            }
            try JSONPatch.Operation.requireWhole(node)
            try JSONPatch.Operation.move(from, path, in: &value, order: order)
            return true
        case .copy(let from, let path):
            try JSONPatch.Operation.checkDepth(max(from.segments.count, path.segments.count))
            try JSONPatch.Operation.requireWhole(node)
            let copied = try value.part(at: from.segments)
            guard copied.textSize(upTo: JSONPatch.copyLimit) != nil else { throw .copyTooLarge }
            return try value.edit(.add(copied), at: path.segments, pruning: node, order: order)
        case .test(let path, let expected):
            try JSONPatch.Operation.checkDepth(path.segments.count)
            try JSONPatch.Operation.requireWhole(node)
            guard try value.part(at: path.segments) == expected else { throw .testFailed }
            return false
        }
    }

    @inline(__always)
    private static func edit(
        _ value: inout some PatchTarget, _ edit: PartEdit, at path: JSONPointer, pruning node: PathSet.Node,
        order: MemberOrder
    ) throws(PatchError.Reason) -> Bool {
        try checkDepth(path.segments.count)
        return try value.edit(edit, at: path.segments, pruning: node, order: order)
    }

    @inline(__always)
    private static func checkDepth(_ segments: Int) throws(PatchError.Reason) {
        guard segments <= JSONPatch.pathDepthLimit else { throw .pathTooDeep(segments: segments) }
    }

    private static func requireWhole(_ node: PathSet.Node) throws(PatchError.Reason) {
        guard case .all = node else { throw .notPrunable }
    }

    /// The last segment of `path`, if it is in the same container as `from`.
    private static func siblingName(_ from: JSONPointer, _ path: JSONPointer) -> String? {
        guard let name = path.segments.last, from.segments.count == path.segments.count,
            zip(from.segments, path.segments).dropLast().allSatisfy({ UTF8Order.equal($0, $1) })
        else { return nil }
        return name
    }

    /// Moves a value from one container to another.
    private static func move(
        _ from: JSONPointer, _ path: JSONPointer, in value: inout some PatchTarget, order: MemberOrder
    ) throws(PatchError.Reason) {
        let moved = try value.part(at: from.segments)
        if from == path { return }
        if path.segments.count > from.segments.count,
            zip(from.segments, path.segments).allSatisfy({ UTF8Order.equal($0, $1) })
        {
            throw .movesIntoItself
        }
        if path.segments.isEmpty {
            return value.replaceWhole(with: moved)
        }
        _ = try value.edit(.remove, at: from.segments, pruning: .all, order: order)
        _ = try value.edit(.add(moved), at: path.segments, pruning: .all, order: order)
    }
}

extension JSONPatch.Operation {
    /// How many bytes of text it copies from a value, as far as ``JSONPatch/copyLimit``; none, if it does not copy.
    package func copiedBytes(in value: inout PatchedValue) -> Int {
        guard case .copy(let from, _) = self else { return 0 }
        return value.value(at: from)?.textSize(upTo: JSONPatch.copyLimit) ?? 0
    }

    /// How many bytes of text it copies from a value that no patch is being applied to.
    package func copiedBytes(in value: JSONValue) -> Int {
        var value = value
        var patched = PatchedValue(taking: &value)
        return copiedBytes(in: &patched)
    }
}

extension JSONValue {
    /// The part that a path points at, with the reason where there is none.
    func part(at segments: [String]) throws(PatchError.Reason) -> JSONValue {
        var value = self
        for segment in segments {
            switch value {
            case .object(let members):
                guard let member = members[segment] else { throw .noSuchMember(segment) }
                value = member
            case .array(let elements):
                value = elements[try PartEdit.index(segment, in: elements.count)]
            default: throw .noParts(segment: segment)
            }
        }
        return value
    }

    /// About how many bytes its compact text has, escapes not counted; nil where there are more than `bytes`, or it is nested
    /// deeper than ``JSONPatch/copyDepthLimit``.
    ///
    /// - Complexity: O(n) in the parts, and no more of them than `bytes` allow.
    package func textSize(upTo bytes: Int) -> Int? {
        var left = bytes
        var open: [(value: JSONValue, depth: Int)] = [(self, 0)]
        while let (value, depth) = open.popLast() {
            // A comma, and a bracket or a quote.
            left -= 2
            switch value {
            case .null, .bool: left -= 3
            case .number(let number): left -= number.textLength
            case .string(let text): left -= text.utf8.count + 1
            case .array(let elements):
                guard left >= elements.count, depth < JSONPatch.copyDepthLimit else { return nil }
                for element in elements { open.append((element, depth + 1)) }
            case .object(let members):
                guard left >= members.count, depth < JSONPatch.copyDepthLimit else { return nil }
                for (name, member) in members {
                    left -= name.utf8.count + 3
                    open.append((member, depth + 1))
                }
            }
            guard left >= 0 else { return nil }
        }
        return bytes - left
    }
}

extension JSONNumber {
    /// About how long its text is.
    fileprivate var textLength: Int {
        switch storage {
        case .integer: 8
        case .double: 16
        case .text(let text): text.utf8.count
        }
    }
}
