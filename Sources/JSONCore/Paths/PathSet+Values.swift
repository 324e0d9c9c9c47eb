extension JSONValue {
    /// The value with only what a set reads: members outside it are gone, elements outside it are null, so that arrays keep
    /// their length.
    public func pruned(to set: PathSet) -> JSONValue {
        pruned(to: set.pruningNode)
    }

    /// The value with only what a node reads.
    ///
    /// - Complexity: O(*n*) in what the node reads of the value, and in the members of every object above that.
    public func pruned(to node: PathSet.Node) -> JSONValue {
        guard case .branch(let branch) = node else { return self }
        switch self {
        case .object(let members): return .object(members.pruned(to: branch))
        case .array(let elements):
            guard let element = branch.element else {
                return .array(Array(repeating: .null, count: elements.count))
            }
            return element == .all ? self : .array(elements.map { $0.pruned(to: element) })
        default: return self
        }
    }
}

extension JSONValue {
    /// The part that a pointer leads to in a value that is pruned to a node, and what is read of it; nil where nothing is
    /// there, or nothing is read.
    package func part(at pointer: JSONPointer, pruning node: PathSet.Node) -> (JSONValue, PathSet.Node)? {
        var (value, node) = (self, node)
        for segment in pointer.segments {
            let next: PathSet.Node?
            switch value {
            case .object: next = node.node(forKey: segment)
            case .array: next = node.element
            default: return nil
            }
            guard let next, let part = JSONPointer([segment]).value(in: value) else { return nil }
            (value, node) = (part, next)
        }
        return (value, node)
    }
}

extension JSONObject {
    fileprivate func pruned(to branch: PathSet.Branch) -> JSONObject {
        if branch.each == nil, branch.members.isEmpty { return JSONObject() }
        return JSONObject(
            lazy.compactMap { key, value in branch.node(forKey: key).map { (key: key, value: value.pruned(to: $0)) } })
    }
}

extension JSONValue {
    /// Whether two values are the same in what a node reads, as both are when they are pruned to it.
    ///
    /// - Complexity: O(*n*) in what the node reads and the values do not share.
    public func equals(_ other: JSONValue, reading node: PathSet.Node) -> Bool {
        if sharesStorage(with: other) { return true }
        guard case .branch(let branch) = node else { return self == other }
        switch (self, other) {
        case (.object(let a), .object(let b)): return a.equals(b, reading: branch)
        case (.array(let a), .array(let b)):
            guard a.count == b.count else { return false }
            guard let element = branch.element else { return true }
            return a.indices.allSatisfy { a[$0].equals(b[$0], reading: element) }
        case (.object, _), (_, .object), (.array, _), (_, .array): return false
        default: return self == other
        }
    }
}

extension JSONObject {
    fileprivate func equals(_ other: JSONObject, reading branch: PathSet.Branch) -> Bool {
        guard branch.each == nil else {
            let (own, others) = JSONObject.apart(self, other)
            return own.count == others.count
                && zip(own, others).allSatisfy { a, b in
                    guard UTF8Order.equal(a.key, b.key), let node = branch.node(forKey: a.key) else { return false }
                    return a.value.equals(b.value, reading: node)
                }
        }
        return branch.members.allSatisfy { key, node in
            switch (self[key], other[key]) {
            case (let a?, let b?): a.equals(b, reading: node)
            case (nil, nil): true
            default: false
            }
        }
    }
}

extension PathSet {
    /// These paths, and the names of everything that stands beside them: what is needed to find which of them are
    /// there, and what is like those that are not.
    public var withSiblings: PathSet { PathSet(root?.withSiblings) }
}

extension PathSet.Node {
    fileprivate var withSiblings: PathSet.Node {
        guard case .branch(let branch) = self, branch.each != nil || !branch.members.isEmpty else { return self }
        return PathSet.Node(
            members: branch.members.map { ($0.key, $0.node.withSiblings) },
            each: branch.each?.withSiblings ?? .shallow)
    }
}
