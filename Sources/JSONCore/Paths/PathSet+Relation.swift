import Platform

extension PathSet {
    /// How a place lies to what is read.
    public enum Relation: Sendable, Hashable {
        /// Neither it nor anything above or below it is read: a change there cannot matter.
        case outside
        /// The path is read, or something above it is, whole.
        case inside
        /// Parts of it are read.
        case above
    }

    /// How the place that a pointer points at lies to the set.
    ///
    /// A segment that is an index may stand for a member or for an element: both are examined.
    public func relation(of segments: some Sequence<String>) -> Relation {
        guard var node = root else { return .outside }
        for segment in segments {
            guard case .branch = node else { return .inside }
            var next = node.node(forKey: segment)
            if PathSet.mayBeElement(segment) { next = Node.union(next, node.element) }
            guard let next else { return .outside }
            node = next
        }
        return node == .all ? .inside : .above
    }

    /// How the place that a pointer points at lies to the set.
    public func relation(ofPointer pointer: JSONPointer) -> Relation {
        relation(of: pointer.segments)
    }

    /// How the path of a pointer's text relates to the set.
    ///
    /// No strings are made where nothing in the text is escaped.
    ///
    /// Text that is not a pointer is ``Relation/above`` everything, so that the caller reads it whole and reports it.
    ///
    /// - Parameter text: UTF-8, JSON's own escapes already undone.
    public func relation(ofPointerText text: ByteView) -> Relation {
        guard let root else { return .outside }
        guard !text.isEmpty else { return root == .all ? .inside : .above }
        guard text[0] == UInt8(ascii: "/") else { return .above }
        if text.firstIndex(of: 0x7E) != nil {  // "~"
            guard let pointer = try? JSONPointer(parsing: String(decoding: text, as: UTF8.self)) else { return .above }
            return relation(of: pointer.segments)
        }
        return PathSet.relation(root, text, after: 0)
    }

    static func relation(_ node: Node, _ text: ByteView, after end: Int) -> Relation {
        switch node {
        case .all: .inside
        case .branch(let branch): end == text.count ? .above : branch.relation(ofPointerText: text, from: end + 1)
        }
    }

    /// Whether a segment can stand for an element of an array: an index, or `-` for the one past the end.
    package static func mayBeElement(_ segment: String) -> Bool {
        segment.withBytes { mayBeElement($0) }
    }

    static func mayBeElement(_ segment: ByteView) -> Bool {
        guard let first = segment.first else { return false }
        if segment.count == 1 && first == UInt8(ascii: "-") { return true }
        for byte in segment where byte &- UInt8(ascii: "0") > 9 { return false }
        return true
    }

    /// Whether digits are an index as pointers write it, and one that fits (``JSONPointer/arrayIndex(_:)``).
    static func isIndex(_ digits: ByteView) -> Bool {
        guard let first = digits.first, digits.count <= 18, first != UInt8(ascii: "-") else { return false }
        return first != UInt8(ascii: "0") || digits.count == 1
    }
}
