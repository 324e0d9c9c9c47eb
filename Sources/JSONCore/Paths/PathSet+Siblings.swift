extension PathSet {
    /// The same paths, and the names of everything that stands beside them: what it takes to tell which of them are there,
    /// and what is like those that are not.
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
