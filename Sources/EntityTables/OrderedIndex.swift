/// The identities of some entities in an order of the app's: a shelf, a feed, a page of search results.
///
/// It is a collection of identities and is changed like an array. Declared in ``EntityDatabase/indexes``, it loses what is
/// deleted at the end of each batch.
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
