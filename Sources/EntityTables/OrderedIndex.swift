/// The identities of some entities in an order of the app's: a shelf, a feed, a page of search results.
///
/// It is a collection of identities and is changed like an array. Declared in ``EntityDatabase/indexes``, it loses what is
/// deleted at the end of each batch, or is kept sorted (``IndexRule/sorted(_:of:by:)``).
///
/// - Complexity: an array's; a commit that changes it copies the identities, and nothing of the entities.
public struct OrderedIndex<Entity: Identifiable & Encodable & Sendable>: Sendable where Entity.ID: Codable & Sendable {
    /// The identities in their order.
    public private(set) var ids: [Entity.ID] = []
    /// What was inserted since the last batch, and may not be in the table; some of it may have been removed again.
    private(set) var unchecked: Set<Entity.ID> = []

    /// An index without identities.
    public init() {}

    /// Removes every occurrence of an identity.
    public mutating func remove(_ id: Entity.ID) { ids.removeAll { $0 == id } }

    mutating func rename(_ id: Entity.ID, to newID: Entity.ID) {
        guard ids.contains(id) else { return }
        ids = ids.compactMap { $0 == newID ? nil : $0 == id ? newID : $0 }
    }

    mutating func purge(_ table: EntityTable<Entity>, deleted: Set<Entity.ID>) {
        let gone = deleted.union(unchecked.lazy.filter { !table.contains($0) })
        unchecked = []
        if !gone.isEmpty, ids.contains(where: gone.contains) { ids.removeAll(where: gone.contains) }
    }

    mutating func recheck() { unchecked = Set(ids) }

    /// Keeps what was inserted, and never much more than there is: without batches, nothing else forgets it.
    private mutating func markUnchecked(_ new: some Collection<Entity.ID>) {
        unchecked.formUnion(new)
        if unchecked.count > 2 * ids.count + 16 { unchecked.formIntersection(ids) }
    }
}

// What a rule does that keeps the identities sorted.
extension OrderedIndex {
    /// Follows a table from one version to the next.
    ///
    /// Only entities that differ are looked for and moved. All are sorted anew if the app changed the order, or if much differs.
    mutating func follow<Key>(
        _ table: EntityTable<Entity>, since before: (index: OrderedIndex, table: EntityTable<Entity>)?,
        by key: (Entity) -> Key, _ areInOrder: (Key, Key) -> Bool
    ) {
        unchecked = []
        guard let before, before.index.ids == ids,
            let moved = moved(
                from: before.table, to: table,
                by: { left, right in
                    let (one, other) = (key(left), key(right))
                    if areInOrder(one, other) { return true }
                    return !areInOrder(other, one) && IdentityOrder.isLess(left.id, right.id)
                })
        else {
            ids = table.sorted(by: key, areInOrder).map(\.id)
            return
        }
        ids = moved
    }

    /// The identities in the order of a later version of their table; nil where sorting all is cheaper, or needed.
    private func moved(
        from old: EntityTable<Entity>, to new: EntityTable<Entity>, by isBefore: (Entity, Entity) -> Bool
    ) -> [Entity.ID]? {
        let differences = new.changes(since: old).differences
        if ids.count != old.count || differences.count > ids.count / 4 { return nil }
        var (gone, come): ([Int], [Entity]) = ([], [])
        for difference in differences {
            let (before, after) = (difference.old, difference.new)
            if let before, let after, !isBefore(before, after), !isBefore(after, before) { continue }
            if let before {
                guard let place = place(of: before, in: old, by: isBefore), place < ids.count, ids[place] == before.id
                else { return nil }
                gone.append(place)
            }
            if let after { come.append(after) }
        }
        if gone.isEmpty && come.isEmpty { return ids }
        gone.sort()
        var moved: [Entity.ID] = []
        moved.reserveCapacity(new.count)
        var (copied, nextGone) = (0, 0)
        func copy(until end: Int) {
            while nextGone < gone.count, gone[nextGone] < end {
                moved += ids[copied..<gone[nextGone]]
                copied = gone[nextGone] + 1
                nextGone += 1
            }
            // A comparison that contradicts itself may give any place.
            let end = Swift.max(copied, end)
            moved += ids[copied..<end]
            copied = end
        }
        for entity in come.sorted(by: isBefore) {
            guard let place = place(of: entity, in: old, by: isBefore) else { return nil }
            copy(until: place)
            moved.append(entity.id)
        }
        copy(until: ids.count)
        return moved
    }

    /// The first place of an identity whose entity is not before another entity; nil if an entity on the way there is missing.
    private func place(
        of entity: Entity, in table: EntityTable<Entity>, by isBefore: (Entity, Entity) -> Bool
    ) -> Int? {
        var places = ids.startIndex..<ids.endIndex
        while !places.isEmpty {
            let middle = places.lowerBound + places.count / 2
            guard let other = table[ids[middle]] else { return nil }
            places = isBefore(other, entity) ? middle + 1..<places.upperBound : places.lowerBound..<middle
        }
        return places.lowerBound
    }
}

extension OrderedIndex: RandomAccessCollection, RangeReplaceableCollection, MutableCollection {
    /// The first place.
    public var startIndex: Int { 0 }
    /// The place after the last identity.
    public var endIndex: Int { ids.count }

    /// The identity at a place.
    public subscript(position: Int) -> Entity.ID {
        get { ids[position] }
        set {
            ids[position] = newValue
            markUnchecked(CollectionOfOne(newValue))
        }
    }

    /// Replaces identities by others.
    public mutating func replaceSubrange(
        _ subrange: Range<Int>, with newElements: some Collection<Entity.ID>
    ) {
        ids.replaceSubrange(subrange, with: newElements)
        markUnchecked(newElements)
    }
}

extension OrderedIndex: Hashable {
    /// Whether both have the same identities in the same order.
    public static func == (left: OrderedIndex, right: OrderedIndex) -> Bool { left.ids == right.ids }

    /// Hashes the identities.
    public func hash(into hasher: inout Hasher) { hasher.combine(ids) }
}

extension OrderedIndex: Codable {
    /// Decodes an array of identities.
    public init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode([Entity.ID].self))
    }

    /// Encodes an array of identities.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(ids)
    }
}

extension OrderedIndex: ExpressibleByArrayLiteral {
    /// An index of some identities.
    public init(arrayLiteral ids: Entity.ID...) { self.init(ids) }
}
