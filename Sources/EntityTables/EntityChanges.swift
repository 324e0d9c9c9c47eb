public import StateEncoding

/// What differs between two versions of a table.
///
/// Found by a search that skips what both versions share, so it costs what differs, when it is made.
public struct EntityChanges<Entity: Identifiable & Encodable & Sendable>: Sendable where Entity.ID: Codable & Sendable {
    /// The identities of inserted entities.
    public let insertedIDs: Set<Entity.ID>
    /// The identities of inserted and changed entities: those to show again.
    public let updatedIDs: Set<Entity.ID>
    /// The identities of removed entities.
    public let deletedIDs: Set<Entity.ID>
    let differences: [TreeComparison<Entity>.Difference]

    /// Finds what differs.
    ///
    /// Entities are compared by all that they hold, and not by their `==`, which may leave properties out.
    ///
    /// - Complexity: O(*d* log *n*) for *d* entities that differ.
    public init(from old: EntityTable<Entity>, to new: EntityTable<Entity>) {
        guard old.root !== new.root else {
            (insertedIDs, updatedIDs, deletedIDs, differences) = ([], [], [], [])
            return
        }
        let content = ContentComparison.of(Entity.self)
        let comparison = TreeComparison(from: old.root, to: new.root) { content.same($0.address, $1.address) }
        differences = comparison.differences
        var (inserted, updated, deleted) = (Set<Entity.ID>(), Set<Entity.ID>(), Set<Entity.ID>())
        for difference in differences {
            switch difference {
            case .added(let entity): inserted.insert(entity.id)
            case .changed(_, let entity): updated.insert(entity.id)
            case .removed(let entity): deleted.insert(entity.id)
            }
        }
        insertedIDs = inserted
        updatedIDs = updated.union(inserted)
        deletedIDs = deleted
    }

    /// The differences in the order of their identities, the same in each process.
    var inOrder: [TreeComparison<Entity>.Difference] { IdentityOrder.sorted(differences, by: \.id) }

    /// Whether nothing differs.
    public var isEmpty: Bool { differences.isEmpty }
}

extension EntityTable {
    /// What differs from another version.
    ///
    /// - Complexity: O(*d* log *n*) for *d* entities that differ.
    public func changes(since old: EntityTable) -> EntityChanges<Entity> { EntityChanges(from: old, to: self) }
}

extension EntityChanges: OpaqueToDump {}
