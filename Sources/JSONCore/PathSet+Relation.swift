extension PathSet {
    /// How a place lies to what is read.
    public enum Relation: Sendable, Hashable {
        /// Neither it nor anything above or below it is read: a change there cannot matter.
        case outside
        /// It is read, or something above it is, whole.
        case inside
        /// Parts of it are read.
        case above
    }

    /// How the place that a pointer points at lies to the set.
    ///
    /// A segment that is an index may stand for a member or for an element: both are looked at.
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

    /// The same for the bytes of a pointer's text, without making strings of it where nothing in it is escaped.
    ///
    /// Text that is no pointer is ``Relation/above`` everything, so that whoever reads it whole reports it.
    ///
    /// - Parameter text: UTF-8, JSON's own escapes already undone.
    public func relation(ofPointerText text: UnsafeRawBufferPointer) -> Relation {
        guard var node = root else { return .outside }
        guard let first = text.first else { return node == .all ? .inside : .above }
        guard first == UInt8(ascii: "/") else { return .above }
        if text.contains(UInt8(ascii: "~")) {
            guard let pointer = try? JSONPointer(parsing: String(decoding: text, as: UTF8.self)) else { return .above }
            return relation(of: pointer.segments)
        }
        var start = 1
        while start <= text.count {
            guard case .branch = node else { return .inside }
            var end = start
            while end < text.count, text[end] != UInt8(ascii: "/") { end += 1 }
            let segment = UnsafeRawBufferPointer(rebasing: text[start..<end])
            var next = node.node(forKey: segment)
            if PathSet.mayBeElement(segment) { next = Node.union(next, node.element) }
            guard let found = next else { return .outside }
            node = found
            start = end + 1
        }
        return node == .all ? .inside : .above
    }

    /// Whether a segment can stand for an element of an array: an index, or `-` for the one past the end.
    static func mayBeElement(_ segment: String) -> Bool {
        var segment = segment
        return segment.withUTF8 { mayBeElement(UnsafeRawBufferPointer($0)) }
    }

    static func mayBeElement(_ segment: UnsafeRawBufferPointer) -> Bool {
        guard let first = segment.first else { return false }
        if segment.count == 1 && first == UInt8(ascii: "-") { return true }
        return segment.allSatisfy { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
    }
}
