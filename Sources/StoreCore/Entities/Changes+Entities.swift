public import EntityTables

extension Changes {
    /// What differs in a table from the state before; in a first delivery everything came.
    ///
    /// - Complexity: O(*d* log *n*) for *d* entities that differ.
    public func entityChanges<Entity>(_ table: KeyPath<State, EntityTable<Entity>>) -> EntityChanges<Entity> {
        current[keyPath: table].changes(since: previous?.current[keyPath: table] ?? EntityTable())
    }

    /// The identities of the entities of a table that came or changed.
    ///
    ///     store.subscribe { changes in
    ///         for id in changes.updatedIDs(\.books) { redraw(id) }
    ///     }
    public func updatedIDs<Entity>(_ table: KeyPath<State, EntityTable<Entity>>) -> Set<Entity.ID> {
        entityChanges(table).updatedIDs
    }

    /// The identities of the entities of a table that went.
    public func deletedIDs<Entity>(_ table: KeyPath<State, EntityTable<Entity>>) -> Set<Entity.ID> {
        entityChanges(table).deletedIDs
    }
}
