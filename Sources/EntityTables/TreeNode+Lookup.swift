extension TreeNode {
    /// Where the entry with an identity is, as long as the tree is not changed.
    ///
    /// - Complexity: O(log *n*), a step for each four bits of the hash that the entry shares with another one.
    @inlinable
    func find(_ id: ID, _ hash: TreeHash, _ start: TreeLevel = .root) -> EntryPlace? {
        // Unmanaged: the nodes live as long as this one, and counting references costs more than a step.
        var node = unsafe Unmanaged.passUnretained(self)
        var level = start
        while !level.isBelowHash {
            switch unsafe node.reading({ $0.content(of: TreeSlot(hash, level)) }) {
            case .nothing: return nil
            case .entry(let entry): return entry.entity.id == id ? entry : nil
            case .child(let child): unsafe node = unsafe child
            }
            level = level.next
        }
        return unsafe node.reading { $0.collidingEntry(id) }
    }

    /// Whether there is an entry with an identity; reads ahead, since all nodes on the way to it are about to be
    /// copied.
    @inlinable
    func isThere(_ id: ID, _ hash: TreeHash, _ start: TreeLevel) -> Bool {
        // As in a search: this node holds all that are met.
        var node = unsafe Unmanaged.passUnretained(self)
        var level = start
        while !level.isBelowHash {
            switch unsafe node.reading({ $0.content(of: TreeSlot(hash, level)) }) {
            case .nothing: return false
            case .entry(let entry): return entry.entity.id == id
            case .child(let child):
                unsafe node.reading { $0.touchChildren() }
                unsafe node = unsafe child
            }
            level = level.next
        }
        return unsafe node.reading { $0.collidingEntry(id) } != nil
    }

    /// What a slot holds, valid as long as the node.
    @safe @usableFromInline
    enum Content {
        case nothing
        case entry(EntryPlace)
        case child(Unmanaged<TreeNode>)
    }

    @inlinable
    @inline(__always)
    func content(of slot: TreeSlot) -> Content {
        if header.entryMap.contains(slot) { return .entry(place(header.entryMap.rank(slot))) }
        guard header.childMap.contains(slot) else { return .nothing }
        // The slot has a child, which this node holds.
        return unsafe .child(uncountedChild(header.childMap.rank(slot)))
    }

    @inlinable
    func collidingEntry(_ id: ID) -> EntryPlace? {
        for index in 0..<header.count where place(index).entity.id == id { return place(index) }
        return nil
    }

    /// Where an entry can be changed: the nodes on the way to it belong to one version only.
    ///
    /// - Parameter isThere: whether there is known to be such an entry.
    /// - Returns: nil if there is no such entry, and then nothing was copied.
    @inlinable
    static func uniqueEntry(
        _ node: inout TreeNode, _ id: ID, _ hash: TreeHash, _ level: TreeLevel, isThere: Bool = false
    ) -> EntryPlace? {
        var isThere = isThere
        if !isKnownUniquelyReferenced(&node) {
            isThere = isThere || node.isThere(id, hash, level)
            guard isThere else { return nil }
            node = node.copied(capacity: node.header.count, childCapacity: node.header.childMap.count)
        }
        if level.isBelowHash { return node.collidingEntry(id) }
        let slot = TreeSlot(hash, level)
        if node.header.entryMap.contains(slot) {
            let entry = node.place(node.header.entryMap.rank(slot))
            return entry.entity.id == id ? entry : nil
        }
        guard node.header.childMap.contains(slot) else { return nil }
        let rank = node.header.childMap.rank(slot)
        return uniqueEntry(&node[child: rank], id, hash, level.next, isThere: isThere)
    }

    /// Calls `body` with each entry of the tree below here, in no order that means anything.
    @inlinable
    func forEachEntry<Failure: Error>(_ body: (EntryPlace) throws(Failure) -> Void) throws(Failure) {
        for index in 0..<header.count { try body(place(index)) }
        for index in 0..<header.childMap.count { try self[child: index].forEachEntry(body) }
    }
}

extension Unmanaged {
    /// Calls a closure with an instance that something else holds meanwhile; no reference is counted.
    @inlinable @inline(__always)
    func reading<Result>(_ body: (Instance) -> Result) -> Result { unsafe _withUnsafeGuaranteedRef(body) }
}
