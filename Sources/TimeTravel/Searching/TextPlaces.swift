import JSONCore

/// The places of a state that hold a text: scalars that have it, and members whose names do.
///
/// It has the shape of the state, so an operation moves the places as it moves the values. A place that is written over
/// with a value that has the text too stays open; a container that is written whole is compared place by place.
///
/// - Complexity: an operation costs the length of its path and the size of what it writes; memory is that of the
///   state's containers, and of what has the text.
struct TextPlaces {
    struct Opened {
        let place: Int
        let isName: Bool
        /// Where it is now; before it is taken, where it was put.
        fileprivate(set) var path: JSONPointer
        let value: JSONValue
    }

    private let matches: (String) -> Bool
    private var root = Node(.object(NameTable()))
    private var count = 0
    private var opened: [Opened] = []
    private var closed: [Int] = []
    private var newNodes: [Int: Node] = [:]
    private var mayMatch = true

    init(matches: @escaping (String) -> Bool) { self.matches = matches }

    /// The places that came in since this was asked last and are still there, and those that are no longer there.
    mutating func takeChanges() -> (opened: [Opened], closed: [Int]) {
        defer { (opened, closed, newNodes) = ([], [], [:]) }
        let gone = Set(closed)
        let left = opened.compactMap { place -> Opened? in
            guard !gone.contains(place.place), let node = newNodes[place.place] else { return nil }
            var place = place
            place.path = node.path(near: place.path)
            return place
        }
        return (left, closed.filter { newNodes[$0] == nil })
    }

    // MARK: What happens

    /// - Parameter mayMatch: false where nothing that it writes has the text.
    mutating func follow(_ operation: JSONPatch.Operation, mayMatch: Bool) {
        self.mayMatch = mayMatch
        switch operation {
        case .add(let path, let value): add(path) { $0.written(value, over: $1, &$2) }
        case .replace(let path, let value, _): put(path) { $0.written(value, over: $1, &$2) }
        case .remove(let path, _): close(takeOut(path))
        case .move(let from, let path): move(from, path)
        case .copy(let from, let path):
            // What is copied into itself is copied as it was.
            let isInside = path.segments.starts(with: from.segments, by: UTF8Order.equal)
            let source = node(at: from.segments[...]).map { isInside ? $0.duplicate : $0 }
            add(path) { places, old, path in
                guard let source else {
                    places.close(old)
                    return nil
                }
                return places.copied(source, over: old, &path)
            }
        case .test: break
        }
    }

    mutating func restart(with state: JSONValue) {
        mayMatch = true
        var path: [String] = []
        root = written(state, over: root, &path) ?? Node(.object(NameTable()))
    }

    mutating func keep(_ stores: JSONObject) {
        guard case .object(let members) = root.content else { return }
        for name in members.names where stores[name] == nil { close(root.takeOut(name)) }
    }

    private typealias Write = (inout TextPlaces, Node?, inout [String]) -> Node?

    private mutating func add(_ path: JSONPointer, _ write: Write) {
        guard let last = path.segments.last, let parent = node(at: path.segments.dropLast()),
            case .array = parent.content
        else { return put(path, write) }
        var segments = path.segments
        parent.insert(write(&self, nil, &segments), at: last)
    }

    private mutating func put(_ path: JSONPointer, _ write: Write) {
        var segments = path.segments
        guard let last = segments.last, let parent = node(at: segments.dropLast()) else { return }
        let old = parent.child(last)
        let name = old?.name
        old?.name = nil
        let node = write(&self, old, &segments)
        guard case .object = parent.content else { return parent.set(node, at: last) }
        let member = node ?? Node(.scalar)
        member.name = name.map { kept($0, by: member) } ?? opening(ofName: last, segments, member)
        parent.set(member.isIdle ? nil : member, at: last)
    }

    private mutating func takeOut(_ path: JSONPointer) -> Node? {
        guard let last = path.segments.last else { return nil }
        return node(at: path.segments.dropLast())?.takeOut(last)
    }

    private mutating func move(_ from: JSONPointer, _ path: JSONPointer) {
        if from == path { return }
        let moved = takeOut(from)
        // A name that is moved as it is stays the place that it was.
        let name = moved?.name
        moved?.name = nil
        let keepsName = name != nil && UTF8Order.equal(from.segments.last ?? "", path.segments.last ?? "")
        var isKept = false
        if keepsName, let last = path.segments.last, let parent = node(at: path.segments.dropLast()),
            case .object = parent.content, parent.child(last)?.name == nil
        {
            let holder = parent.child(last) ?? Node(.scalar)
            holder.name = name.map { kept($0, by: holder) }
            parent.set(holder, at: last)
            isKept = true
        }
        if let name, !isKept { closed.append(name) }
        add(path) { places, old, _ in
            places.close(old)
            return moved
        }
    }

    // MARK: Writing

    /// The node of a value in the place of another one, nil for a scalar without the text; what has the text in both stays open.
    private mutating func written(_ value: JSONValue, over old: Node?, _ path: inout [String]) -> Node? {
        defer { close(old) }
        switch value {
        case .object(let object):
            let node = Node(.object(NameTable()))
            var members = NameTable<Node>()
            for (key, member) in object {
                let old = Self.member(key, of: old)
                path.append(key)
                defer { path.removeLast() }
                let name = old?.name
                old?.name = nil
                let child = written(member, over: old, &path) ?? Node(.scalar)
                child.name = name.map { kept($0, by: child) } ?? opening(ofName: key, path, child)
                if child.isIdle { continue }
                node.adopt(child, key: key)
                members[key] = child
            }
            node.content = .object(members)
            return node
        case .array(let elements):
            let node = Node(.scalar)
            var children: [Node?] = []
            children.reserveCapacity(elements.count)
            for (index, element) in elements.enumerated() {
                path.append(String(index))
                let child = written(element, over: Self.element(index, of: old), &path)
                path.removeLast()
                if let child { node.adopt(child) }
                children.append(child)
            }
            node.content = .array(ChunkedList(children))
            return node
        case .string(let text): return leaf(value, text, over: old, path)
        case .number(let number): return leaf(value, number.text, over: old, path)
        case .null, .bool: return nil
        }
    }

    private mutating func copied(_ source: Node, over old: Node?, _ path: inout [String]) -> Node? {
        defer { close(old) }
        switch source.content {
        case .scalar: return source.held.map { opening(of: $0.value, over: old, path) }
        case .object(let sources):
            let node = Node(.object(NameTable()))
            var members = NameTable<Node>()
            for (key, source) in sources {
                let old = Self.member(key, of: old)
                path.append(key)
                defer { path.removeLast() }
                let name = old?.name
                old?.name = nil
                let child = copied(source, over: old, &path) ?? Node(.scalar)
                if source.name != nil {
                    child.name = name.map { kept($0, by: child) } ?? opening(named: key, path, child)
                }
                if child.isIdle { continue }
                node.adopt(child, key: key)
                members[key] = child
            }
            node.content = .object(members)
            return node
        case .array(let sources):
            let node = Node(.scalar)
            var children: [Node?] = []
            for (index, source) in sources.elements.enumerated() {
                let old = Self.element(index, of: old)
                path.append(String(index))
                let child = source.flatMap { copied($0, over: old, &path) }
                path.removeLast()
                if let child { node.adopt(child) }
                children.append(child)
            }
            node.content = .array(ChunkedList(children))
            return node
        }
    }

    private mutating func leaf(_ value: JSONValue, _ text: String, over old: Node?, _ path: [String]) -> Node? {
        mayMatch && matches(text) ? opening(of: value, over: old, path) : nil
    }

    private mutating func opening(of value: JSONValue, over old: Node?, _ path: [String]) -> Node {
        let node = Node(.scalar)
        if let held = old?.held {
            old?.held = nil
            node.held = (kept(held.place, by: node), value)
        } else {
            node.held = (open(node, isName: false, path, value), value)
        }
        return node
    }

    private mutating func opening(ofName key: String, _ path: [String], _ node: Node) -> Int? {
        mayMatch && matches(key) ? opening(named: key, path, node) : nil
    }

    private mutating func opening(named key: String, _ path: [String], _ node: Node) -> Int {
        open(node, isName: true, path, .string(key))
    }

    private mutating func open(_ node: Node, isName: Bool, _ path: [String], _ value: JSONValue) -> Int {
        opened.append(Opened(place: count, isName: isName, path: JSONPointer(path), value: value))
        newNodes[count] = node
        count += 1
        return count - 1
    }

    private mutating func kept(_ place: Int, by node: Node) -> Int {
        if newNodes[place] != nil { newNodes[place] = node }
        return place
    }

    private mutating func close(_ node: Node?) {
        guard let node else { return }
        if let held = node.held { closed.append(held.place) }
        if let name = node.name { closed.append(name) }
        (node.held, node.name) = (nil, nil)
        switch node.content {
        case .scalar: break
        case .object(let members): for (_, member) in members { close(member) }
        case .array(let elements): for element in elements.elements { close(element) }
        }
    }

    // MARK: Places

    private func node(at path: ArraySlice<String>) -> Node? {
        var node = root
        for segment in path {
            guard let next = node.child(segment) else { return nil }
            node = next
        }
        return node
    }

    private static func member(_ key: String, of node: Node?) -> Node? {
        if case .object(let members)? = node?.content { members[key] } else { nil }
    }

    private static func element(_ index: Int, of node: Node?) -> Node? {
        if case .array(let elements)? = node?.content, index < elements.count { elements[index] } else { nil }
    }

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
        var isIdle: Bool { if case .scalar = content { held == nil && name == nil } else { false } }

        func child(_ segment: String) -> Node? {
            switch content {
            case .scalar: return nil
            case .object(let members): return members[segment]
            case .array(let elements): return index(segment, in: elements.count - 1).flatMap { elements[$0] }
            }
        }

        func set(_ child: Node?, at segment: String) {
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

        func insert(_ child: Node?, at segment: String) {
            guard case .array(var elements) = content, let index = index(segment, in: elements.count) else { return }
            child?.parent = self
            child?.key = ""
            content = .scalar
            elements.insert(child, at: index)
            content = .array(elements)
        }

        func takeOut(_ segment: String) -> Node? {
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

        func adopt(_ child: Node, key: String = "") {
            child.parent = self
            child.key = key
        }

        var duplicate: Node {
            let node = Node(.scalar)
            (node.held, node.name) = (held, name)
            switch content {
            case .scalar: break
            case .object(let members):
                var copies = NameTable<Node>()
                for (name, member) in members { copies[name] = member.duplicate }
                node.content = .object(copies)
            case .array(let elements):
                node.content = .array(ChunkedList(elements.elements.map { $0?.duplicate }))
            }
            return node
        }

        /// Where the node is; the nearer to a hint, the sooner it is found.
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

        private func segment(of child: Node, near index: Int) -> String {
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

        private func index(_ segment: String, in last: Int) -> Int? { OpenLeaves.Node.index(segment, in: last) }
    }
}
