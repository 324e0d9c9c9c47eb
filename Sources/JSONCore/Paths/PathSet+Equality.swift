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
            return JSONObject.changes(from: self, to: other).allSatisfy { key, pair in
                guard let a = pair.0, let b = pair.1, let node = branch.node(forKey: key) else { return false }
                return a.equals(b, reading: node)
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
