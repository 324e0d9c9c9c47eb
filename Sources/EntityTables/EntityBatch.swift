public import StateEncoding

/// What a batch on a database did.
public struct EntityBatch<Database: Sendable, Result> {
    /// The database before.
    public let before: Database
    /// The database after, with its indexes updated.
    public let after: Database
    /// What the closure returned.
    public let result: Result

    /// What the batch did to a table.
    ///
    /// Only the difference at the end counts: an entity that was inserted and deleted again is in none of the sets.
    ///
    /// - Complexity: O(*d* log *n*) for *d* entities that differ.
    public func entityChanges<Entity>(_ table: KeyPath<Database, EntityTable<Entity>>) -> EntityChanges<Entity> {
        after[keyPath: table].changes(since: before[keyPath: table])
    }

    /// The identities of the entities of a table that came or changed.
    public func updatedIDs<Entity>(_ table: KeyPath<Database, EntityTable<Entity>>) -> Set<Entity.ID> {
        entityChanges(table).updatedIDs
    }

    /// The identities of the entities of a table that went.
    public func deletedIDs<Entity>(_ table: KeyPath<Database, EntityTable<Entity>>) -> Set<Entity.ID> {
        entityChanges(table).deletedIDs
    }
}

extension EntityBatch: Sendable where Result: Sendable {}

/// What a batch on a single table did.
public struct EntityTableBatch<Entity: Identifiable & Encodable & Sendable, Result>
where Entity.ID: Codable & Sendable {
    /// What differs in the end.
    public let changes: EntityChanges<Entity>
    /// What the closure returned.
    public let result: Result

    /// The identities of the entities that came or changed.
    public var updatedIDs: Set<Entity.ID> { changes.updatedIDs }
    /// The identities of the entities that went.
    public var deletedIDs: Set<Entity.ID> { changes.deletedIDs }
}

extension EntityTableBatch: Sendable where Result: Sendable {}

extension EntityTable {
    /// Changes the table as one: all or nothing, each write seen by what follows.
    ///
    /// - Returns: what the closure returned, and what was updated and deleted.
    /// - Throws: what the closure throws; then nothing changed.
    @discardableResult
    public mutating func batch<Result, Failure: Error>(
        _ body: (inout EntityTable) throws(Failure) -> Result
    ) throws(Failure) -> EntityTableBatch<Entity, Result> {
        let before = self
        do throws(Failure) {
            let result = try body(&self)
            return EntityTableBatch(changes: changes(since: before), result: result)
        } catch {
            self = before
            throw error
        }
    }
}

extension EntityBatch: OpaqueToDump {}

extension EntityTableBatch: OpaqueToDump {}
