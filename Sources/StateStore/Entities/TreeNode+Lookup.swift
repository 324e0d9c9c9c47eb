extension TreeNode {
    /// Where the entry with an identity is, as long as nothing is changed.
    ///
    /// - Complexity: O(log *n*), a step for each five bits of the hash that the entry shares with another one.
    @inlinable
    func find(_ id: ID, _ hash: TreeHash) -> UnsafeMutablePointer<Entity>? {
        var node = self
        var level = TreeLevel.root
        while !level.isBelowHash {
            let slot = TreeSlot(hash, level)
            if node.header.entryMap.contains(slot) {
                let entry = node.entries + node.header.entryMap.rank(slot)
                return entry.pointee.id == id ? entry : nil
            }
            guard node.header.childMap.contains(slot) else { return nil }
            node = node.header.children[node.header.childMap.rank(slot)]
            level = level.next
        }
        return node.collidingEntry(id)
    }

    /// The entry of a list of colliding ones.
    @inlinable
    func collidingEntry(_ id: ID) -> UnsafeMutablePointer<Entity>? {
        for place in 0..<header.count where entries[place].id == id { return entries + place }
        return nil
    }

    /// Where an entry that is known to be there can be changed: the nodes on the way to it belong to one version only.
    @inlinable
    static func uniqueEntry(
        _ node: inout TreeNode, _ id: ID, _ hash: TreeHash, _ level: TreeLevel
    ) -> UnsafeMutablePointer<Entity>? {
        makeUnique(&node)
        if level.isBelowHash { return node.collidingEntry(id) }
        let slot = TreeSlot(hash, level)
        if node.header.entryMap.contains(slot) { return node.entries + node.header.entryMap.rank(slot) }
        return uniqueEntry(&node.header.children[node.header.childMap.rank(slot)], id, hash, level.next)
    }

    /// Calls `body` with each entry of the tree below here, in no order that means anything.
    @inlinable
    func forEachEntry<Failure: Error>(_ body: (UnsafePointer<Entity>) throws(Failure) -> Void) throws(Failure) {
        for place in 0..<header.count { try body(UnsafePointer(entries + place)) }
        for child in header.children { try child.forEachEntry(body) }
    }
}
