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
    private let differences: [TreeComparison<Entity>.Difference]

    /// Finds what differs.
    ///
    /// Entities are compared by `==` if they have it, otherwise by their bytes.
    ///
    /// - Complexity: O(*d* log *n*) for *d* entities that differ.
    public init(from old: EntityTable<Entity>, to new: EntityTable<Entity>) {
        guard old.root !== new.root else {
            (insertedIDs, updatedIDs, deletedIDs, differences) = ([], [], [], [])
            return
        }
        let comparison = TreeComparison(from: old.root, to: new.root, by: EntitySameness<Entity>.comparison)
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

/// The comparison of two versions of an entity: by `==` if they have it, otherwise by their bytes.
enum EntitySameness<Entity> {
    typealias Comparison = (UnsafePointer<Entity>, UnsafePointer<Entity>) -> Bool

    /// The comparison for a type, found once for each search for a difference.
    static var comparison: Comparison {
        if let equatable = Entity.self as? any Equatable.Type { return comparison(of: equatable) }
        let layout = ByteLayout.of(Entity.self)
        return { layout.same($0, $1) }
    }

    private static func comparison<Value: Equatable>(of type: Value.Type) -> Comparison {
        { left, right in
            UnsafeRawPointer(left).assumingMemoryBound(to: Value.self).pointee
                == UnsafeRawPointer(right).assumingMemoryBound(to: Value.self).pointee
        }
    }
}
