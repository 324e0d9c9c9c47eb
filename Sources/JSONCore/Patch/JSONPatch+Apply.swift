extension JSONPatch {
    /// Applies the operations in place.
    ///
    /// Only storage that others share is copied.
    ///
    /// - Parameters:
    ///   - node: what the value is pruned to, see ``Operation/apply(to:pruning:order:)``.
    ///   - order: where a new member goes: at the end of its object, or to its place in ascending order, as states are held. Values
    ///     are put in as they are.
    /// - Throws: ``PatchError`` with the first operation that does not apply; those before it have been applied.
    /// - Complexity: per operation one look-up a segment, and what an array's insertion or removal moves.
    public func apply(
        to value: inout JSONValue, pruning node: PathSet.Node = .all, order: MemberOrder = .asWritten
    ) throws(PatchError) {
        var patched = PatchedValue(taking: &value)
        defer { value = patched.take() }
        _ = try apply(to: &patched, pruning: node, order: order)
    }

    /// Applies the operations to a value in the middle of a patch; gives whether one wrote something that the node reads.
    package func apply(
        to value: inout PatchedValue, pruning node: PathSet.Node, order: MemberOrder
    ) throws(PatchError) -> Bool {
        var touched = false
        for (index, operation) in operations.enumerated() {
            do throws(PatchError.Reason) {
                if try operation.apply(to: &value, pruning: node, order: order) { touched = true }
            } catch {
                throw PatchError(operation: index, path: operation.path, reason: error)
            }
        }
        return touched
    }
}

extension JSONPatch.Operation {
    /// Applies the operation to a value that is pruned to a node, so that the result is the pruned result.
    ///
    /// What lies outside the node is skipped without a check whether it would apply. Elements that come into an array from
    /// outside the node are null, as ``JSONValue/pruned(to:)-(PathSet.Node)`` has them.
    ///
    /// - Returns: whether it wrote something equal to, above or below what the node reads; an `add`, `remove` or `move` of an
    ///   element writes its array.
    /// - Throws: why it does not apply; ``PatchError/Reason/notPrunable`` for `copy`, `test` and a `move` that is not within one
    ///   array, unless the node is ``PathSet/Node/all``. Of a `move` to another container a part may have been done.
    @discardableResult
    public func apply(
        to value: inout PatchedValue, pruning node: PathSet.Node = .all, order: MemberOrder
    ) throws(PatchError.Reason) -> Bool {
        switch self {
        case .add(let path, let new): return try value.change(.add(new), at: path, pruning: node, order: order)
        case .remove(let path, _): return try value.change(.remove, at: path, pruning: node, order: order)
        case .replace(let path, let new, _):
            return try value.change(.replace(new), at: path, pruning: node, order: order)
        case .move(let from, let path):
            try path.checkDepth()
            if let name = JSONPatch.Operation.siblingName(from, path) {
                return try value.change(.move(to: name), at: from, pruning: node, order: order)
            }
            let moved = try value.whole(at: from, node)
            if from == path { return true }
            guard !path.segments.starts(with: from.segments, by: UTF8Order.equal) else { throw .movesIntoItself }
            if path.segments.isEmpty { return try value.change(.replace(moved), at: path, pruning: node, order: order) }
            // What the path means is known only when the value is taken out (RFC 6902 §4.4).
            _ = try value.change(.remove, at: from, pruning: node, order: order)
            return try value.change(.add(moved), at: path, pruning: node, order: order)
        case .copy(let from, let path):
            try path.checkDepth()
            let copied = try value.whole(at: from, node)
            guard let size = copied.textSize(upTo: JSONPatch.copyLimit) else { throw .copyTooLarge }
            value.copiedBytes += size
            return try value.change(.add(copied), at: path, pruning: node, order: order)
        case .test(let path, let expected):
            guard try value.whole(at: path, node) == expected else { throw .testFailed }
            return false
        }
    }

    /// The last segment of `path`, if it is in the same container as `from`.
    private static func siblingName(_ from: JSONPointer, _ path: JSONPointer) -> String? {
        guard let name = path.segments.last, from.segments.count == path.segments.count,
            zip(from.segments, path.segments).dropLast().allSatisfy({ UTF8Order.equal($0, $1) })
        else { return nil }
        return name
    }
}

extension JSONPointer {
    @inline(__always)
    func checkDepth() throws(PatchError.Reason) {
        guard segments.count <= JSONPatch.pathDepthLimit else { throw .pathTooDeep(segments: segments.count) }
    }
}

extension JSONValue {
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
    fileprivate var textLength: Int {
        switch storage {
        case .integer: 8
        case .double: 16
        case .text(let text): text.utf8.count
        }
    }
}
