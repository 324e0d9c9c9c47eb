public import StateEncoding

/// A table is recorded by what differs between its versions, which the tree finds for the price of what differs.
extension EntityTable: RecordedTable {
    /// The number of entities.
    public var recordedCount: Int { count }

    /// Calls a closure with each entity and its identity.
    public func forEachRecorded<Failure: Error>(_ body: (ID, Entity) throws(Failure) -> Void) throws(Failure) {
        try forEachEntry { entity throws(Failure) in try body(entity.pointee.id, entity.pointee) }
    }

    /// The entity with an identity.
    public func recordedValue(of key: ID) -> Entity? { self[key] }

    /// The entities whose bytes differ.
    ///
    /// - Complexity: O(*d* log *n*) for *d* entities that differ.
    public func recordedChanges(since old: EntityTable) -> [RecordedTableChange<ID, Entity>] {
        let layout = ByteLayout.of(Entity.self)
        let comparison = TreeComparison(from: old.root, to: root) { layout.same($0, $1) }
        if comparison.differences.isEmpty { return [] }
        let idLayout = ByteLayout.of(ID.self)
        var changes: [RecordedTableChange<ID, Entity>] = []
        for difference in comparison.differences {
            switch difference {
            case .added(let new): changes.append(.added(new.id, new))
            case .removed(let old): changes.append(.removed(old.id, old))
            case .changed(let old, let new):
                // Equal identities may have two texts all the same: `é` in two forms of Unicode.
                if idLayout.holdsSame(old.id, new.id) {
                    changes.append(.changed(new.id, from: old, to: new))
                } else {
                    changes += [.removed(old.id, old), .added(new.id, new)]
                }
            }
        }
        return changes
    }
}
