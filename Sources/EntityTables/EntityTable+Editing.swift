internal import StateEncoding

extension EntityTable {
    /// Inserts entities, or replaces those with their identities.
    @inlinable
    public mutating func upsert(contentsOf entities: some Sequence<Entity>) {
        for entity in entities { upsert(entity) }
    }

    /// Inserts an entity unless there is one with its identity.
    ///
    /// - Returns: whether it was inserted.
    @discardableResult
    @inlinable
    public mutating func insert(_ entity: Entity) -> Bool {
        if contains(entity.id) { return false }
        upsert(entity)
        return true
    }

    /// Inserts the entities whose identities are not there yet.
    @inlinable
    public mutating func insert(contentsOf entities: some Sequence<Entity>) {
        for entity in entities { insert(entity) }
    }

    /// Changes the entity with an identity in place.
    ///
    /// - Parameter body: changes the entity, but not its identity, which ``rename(_:to:_:)`` does.
    /// - Returns: what the closure returned; nil where there is no such entity, and the closure was not run.
    /// - Throws: what the closure throws; then the entity is as it was.
    /// - Complexity: O(log *n*). A closure that may throw is given a copy, so that a collection in it is copied when it changes.
    @discardableResult
    @inlinable
    public mutating func update<Result, Failure: Error>(
        _ id: ID, _ body: (inout Entity) throws(Failure) -> Result
    ) throws(Failure) -> Result? {
        guard let entry = uniqueEntry(id, TreeHash(of: id)) else { return nil }
        if Failure.self == Never.self {
            let result = try body(&entry.entity)
            if entry.entity.id != id { Self.refuse(entry.entity.id, for: id) }
            return result
        }
        var entity = entry.entity
        let result = try body(&entity)
        if entity.id != id { Self.refuse(entity.id, for: id) }
        entry.entity = entity
        return result
    }

    /// Changes the entities with some identities, if they are there; those before one at which the closure throws stay
    /// changed.
    @inlinable
    public mutating func update<Failure: Error>(
        _ ids: some Sequence<ID>, _ body: (inout Entity) throws(Failure) -> Void
    ) throws(Failure) {
        for id in ids { try update(id, body) }
    }

    /// Changes every entity; those before one at which the closure throws stay changed.
    ///
    /// - Complexity: O(*n* log *n*), and no structure is shared with other versions afterwards.
    @inlinable
    public mutating func updateAll<Failure: Error>(
        _ body: (inout Entity) throws(Failure) -> Void
    ) throws(Failure) {
        for id in Array(ids) { try update(id, body) }
    }

    /// Removes the entities with some identities.
    @inlinable
    public mutating func remove(contentsOf ids: some Sequence<ID>) {
        for id in ids { remove(id) }
    }

    /// Removes the entities that a closure chooses.
    @inlinable
    public mutating func removeAll<Failure: Error>(
        where shouldBeRemoved: (Entity) throws(Failure) -> Bool
    ) throws(Failure) {
        var chosen: [ID] = []
        try forEachEntry { entity throws(Failure) in
            if try shouldBeRemoved(entity.entity) { chosen.append(entity.entity.id) }
        }
        remove(contentsOf: chosen)
    }

    /// Removes every entity.
    @inlinable
    public mutating func removeAll() { self = EntityTable() }

    /// Makes some entities the whole of the table.
    ///
    /// Entities that hold the same as those that are there keep their place, so that the difference to the version before
    /// is only what changed. Their `==` is not asked: it may leave properties out.
    public mutating func setAll(_ entities: some Sequence<Entity>) {
        let content = ContentComparison.of(Entity.self)
        var staying: Set<ID> = []
        for entity in entities {
            staying.insert(entity.id)
            let isThere = withAddress(of: entity) { new in
                root?.find(entity.id, TreeHash(of: entity.id)).map { content.same($0.address, new) } ?? false
            }
            if !isThere { upsert(entity) }
        }
        if staying.count < count { removeAll { !staying.contains($0.id) } }
    }

    @inlinable
    func forEachEntry<Failure: Error>(_ body: (TreeNode<Entity>.EntryPlace) throws(Failure) -> Void) throws(Failure) {
        try root?.forEachEntry(body)
    }
}
