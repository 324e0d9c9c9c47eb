/// Finds what differs between two versions of a tree.
///
/// Subtrees that both share are skipped by their reference, so the search costs what differs, and the slots of the
/// nodes on the way there. Trees that share nothing are compared slot by slot as well, since equal entries make equal
/// trees.
struct TreeComparison<Entity: Identifiable> {
    enum Difference {
        case added(Entity)
        case removed(Entity)
        case changed(from: Entity, to: Entity)
    }

    private typealias Node = TreeNode<Entity>
    typealias Place = TreeNode<Entity>.EntryPlace

    private let isSame: (Place, Place) -> Bool
    /// Whether the search ends at the first difference, if the caller only needs to know whether there is one.
    private let stopsAtFirst: Bool
    private(set) var differences: [Difference] = []

    /// - Parameter isSame: whether two entries of one identity count as the same.
    init(
        from old: TreeNode<Entity>?, to new: TreeNode<Entity>?, stopsAtFirst: Bool = false,
        by isSame: @escaping (Place, Place) -> Bool
    ) {
        self.isSame = isSame
        self.stopsAtFirst = stopsAtFirst
        switch (old, new) {
        case (let old?, let new?): compare(old, new, .root)
        case (let old?, nil): appendAll(of: old, asAdded: false)
        case (nil, let new?): appendAll(of: new, asAdded: true)
        case (nil, nil): break
        }
    }

    private var isDone: Bool { stopsAtFirst && !differences.isEmpty }

    private mutating func compare(_ old: Node, _ new: Node, _ level: TreeLevel) {
        if old === new { return }
        if level.isBelowHash { return compareColliding(old, new) }
        let (before, after) = (old.header, new.header)
        compareChildren(old, new, level)
        // What both have as children is done; what is left has an entry on at least one side.
        var rest = (before.entryMap.bits | after.entryMap.bits) | (before.childMap.bits ^ after.childMap.bits)
        while rest != 0 && !isDone {
            let slot = TreeSlot(bit: rest & (0 &- rest))
            rest ^= slot.bit
            compare(old, new, at: slot)
        }
    }

    private mutating func compareChildren(_ old: Node, _ new: Node, _ level: TreeLevel) {
        let (before, after) = (old.header.childMap, new.header.childMap)
        var common = before.bits & after.bits
        while common != 0 && !isDone {
            let slot = TreeSlot(bit: common & (0 &- common))
            common ^= slot.bit
            let (place, other) = (before.rank(slot), after.rank(slot))
            if old.childWord(place) == new.childWord(other) { continue }
            compare(old[child: place], new[child: other], level.next)
        }
    }

    private mutating func compare(_ old: Node, _ new: Node, at slot: TreeSlot) {
        switch (old.content(of: slot), new.content(of: slot)) {
        case (.entry(let before), .entry(let after)): compare(before, after)
        case (.entry(let before), .child(let after)):
            unsafe compare(before, with: after.takeUnretainedValue(), isOlder: true)
        case (.child(let before), .entry(let after)):
            unsafe compare(after, with: before.takeUnretainedValue(), isOlder: false)
        case (.entry(let before), .nothing): append(before, asAdded: false)
        case (.nothing, .entry(let after)): append(after, asAdded: true)
        case (.child(let before), .nothing): unsafe appendAll(of: before.takeUnretainedValue(), asAdded: false)
        case (.nothing, .child(let after)): unsafe appendAll(of: after.takeUnretainedValue(), asAdded: true)
        case (.nothing, .nothing), (.child, .child): break  // Two children were compared before.
        }
    }

    private mutating func compare(_ before: Place, _ after: Place) {
        if before.entity.id == after.entity.id {
            if !isSame(before, after) { differences.append(.changed(from: before.entity, to: after.entity)) }
        } else {
            differences.append(.removed(before.entity))
            differences.append(.added(after.entity))
        }
    }

    /// Compares the one entry of a slot with all below the child that the other version has there.
    private mutating func compare(_ entry: Place, with child: Node, isOlder: Bool) {
        var isMet = false
        child.forEachEntry { other in
            if other.entity.id == entry.entity.id {
                isMet = true
                if isOlder { compare(entry, other) } else { compare(other, entry) }
            } else {
                append(other, asAdded: isOlder)
            }
        }
        if !isMet { append(entry, asAdded: !isOlder) }
    }

    private mutating func compareColliding(_ old: Node, _ new: Node) {
        for place in 0..<old.header.count {
            let before = old.place(place)
            if let after = new.collidingEntry(before.entity.id) {
                compare(before, after)
            } else {
                append(before, asAdded: false)
            }
        }
        for place in 0..<new.header.count where old.collidingEntry(new.place(place).entity.id) == nil {
            append(new.place(place), asAdded: true)
        }
    }

    private mutating func appendAll(of node: Node, asAdded: Bool) {
        node.forEachEntry { append($0, asAdded: asAdded) }
    }

    private mutating func append(_ entry: Place, asAdded: Bool) {
        differences.append(asAdded ? .added(entry.entity) : .removed(entry.entity))
    }
}

extension TreeComparison.Difference: Sendable where Entity: Sendable {}

extension TreeComparison.Difference {
    /// The entity before; nil of one that came.
    var old: Entity? {
        switch self {
        case .added: nil
        case .removed(let old), .changed(let old, _): old
        }
    }

    /// The entity after; nil of one that went.
    var new: Entity? {
        switch self {
        case .removed: nil
        case .added(let new), .changed(_, let new): new
        }
    }

    var id: Entity.ID {
        switch self {
        case .added(let entity), .removed(let entity), .changed(_, let entity): entity.id
        }
    }
}
