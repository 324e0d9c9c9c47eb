extension TreeNode {
    /// - Returns: how many entries it has.
    /// - Complexity: O(*n*); the tests call it after each step.
    func checkInvariants(_ level: TreeLevel = .root, prefix: UInt = 0) -> Int {
        let header = header
        precondition(header.count <= header.capacity, "a node holds more than it has room for")
        let hashes = (0..<header.count).map { TreeHash(of: place($0).entity.id) }
        let mask = level.isBelowHash ? UInt.max : (1 << level.shift) &- 1
        precondition(hashes.allSatisfy { $0.bits & mask == prefix }, "an entry is below another hash's slots")
        if level.isBelowHash { return checkCollisions() }
        precondition(header.entryMap.bits & header.childMap.bits == 0, "a slot holds an entry and a child")
        precondition(header.entryMap.count == header.count, "the map of entries does not fit")
        precondition(header.childMap.count <= Int(header.childCapacity), "a node has more children than room for them")
        for (place, hash) in hashes.enumerated() {
            let slot = TreeSlot(hash, level)
            precondition(header.entryMap.contains(slot), "an entry's slot is not in the map")
            precondition(header.entryMap.rank(slot) == place, "an entry is at another one's place")
        }
        let below = checkChildren(level, prefix)
        precondition(level.shift == 0 || header.count + below > 1, "a node below the root has a single entry")
        return header.count + below
    }

    private func checkChildren(_ level: TreeLevel, _ prefix: UInt) -> Int {
        var (count, rest, place) = (0, header.childMap.bits, 0)
        while rest != 0 {
            let digit = UInt(rest.trailingZeroBitCount)
            rest &= rest &- 1
            count += self[child: place].checkInvariants(level.next, prefix: prefix | digit &<< level.shift)
            place += 1
        }
        return count
    }

    private func checkCollisions() -> Int {
        precondition(header.entryMap.bits == 0 && header.childMap.bits == 0, "a list of colliding entries has a map")
        precondition(header.count > 1, "a list of colliding entries has fewer than two")
        precondition(
            Set((0..<header.count).map { place($0).entity.id }).count == header.count, "an entry is there twice")
        return header.count
    }
}

extension EntityTable {
    func _invariantCheck() {
        precondition(
            root.map { $0.checkInvariants() } ?? 0 == count, "the table's count is not that of its entries")
        precondition((root == nil) == (count == 0), "an empty table has a root")
    }

    /// The memory of the nodes, without what the entities refer to, in bytes.
    package var storageSize: Int { root.map { $0.storageSize } ?? 0 }
}

extension TreeNode {
    fileprivate var storageSize: Int {
        let object = 16 + MemoryLayout<TreeNodeHeader<Entity>>.stride + header.capacity * MemoryLayout<Entity>.stride
        return (0..<header.childMap.count).reduce(object + Int(header.childCapacity) * 8) {
            $0 + self[child: $1].storageSize
        }
    }
}
