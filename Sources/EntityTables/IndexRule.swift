/// How one index of a database is updated from its table: declared once, applied at the end of each batch.
public struct IndexRule<Database>: Sendable {
    /// Updates the index from one version of the database to the next; without a version before, from nothing.
    let update: @Sendable (_ before: Database?, _ database: inout Database) -> Void

    /// An order loses what is deleted from a table.
    public static func ordered<Entity>(
        _ index: any WritableKeyPath<Database, OrderedIndex<Entity>> & Sendable,
        of table: any KeyPath<Database, EntityTable<Entity>> & Sendable
    ) -> IndexRule {
        purged(index, of: table)
    }

    /// An order has all entities of a table in ascending order of a property; where it is equal, of their identities.
    ///
    ///     .sorted(\.booksByTitle, of: \.books, by: \.title)
    ///
    /// It has the order of ``EntityTable/sorted(by:)``. What the app does to such an index lasts until the end of the batch.
    ///
    /// - Complexity: O(*d* log *n*) comparisons for *d* entities that differ, and a copy of the identities if one changes its
    ///   place.
    public static func sorted<Entity, Key: Comparable & Sendable>(
        _ index: any WritableKeyPath<Database, OrderedIndex<Entity>> & Sendable,
        of table: any KeyPath<Database, EntityTable<Entity>> & Sendable,
        by key: @escaping @Sendable (Entity) -> Key
    ) -> IndexRule {
        sorted(index, of: table, by: key) { $0 < $1 }
    }

    /// An order has all entities of a table in an order that a comparison of a property gives; where it is equal, of their
    /// identities.
    ///
    /// - Parameters:
    ///   - index: the order.
    ///   - table: the table.
    ///   - key: what is compared.
    ///   - areInOrder: whether one comes before another, as for the standard library's `sorted(by:)`.
    public static func sorted<Entity, Key>(
        _ index: any WritableKeyPath<Database, OrderedIndex<Entity>> & Sendable,
        of table: any KeyPath<Database, EntityTable<Entity>> & Sendable,
        by key: @escaping @Sendable (Entity) -> Key, _ areInOrder: @escaping @Sendable (Key, Key) -> Bool
    ) -> IndexRule {
        IndexRule { before, database in
            let entities = database[keyPath: table]
            let old = before.map { (index: $0[keyPath: index], table: $0[keyPath: table]) }
            database[keyPath: index].follow(entities, since: old, by: key, areInOrder)
        }
    }

    /// A set loses what is deleted from a table.
    public static func set<Entity>(
        _ index: any WritableKeyPath<Database, SetIndex<Entity>> & Sendable,
        of table: any KeyPath<Database, EntityTable<Entity>> & Sendable
    ) -> IndexRule {
        purged(index, of: table)
    }

    private static func purged<Index: PurgedIndex>(
        _ index: any WritableKeyPath<Database, Index> & Sendable,
        of table: any KeyPath<Database, EntityTable<Index.Entity>> & Sendable
    ) -> IndexRule {
        IndexRule { before, database in
            let entities = database[keyPath: table]
            for (old, new) in entities.renames(since: before?[keyPath: table]) {
                database[keyPath: index].rename(old, to: new)
            }
            if before == nil { database[keyPath: index].recheck() }
            let deleted = before.map { entities.changes(since: $0[keyPath: table]).deletedIDs } ?? []
            if deleted.isEmpty, database[keyPath: index].unchecked.isEmpty { return }
            database[keyPath: index].purge(entities, deleted: deleted)
        }
    }

    /// Groups lose what is deleted from a table.
    public static func grouped<Key, Entity>(
        _ index: any WritableKeyPath<Database, GroupIndex<Key, Entity>> & Sendable,
        of table: any KeyPath<Database, EntityTable<Entity>> & Sendable
    ) -> IndexRule {
        IndexRule { before, database in
            GroupUpdate(before, database, index, table).purge(&database, hasKey: { _ in true }, deletedKeys: [])
        }
    }

    /// Groups follow a property of the entities of a table; nil belongs to no group.
    public static func grouped<Key, Entity>(
        _ index: any WritableKeyPath<Database, GroupIndex<Key, Entity>> & Sendable,
        of table: any KeyPath<Database, EntityTable<Entity>> & Sendable,
        by key: @escaping @Sendable (Entity) -> Key?
    ) -> IndexRule {
        IndexRule { before, database in
            let update = GroupUpdate(before, database, index, table)
            update.purge(&database, hasKey: { _ in true }, deletedKeys: [])
            update.regroup(&database, by: key, isOwned: { _ in true })
        }
    }

    /// Groups of members, each of an owner, lose what is deleted on either side.
    public static func related<Owner, Member>(
        _ index: any WritableKeyPath<Database, RelationIndex<Owner, Member>> & Sendable,
        of members: any KeyPath<Database, EntityTable<Member>> & Sendable,
        to owners: any KeyPath<Database, EntityTable<Owner>> & Sendable
    ) -> IndexRule {
        IndexRule { before, database in
            let table = database[keyPath: owners]
            let deleted = before.map { table.changes(since: $0[keyPath: owners]).deletedIDs } ?? []
            for (old, new) in table.renames(since: before?[keyPath: owners]) {
                database[keyPath: index].renameGroup(old, to: new)
            }
            let update = GroupUpdate(before, database, index, members)
            update.purge(&database, hasKey: table.contains, deletedKeys: deleted)
        }
    }

    /// Groups of members follow the property that names their owner.
    ///
    /// Members whose owner is missing are listed once it is inserted.
    public static func related<Owner, Member>(
        _ index: any WritableKeyPath<Database, RelationIndex<Owner, Member>> & Sendable,
        of members: any KeyPath<Database, EntityTable<Member>> & Sendable,
        to owners: any KeyPath<Database, EntityTable<Owner>> & Sendable,
        by key: @escaping @Sendable (Member) -> Owner.ID?
    ) -> IndexRule {
        IndexRule { before, database in
            let table = database[keyPath: owners]
            let changes = table.changes(since: before?[keyPath: owners] ?? table)
            let update = GroupUpdate(before, database, index, members)
            update.rename(&database)
            for (old, new) in table.renames(since: before?[keyPath: owners]) {
                database[keyPath: index].renameGroup(old, to: new)
                // Members that still name the old owner wait for it.
                update.place(database[keyPath: index][new], &database, by: key, isOwned: table.contains)
            }
            update.purge(&database, hasKey: table.contains, deletedKeys: [])
            for owner in changes.deletedIDs { database[keyPath: index].hide(owner) }
            update.regroup(&database, by: key, isOwned: table.contains)
            for owner in changes.insertedIDs { database[keyPath: index].show(owner) }
        }
    }
}

/// An index of identities that only loses what is deleted from their table.
protocol PurgedIndex: SendableMetatype {
    associatedtype Entity: Identifiable & Encodable & Sendable where Entity.ID: Codable & Sendable

    /// Identities that may not be in the table.
    var unchecked: Set<Entity.ID> { get }
    /// Checks every identity against the table at the end of the next batch.
    mutating func recheck()
    mutating func rename(_ id: Entity.ID, to newID: Entity.ID)
    mutating func purge(_ table: EntityTable<Entity>, deleted: Set<Entity.ID>)
}

extension OrderedIndex: PurgedIndex {}
extension SetIndex: PurgedIndex {}

/// The update of one group index from one version of a database to the next.
private struct GroupUpdate<Database, Key: Hashable & Codable & Sendable, Entity: Identifiable & Encodable & Sendable>
where Entity.ID: Codable & Sendable {
    private let index: WritableKeyPath<Database, GroupIndex<Key, Entity>>
    private let table: EntityTable<Entity>
    private let changes: EntityChanges<Entity>
    private let renames: [(old: Entity.ID, new: Entity.ID)]
    private let isAnew: Bool

    init(
        _ before: Database?, _ database: Database, _ index: WritableKeyPath<Database, GroupIndex<Key, Entity>>,
        _ table: KeyPath<Database, EntityTable<Entity>>
    ) {
        self.index = index
        self.table = database[keyPath: table]
        isAnew = before == nil
        changes = self.table.changes(since: before?[keyPath: table] ?? EntityTable())
        renames = self.table.renames(since: before?[keyPath: table])
    }

    func rename(_ database: inout Database) {
        for (old, new) in renames { database[keyPath: index].rename(old, to: new) }
    }

    func purge(_ database: inout Database, hasKey: (Key) -> Bool, deletedKeys: Set<Key>) {
        rename(&database)
        if isAnew { database[keyPath: index].recheck() }
        if changes.deletedIDs.isEmpty, deletedKeys.isEmpty, database[keyPath: index].isChecked { return }
        database[keyPath: index].purge(
            table, deleted: changes.deletedIDs, hasKey: hasKey, deletedKeys: deletedKeys)
    }

    /// What is added to one group in one batch is added in the order of identities, which is the same in each process.
    func regroup(_ database: inout Database, by key: (Entity) -> Key?, isOwned: (Key) -> Bool) {
        if changes.updatedIDs.isEmpty { return }
        place(changes.inOrder.compactMap { $0.new?.id }, &database, by: key, isOwned: isOwned)
    }

    func place(_ ids: [Entity.ID], _ database: inout Database, by key: (Entity) -> Key?, isOwned: (Key) -> Bool) {
        for id in ids {
            guard let entity = table[id] else { continue }
            let key = key(entity)
            database[keyPath: index].place(id, in: key, isOwned: key.map(isOwned) ?? true)
        }
    }
}
