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
