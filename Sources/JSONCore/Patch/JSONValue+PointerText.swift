extension JSONValue {
    /// Replaces the part that a pointer's text leads to, of a value that is pruned to a node, without a string made of a segment.
    ///
    /// It stands for a ``JSONPatch/Operation`` `replace` that is applied with pruning, to which it leaves what it cannot do: where
    /// nothing is at that place, or another value than is expected, or the node does not read it.
    ///
    /// - Parameters:
    ///   - text: a pointer of at least one segment, in ASCII, none of which is escaped.
    ///   - old: what has to be there; nil for anything.
    /// - Returns: whether it did; where it did not, nothing was changed.
    /// - Complexity: one look-up a segment.
    package mutating func replace(
        atPlainPointer text: ByteView, with new: JSONValue, expecting old: JSONToken? = nil,
        pruning node: PathSet.Node
    ) -> Bool {
        replace(text, from: 1, with: new, old, pruning: node)
    }

    private mutating func replace(
        _ text: ByteView, from start: Int, with new: JSONValue, _ old: JSONToken?,
        pruning node: PathSet.Node
    ) -> Bool {
        var end = start
        while end < text.count, text[end] != UInt8(ascii: "/") { end &+= 1 }
        let segment = text.extracting(start..<end)
        if case .object = self {
            guard let child = node.node(forKey: segment) else { return false }
            return modifyObject { members in
                members.modify(utf8: segment) { $0.replace(text, after: end, with: new, old, pruning: child) } ?? false
            } ?? false
        }
        guard let child = node.element else { return false }
        return modifyElements { elements in
            guard let index = JSONPointer.arrayIndex(segment), index < elements.count else { return false }
            return elements[index].replace(text, after: end, with: new, old, pruning: child)
        } ?? false
    }

    /// Replaces this value where no segment is left, else the one at the segments that follow `end`.
    @inline(__always)
    private mutating func replace(
        _ text: ByteView, after end: Int, with new: JSONValue, _ old: JSONToken?,
        pruning node: PathSet.Node
    ) -> Bool {
        guard end == text.count else { return replace(text, from: end &+ 1, with: new, old, pruning: node) }
        if let old, !old.matches(self, pruning: node), old.value().pruned(to: node) != self { return false }
        self = new.pruned(to: node)
        return true
    }
}

extension JSONPointer {
    /// The index that a segment of up to 18 digits is to an array (RFC 6901 section 4); nil for any other.
    fileprivate static func arrayIndex(_ segment: ByteView) -> Int? {
        guard PathSet.mayBeElement(segment), PathSet.isIndex(segment) else { return nil }
        var index = 0
        for byte in segment { index = index &* 10 &+ Int(byte &- UInt8(ascii: "0")) }
        return index
    }
}
