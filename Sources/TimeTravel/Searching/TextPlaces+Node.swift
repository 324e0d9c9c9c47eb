import JSONCore

extension TextPlaces {
    /// A part of the state: a container, a scalar that has the text, or a member whose name has it.
    final class Node {
        enum Content {
            case scalar
            case object(NameTable<Node>)
            /// All elements; nil for a scalar without the text.
            case array(ChunkedList<Node?>)
        }

        var content: Content
        var held: (place: Int, value: JSONValue)?
        var name: Int?
        var key = ""
        /// The container; it owns the node.
        private(set) unowned var parent: Node?

        init(_ content: Content) { self.content = content }

        var isIdle: Bool {
            if case .scalar = content { held == nil && name == nil } else { false }
        }
    }
}

extension TextPlaces.Node {
    func child(_ segment: String) -> TextPlaces.Node? {
        switch content {
        case .scalar: return nil
        case .object(let members): return members[segment]
        case .array(let elements): return index(segment, in: elements.count - 1).flatMap { elements[$0] }
        }
    }

    func set(_ child: TextPlaces.Node?, at segment: String) {
        child?.parent = self
        // Taken out of the node while it is changed, so that nothing is copied.
        switch content {
        case .scalar: return
        case .object(var members):
            content = .scalar
            members[segment] = child
            child?.key = segment
            content = .object(members)
        case .array(var elements):
            guard let index = index(segment, in: elements.count - 1) else { return }
            content = .scalar
            elements[index] = child
            child?.key = ""
            content = .array(elements)
        }
    }

    func insert(_ child: TextPlaces.Node?, at segment: String) {
        guard case .array(var elements) = content, let index = index(segment, in: elements.count) else { return }
        child?.parent = self
        child?.key = ""
        content = .scalar
        elements.insert(child, at: index)
        content = .array(elements)
    }

    func takeOut(_ segment: String) -> TextPlaces.Node? {
        switch content {
        case .scalar: return nil
        case .object(var members):
            content = .scalar
            defer { content = .object(members) }
            guard let child = members[segment] else { return nil }
            members[segment] = nil
            return child
        case .array(var elements):
            guard let index = index(segment, in: elements.count - 1), index < elements.count else { return nil }
            content = .scalar
            defer { content = .array(elements) }
            return elements.remove(at: index)
        }
    }

    func adopt(_ child: TextPlaces.Node, key: String = "") {
        child.parent = self
        child.key = key
    }

    var duplicate: TextPlaces.Node {
        let node = TextPlaces.Node(.scalar)
        (node.held, node.name) = (held, name)
        switch content {
        case .scalar: break
        case .object(let members):
            var copies = NameTable<TextPlaces.Node>()
            for (name, member) in members { copies[name] = member.duplicate }
            node.content = .object(copies)
        case .array(let elements):
            node.content = .array(ChunkedList(elements.elements.map { $0?.duplicate }))
        }
        return node
    }

    /// Where the node is.
    ///
    /// - Parameter hint: where it was put; the nearer it still is, the sooner it is found.
    func path(near hint: JSONPointer) -> JSONPointer {
        var segments: [String] = []
        var node = self
        while let parent = node.parent {
            let depth = hint.segments.count - segments.count - 1
            let near = hint.segments.indices.contains(depth) ? JSONPointer.arrayIndex(hint.segments[depth]) : nil
            segments.append(parent.segment(of: node, near: near ?? 0))
            node = parent
        }
        return JSONPointer(segments.reversed())
    }

    private func segment(of child: TextPlaces.Node, near index: Int) -> String {
        guard case .array(let elements) = content else { return child.key }
        let start = min(index, elements.count - 1)
        for distance in 0..<max(1, elements.count) {
            for place in distance == 0 ? [start] : [start - distance, start + distance]
            where place >= 0 && place < elements.count && elements[place] === child {
                return String(place)
            }
        }
        return ""
    }

    /// An index up to a last one; `-` is that last one (RFC 6902 §4.1).
    private func index(_ segment: String, in last: Int) -> Int? {
        OpenLeaves.Node.index(segment, in: last)
    }
}
