extension PathSet {
    /// Whether an operation can write something equal to, above or below what is read.
    ///
    /// Decided without the state.
    ///
    /// Never false where the operation matters. Where only the state decides whether a number is an index or a key, it
    /// is taken as either.
    public func mayBeTouched(by operation: JSONPatch.Operation) -> Bool {
        switch operation {
        case .add(let path, _), .remove(let path, _), .copy(_, let path): mayBeTouched(byPartEditAt: path)
        case .move(let from, let path): mayBeTouched(byPartEditAt: from) || mayBeTouched(byPartEditAt: path)
        case .replace(let path, _, _): relation(ofPointer: path) != .outside
        case .test: false
        }
    }

    /// Whether an `add`, a `remove` or either end of a `move` can matter: if its last segment is an index, the array is
    /// written.
    private func mayBeTouched(byPartEditAt path: JSONPointer) -> Bool {
        guard let last = path.segments.last, PathSet.mayBeElement(last) else {
            return relation(ofPointer: path) != .outside
        }
        return relation(of: path.segments.dropLast()) != .outside
    }

    /// Whether an operation at the path of a text can matter, for callers that scan a patch without building it.
    ///
    /// - Parameters:
    ///   - text: the pointer in UTF-8, JSON's own escapes already undone.
    ///   - inserting: whether the operation adds, removes or moves, which writes the array if the place is an element.
    public func mayBeTouched(at text: ByteView, inserting: Bool) -> Bool {
        guard inserting, let slash = text.lastIndex(of: UInt8(ascii: "/")),
            PathSet.mayBeElement(text.extracting((slash + 1)...))
        else { return relation(ofPointerText: text) != .outside }
        return relation(ofPointerText: text.extracting(..<slash)) != .outside
    }

    /// Whether an operation writes something equal to, above or below what is read (query.md, "Footprint").
    ///
    /// - Parameter state: the value that the operation is about to be applied to, whole or pruned to this set.
    public func isTouched(by operation: JSONPatch.Operation, in state: JSONValue) -> Bool {
        guard let root else { return false }
        return switch operation {
        case .add(let path, _), .remove(let path, _), .copy(_, let path):
            PathSet.reads(root, path.segments[...], of: state, inserting: true)
        case .move(let from, let path):
            PathSet.reads(root, from.segments[...], of: state, inserting: true)
                || PathSet.reads(root, path.segments[...], of: state, inserting: true)
        case .replace(let path, _, _): PathSet.reads(root, path.segments[...], of: state, inserting: false)
        case .test: false
        }
    }

    private static func reads(
        _ root: Node, _ segments: ArraySlice<String>, of state: JSONValue, inserting: Bool
    ) -> Bool {
        var node = root
        var value = state
        for (place, segment) in zip(segments.indices, segments) {
            guard case .branch = node else { return true }
            let next: Node?
            switch value {
            case .array(let elements):
                if inserting, place == segments.index(before: segments.endIndex) { return true }
                next = node.element
                value = JSONPointer.arrayIndex(segment).map { $0 < elements.count ? elements[$0] : .null } ?? .null
            case .object(let members):
                next = node.node(forKey: segment)
                value = members[segment] ?? .null
            default: next = node.node(forKey: segment)
            }
            guard let next else { return false }
            node = next
        }
        return true
    }
}
