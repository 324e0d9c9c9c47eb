/// The identities of some entities without an order: favourites, what is selected, what is being uploaded.
///
/// Declared in ``EntityDatabase/indexes``, it loses what is deleted at the end of each batch.
///
/// - Complexity: a set's; a commit that changes it copies the identities, and nothing of the entities.
public struct SetIndex<Entity: Identifiable & Encodable & Sendable>: Sendable where Entity.ID: Codable & Sendable {
    /// The identities.
    public private(set) var ids: Set<Entity.ID>
    /// What was inserted since the last batch, and may not be in the table.
    private(set) var unchecked: Set<Entity.ID>

    /// An index without identities.
    public init() { self.init(EmptyCollection()) }

    /// An index of some identities.
    public init(_ ids: some Sequence<Entity.ID>) {
        self.ids = Set(ids)
        unchecked = self.ids
    }

    /// Whether an identity is in the set.
    public func contains(_ id: Entity.ID) -> Bool { ids.contains(id) }

    /// Inserts an identity.
    ///
    /// - Returns: whether it was not there.
    @discardableResult
    public mutating func insert(_ id: Entity.ID) -> Bool {
        guard ids.insert(id).inserted else { return false }
        unchecked.insert(id)
        return true
    }

    /// Removes an identity.
    ///
    /// - Returns: whether it was there.
    @discardableResult
    public mutating func remove(_ id: Entity.ID) -> Bool {
        unchecked.remove(id)
        return ids.remove(id) != nil
    }

    /// Inserts an identity that is not there, or removes one that is.
    public mutating func toggle(_ id: Entity.ID) {
        if !remove(id) { insert(id) }
    }

    /// Removes every identity.
    public mutating func removeAll() { (ids, unchecked) = ([], []) }

    mutating func rename(_ id: Entity.ID, to newID: Entity.ID) { if remove(id) { ids.insert(newID) } }

    mutating func purge(_ table: EntityTable<Entity>, deleted: Set<Entity.ID>) {
        for id in unchecked where !table.contains(id) { ids.remove(id) }
        unchecked = []
        for id in deleted where ids.contains(id) { ids.remove(id) }
    }

    mutating func recheck() { unchecked = ids }
}

extension SetIndex: Sequence {
    /// Goes through the identities, in no order that means anything.
    public func makeIterator() -> Set<Entity.ID>.Iterator { ids.makeIterator() }

    /// How many identities there are.
    public var count: Int { ids.count }
    /// Whether there are no identities.
    public var isEmpty: Bool { ids.isEmpty }
    /// The number of identities.
    public var underestimatedCount: Int { count }
}

extension SetIndex: Hashable {
    /// Whether both have the same identities.
    public static func == (left: SetIndex, right: SetIndex) -> Bool { left.ids == right.ids }

    /// Hashes the identities.
    public func hash(into hasher: inout Hasher) { hasher.combine(ids) }
}

extension SetIndex: Codable {
    /// Decodes an array of identities.
    public init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(Set<Entity.ID>.self))
    }

    /// Encodes an array of identities, in a journal in the order of their texts.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(ids)
    }
}

extension SetIndex: ExpressibleByArrayLiteral {
    /// An index of some identities.
    public init(arrayLiteral ids: Entity.ID...) { self.init(ids) }
}
