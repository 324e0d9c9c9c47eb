extension TreeNode {
    /// - Returns: the one that it replaced.
    @inlinable
    static func upsert(
        _ node: inout TreeNode, _ entity: Entity, _ hash: TreeHash, _ level: TreeLevel
    ) -> Entity? {
        if level.isBelowHash { return upsertColliding(&node, entity) }
        let slot = TreeSlot(hash, level)
        if node.header.childMap.contains(slot) {
            makeUnique(&node)
            return upsert(&node[child: node.header.childMap.rank(slot)], entity, hash, level.next)
        }
        guard node.header.entryMap.contains(slot) else {
            makeUnique(&node, room: 1)
            node.insert(entity, in: slot)
            return nil
        }
        let place = node.header.entryMap.rank(slot)
        if node.place(place).entity.id == entity.id {
            makeUnique(&node)
            return node.exchange(entity, at: place)
        }
        makeUnique(&node, childRoom: 1)
        let other = node.place(place).move()
        node.closeGap(at: place)
        node.header.entryMap.remove(slot)
        let child = pair((other, TreeHash(of: other.id)), (entity, hash), level.next)
        node.insert(child, in: slot)
        return nil
    }

    @inlinable
    static func upsertColliding(_ node: inout TreeNode, _ entity: Entity) -> Entity? {
        makeUnique(&node, room: 1)
        if let entry = node.collidingEntry(entity.id) {
            // An entry of this node.
            return unsafe node.exchange(entity, at: entry.pointer - node.entries)
        }
        node.place(node.header.count).initialize(to: entity)
        node.header.entryCount += 1
        return nil
    }

    /// A node of two entries, below as many nodes as their hashes have equal digits.
    @inlinable
    static func pair(
        _ one: (entity: Entity, hash: TreeHash), _ other: (entity: Entity, hash: TreeHash), _ level: TreeLevel
    ) -> TreeNode {
        let node = make(capacity: 2)
        if level.isBelowHash {
            node.place(0).initialize(to: one.entity)
            node.place(1).initialize(to: other.entity)
            node.header.entryCount = 2
            return node
        }
        let (slot, otherSlot) = (TreeSlot(one.hash, level), TreeSlot(other.hash, level))
        if slot == otherSlot {
            let parent = make(capacity: 0, childCapacity: 1)
            parent.insert(pair(one, other, level.next), in: slot)
            return parent
        }
        node.insert(one.entity, in: slot)
        node.insert(other.entity, in: otherSlot)
        return node
    }

    /// Puts an entry into an empty slot, for which there is room.
    @inlinable
    func insert(_ entity: Entity, in slot: TreeSlot) {
        let place = header.entryMap.rank(slot)
        unsafe (entries + place + 1).moveInitialize(from: entries + place, count: header.count - place)
        self.place(place).initialize(to: entity)
        header.entryMap.insert(slot)
        header.entryCount += 1
    }

    /// Puts a child into an empty slot, for which there is room.
    @inlinable
    func insert(_ child: TreeNode, in slot: TreeSlot) {
        // The rank of a slot is at most the count of children.
        let place = unsafe firstChild + header.childMap.rank(slot)
        unsafe (place + 1).moveInitialize(from: place, count: header.childMap.count - header.childMap.rank(slot))
        unsafe place.initialize(to: child)
        header.childMap.insert(slot)
    }

    @inlinable
    func removeChild(in slot: TreeSlot) -> TreeNode {
        let rank = header.childMap.rank(slot)
        // The slot has a child, so its rank is below their count.
        let place = unsafe firstChild + rank
        let child = unsafe place.move()
        unsafe place.moveInitialize(from: place + 1, count: header.childMap.count - rank - 1)
        header.childMap.remove(slot)
        return child
    }

    @inlinable
    func exchange(_ entity: Entity, at place: Int) -> Entity {
        let entry = self.place(place)
        let old = entry.move()
        entry.initialize(to: entity)
        return old
    }

    /// Closes the gap of an entry that was moved out.
    @inlinable
    func closeGap(at place: Int) {
        // The gap is one of the entries that the header counts.
        unsafe (entries + place).moveInitialize(from: entries + place + 1, count: header.count - place - 1)
        header.entryCount -= 1
    }

    /// Removes the slot of an entry that was moved out; the nodes on the way to it belong to one version only.
    ///
    /// A child that is left with a single entry moves up into this node.
    @inlinable
    static func closeGap(
        _ node: inout TreeNode, at gap: EntryPlace, _ hash: TreeHash, _ level: TreeLevel
    ) {
        // Below the last bits a gap is in the node itself.
        if level.isBelowHash { return unsafe node.closeGap(at: gap.pointer - node.entries) }
        let slot = TreeSlot(hash, level)
        if node.header.entryMap.contains(slot) {
            node.closeGap(at: node.header.entryMap.rank(slot))
            node.header.entryMap.remove(slot)
            return
        }
        let rank = node.header.childMap.rank(slot)
        closeGap(&node[child: rank], at: gap, hash, level.next)
        guard node[child: rank].isSingle else { return }
        let child = node.removeChild(in: slot)
        let last = child.place(0).move()
        child.header.entryCount = 0
        makeUnique(&node, room: 1)
        node.insert(last, in: slot)
    }
}
