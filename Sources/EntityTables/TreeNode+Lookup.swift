extension TreeNode {
    /// Where the entry with an identity is, as long as the tree is not changed.
    ///
    /// - Complexity: O(log *n*), a step for each four bits of the hash that the entry shares with another one.
    @inlinable
    func find(_ id: ID, _ hash: TreeHash, _ start: TreeLevel = .root) -> UnsafeMutablePointer<Entity>? {
        // Unmanaged: the nodes live as long as this one, and counting references costs more than a step.
        var node = Unmanaged.passUnretained(self)
        var level = start
        while !level.isBelowHash {
            switch node._withUnsafeGuaranteedRef({ $0.content(of: TreeSlot(hash, level)) }) {
            case .nothing: return nil
            case .entry(let entry): return entry.pointee.id == id ? entry : nil
            case .child(let child): node = child
            }
            level = level.next
        }
        return node._withUnsafeGuaranteedRef { $0.collidingEntry(id) }
    }

    /// Whether there is an entry with an identity; reads ahead, since all nodes on the way to it are about to be
    /// copied.
    @inlinable
    func isThere(_ id: ID, _ hash: TreeHash, _ start: TreeLevel) -> Bool {
        var node = Unmanaged.passUnretained(self)
        var level = start
        while !level.isBelowHash {
            switch node._withUnsafeGuaranteedRef({ $0.content(of: TreeSlot(hash, level)) }) {
            case .nothing: return false
            case .entry(let entry): return entry.pointee.id == id
            case .child(let child):
                node._withUnsafeGuaranteedRef { $0.touchChildren() }
                node = child
            }
            level = level.next
        }
        return node._withUnsafeGuaranteedRef { $0.collidingEntry(id) } != nil
    }

    /// What a slot holds.
    @usableFromInline
    enum Content {
        case nothing
        case entry(UnsafeMutablePointer<Entity>)
        case child(Unmanaged<TreeNode>)
    }

    @inlinable
    @inline(__always)
    func content(of slot: TreeSlot) -> Content {
        if header.entryMap.contains(slot) { return .entry(entries + header.entryMap.rank(slot)) }
        guard header.childMap.contains(slot) else { return .nothing }
        return .child(Unmanaged.passUnretained(firstChild[header.childMap.rank(slot)]))
    }

    /// The entry of a list of colliding ones.
    @inlinable
    func collidingEntry(_ id: ID) -> UnsafeMutablePointer<Entity>? {
        for place in 0..<header.count where entries[place].id == id { return entries + place }
        return nil
    }

    /// Where an entry can be changed: the nodes on the way to it belong to one version only.
    ///
    /// - Parameter isThere: whether there is known to be such an entry.
    /// - Returns: nil if there is no such entry, and then nothing was copied.
    @inlinable
    static func uniqueEntry(
        _ node: inout TreeNode, _ id: ID, _ hash: TreeHash, _ level: TreeLevel, isThere: Bool = false
    ) -> UnsafeMutablePointer<Entity>? {
        var isThere = isThere
        if !isKnownUniquelyReferenced(&node) {
            isThere = isThere || node.isThere(id, hash, level)
            guard isThere else { return nil }
            node = node.copied(capacity: node.header.count, childCapacity: node.header.childMap.count)
        }
        if level.isBelowHash { return node.collidingEntry(id) }
        let slot = TreeSlot(hash, level)
        if node.header.entryMap.contains(slot) {
            let entry = node.entries + node.header.entryMap.rank(slot)
            return entry.pointee.id == id ? entry : nil
        }
        guard node.header.childMap.contains(slot) else { return nil }
        let rank = node.header.childMap.rank(slot)
        return uniqueEntry(&node.firstChild[rank], id, hash, level.next, isThere: isThere)
    }

    /// Calls `body` with each entry of the tree below here, in no order that means anything.
    @inlinable
    func forEachEntry<Failure: Error>(_ body: (UnsafePointer<Entity>) throws(Failure) -> Void) throws(Failure) {
        for place in 0..<header.count { try body(UnsafePointer(entries + place)) }
        for child in children { try child.forEachEntry(body) }
    }
}
