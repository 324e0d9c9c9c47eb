import JSONCore

/// The leaves of a state whose writer is still searched for, in the shape that the state has at some position.
///
/// A patch is followed through it forward or backward; the number of a leaf that was written comes out of
/// ``takeClosed()``.
///
/// - Complexity: an operation costs the length of its path, and where elements shift a small part of its array.
struct OpenLeaves {
    private var root: Node?
    private var closed: [Int] = []
    private var replaced: [(leaf: Int, value: JSONValue)] = []
    private var newPlaces: [JSONPointer] = []
    private(set) var count = 0

    // MARK: Building

    /// `parts` are in document order, none inside another; a leaf's number is the number of calls of `note` before it.
    init(of parts: [JSONPointer], in state: JSONValue, _ note: (JSONPointer, JSONValue) -> Void) {
        for part in parts {
            guard let value = part.value(in: state) else { continue }
            var segments = part.segments
            let node = open(value, &segments, note)
            place(node, at: part.segments[...], in: state)
        }
    }

    /// One value as a leaf, whatever is in it: an operation inside it closes it too.
    init(whole place: JSONPointer, in state: JSONValue) {
        count = 1
        self.place(Node(.leaf(0)), at: place.segments[...], in: state)
    }

    private mutating func open(
        _ value: JSONValue, _ path: inout [String], _ note: (JSONPointer, JSONValue) -> Void
    ) -> Node {
        switch value {
        case .object(let object) where !object.isEmpty:
            var members: [Node.Member] = []
            for (key, member) in object {
                path.append(key)
                members.append(Node.Member(key: key, node: open(member, &path, note)))
                path.removeLast()
            }
            return Node(.object(members.sorted { UTF8Order.isLess($0.key, $1.key) }))
        case .array(let elements) where !elements.isEmpty:
            var nodes: [Node?] = []
            for (index, element) in elements.enumerated() {
                path.append(String(index))
                nodes.append(open(element, &path, note))
                path.removeLast()
            }
            return Node(.array(ChunkedList(nodes)))
        default:
            note(JSONPointer(path), value)
            count += 1
            return Node(.leaf(count - 1))
        }
    }

    /// The containers above it that nothing was open in get the kind and length that they have in the state.
    private mutating func place(_ part: Node, at path: ArraySlice<String>, in state: JSONValue) {
        guard let last = path.last else { return root = part }
        var shape = state
        var node = root ?? Node.empty(shape)
        root = node
        for segment in path.dropLast() {
            shape = JSONPointer([segment]).value(in: shape) ?? .null
            let next = node.child(segment) ?? Node.empty(shape)
            node.set(next, at: segment)
            node = next
        }
        node.set(part, at: last)
    }

    // MARK: Answers

    /// Where the first open leaf is now; O(n) in the elements of the arrays that it is in.
    var firstPlace: JSONPointer? {
        var segments: [String] = []
        return root.map { $0.reachesLeaf(&segments) } == true ? JSONPointer(segments) : nil
    }

    mutating func takeClosed() -> [Int] {
        defer { closed.removeAll(keepingCapacity: true) }
        return closed
    }

    /// What was at the places of open leaves before an operation that was passed over, since this was asked last.
    mutating func takeReplaced() -> [(leaf: Int, value: JSONValue)] {
        defer { replaced.removeAll() }
        return replaced
    }

    /// Where open leaves came to since this was asked last, which no set of paths that was asked for before has.
    mutating func takeNewPlaces() -> [JSONPointer] {
        defer { newPlaces.removeAll() }
        return newPlaces
    }

    /// The paths whose changes can matter to an open leaf, of an array all of it; what has no open leaf is forgotten.
    mutating func takePaths() -> PathSet {
        let node = root.flatMap(OpenLeaves.prune)
        if node == nil { root = nil }
        return PathSet(node)
    }

    private static func prune(_ node: Node) -> PathSet.Node? {
        switch node.content {
        case .leaf: return .all
        case .array(var elements):
            node.content = .object([])
            var isOpen = false
            elements.modifyEach { element in
                guard let child = element else { return }
                if prune(child) == nil { element = nil } else { isOpen = true }
            }
            node.content = .array(elements)
            return isOpen ? .all : nil
        case .object(let members):
            var (open, paths): ([Node.Member], [(key: String, node: PathSet.Node)]) = ([], [])
            for member in members {
                guard let child = member.node, let path = prune(child) else { continue }
                open.append(member)
                paths.append((member.key, path))
            }
            node.content = .object(open)
            return open.isEmpty ? nil : PathSet.Node(members: paths)
        }
    }

    // MARK: Following

    /// `before` is called only where an operation moves a value between containers.
    mutating func undo<Failure: Error>(
        _ operation: JSONPatch.Operation, before: () throws(Failure) -> JSONValue
    ) throws(Failure) {
        switch operation {
        case .replace(let path, _, _): close(at: path)
        case .add(let path, _), .copy(_, let path): close(takeOut(at: path))
        case .remove(let path, _): _ = try putIn(nil, at: path, shape: before)
        case .move(let from, let path): try move(from: path, to: from, shape: before)
        case .test: break
        }
    }

    mutating func follow<Failure: Error>(
        _ operation: JSONPatch.Operation, after: () throws(Failure) -> JSONValue
    ) throws(Failure) {
        switch operation {
        case .replace(let path, _, _): close(at: path)
        case .add(let path, _), .copy(_, let path): try putIn(nil, at: path, shape: after)
        case .remove(let path, _): close(takeOut(at: path))
        case .move(let from, let path): try move(from: from, to: path, shape: after)
        case .test: break
        }
    }

    /// Goes back over an operation that counts as if it had not been, as far as what it replaced has the same paths.
    mutating func pass(_ operation: JSONPatch.Operation) {
        guard case .replace(let path, _, let old?) = operation, let node = node(at: path.segments[...]) else { return }
        fit(node, to: old)
    }

    func isOpenMember(_ path: JSONPointer) -> Bool {
        guard let last = path.segments.last, var node = root else { return false }
        for segment in path.segments.dropLast() {
            guard let next = node.child(segment) else { return false }
            node = next
        }
        guard case .object = node.content else { return false }
        return node.child(last) != nil
    }

    private mutating func move<Failure: Error>(
        from: JSONPointer, to path: JSONPointer, shape: () throws(Failure) -> JSONValue
    ) throws(Failure) {
        guard from != path else { return }
        let node = takeOut(at: from)
        try putIn(node, at: path, shape: shape)
        if node != nil, !isSameArray(from, path) { newPlaces.append(path) }
    }

    private func isSameArray(_ from: JSONPointer, _ path: JSONPointer) -> Bool {
        guard let parent = path.parent, from.parent == parent, var node = root else { return false }
        for segment in parent.segments {
            guard let next = node.child(segment) else { return false }
            node = next
        }
        if case .array = node.content { return true }
        return false
    }

    /// Closes all leaves of a member of the state: its store was written whole.
    mutating func close(member: String) {
        guard let root, let node = root.child(member) else { return }
        root.set(nil, at: member)
        close(node)
    }

    mutating func closeAll() {
        close(root)
        root = nil
    }

    // MARK: Places

    /// Nil where nothing is open there or below; an open leaf above it was a container, and is closed.
    private mutating func node(at path: ArraySlice<String>) -> Node? {
        guard var node = root else { return nil }
        var walked: (node: Node, segment: String)?
        for segment in path {
            if case .leaf = node.content {
                if let walked { walked.node.set(nil, at: walked.segment) } else { root = nil }
                close(node)
                return nil
            }
            guard let next = node.child(segment) else { return nil }
            walked = (node, segment)
            node = next
        }
        return node
    }

    private mutating func container(of path: JSONPointer) -> Node? {
        guard let node = node(at: path.segments.dropLast()) else { return nil }
        guard case .leaf = node.content else { return node }
        close(at: JSONPointer(Array(path.segments.dropLast())))
        return nil
    }

    private mutating func close(at path: JSONPointer) {
        guard let last = path.segments.last else { return closeAll() }
        guard let parent = container(of: path), let node = parent.child(last) else { return }
        parent.set(nil, at: last)
        close(node)
    }

    private mutating func takeOut(at path: JSONPointer) -> Node? {
        guard let last = path.segments.last else {
            defer { root = nil }
            return root
        }
        guard let parent = container(of: path) else { return nil }
        guard case .array(var elements) = parent.content else {
            defer { parent.set(nil, at: last) }
            return parent.child(last)
        }
        guard let index = Node.index(last, in: elements.count - 1), index < elements.count else { return nil }
        parent.content = .object([])
        let node = elements.remove(at: index)
        parent.content = .array(elements)
        return node
    }

    private mutating func putIn<Failure: Error>(
        _ node: Node?, at path: JSONPointer, shape: () throws(Failure) -> JSONValue
    ) throws(Failure) {
        guard let last = path.segments.last else {
            closeAll()
            return root = node
        }
        guard let parent = container(of: path) else {
            if let node { place(node, at: path.segments[...], in: try shape()) }
            return
        }
        guard case .array(var elements) = parent.content else {
            close(parent.child(last))
            return parent.set(node, at: last)
        }
        guard let index = Node.index(last, in: elements.count) else { return close(node) }
        parent.content = .object([])
        elements.insert(node, at: index)
        parent.content = .array(elements)
    }

    private mutating func close(_ node: Node?) {
        guard let node else { return }
        switch node.content {
        case .leaf(let number):
            closed.append(number)
            count -= 1
        case .object(let members): for member in members { close(member.node) }
        case .array(let elements): for element in elements.elements { close(element) }
        }
    }

    /// Keeps open what a value has at the same paths, and closes the rest.
    private mutating func fit(_ node: Node, to value: JSONValue) {
        switch (node.content, value) {
        case (.leaf(let number), _): replaced.append((number, value))
        case (.object(let members), .object(let object)):
            for member in members { fit(member.node, at: member.key, of: node, to: object[member.key]) }
        case (.array(let nodes), .array(let elements)):
            for (index, element) in nodes.elements.enumerated() {
                fit(element, at: String(index), of: node, to: index < elements.count ? elements[index] : nil)
            }
            guard case .array(let fitted) = node.content else { return }
            let kept = fitted.elements.prefix(elements.count)
            let rest = repeatElement(nil as Node?, count: max(0, elements.count - fitted.count))
            node.content = .array(ChunkedList(Array(kept) + rest))
        case (.object(let members), _):
            for member in members { fit(member.node, at: member.key, of: node, to: nil) }
        case (.array(let nodes), _):
            for (index, element) in nodes.elements.enumerated() { fit(element, at: String(index), of: node, to: nil) }
        }
    }

    private mutating func fit(_ child: Node?, at segment: String, of node: Node, to value: JSONValue?) {
        guard let child else { return }
        if let value { return fit(child, to: value) }
        node.set(nil, at: segment)
        close(child)
    }
}
