/// Tables and the indexes into them, as one value.
///
///     struct Library: EntityDatabase {
///         var books = EntityTable<Book>()
///         var authors = EntityTable<Author>()
///         var shelf = OrderedIndex<Book>()
///         var booksByAuthor = RelationIndex<Author, Book>()
///
///         static var indexes: [IndexRule<Library>] {
///             [
///                 .ordered(\.shelf, of: \.books),
///                 .related(\.booksByAuthor, of: \.books, to: \.authors, by: \.authorID),
///             ]
///         }
///     }
///
/// Change it in batches, `store.batch(\.library) { … }`: at the end of one, each index is updated, and loses what was
/// deleted. An edit outside of a batch leaves the indexes alone; ``reindex()`` updates them then.
public protocol EntityDatabase: Encodable, Sendable {
    /// How the indexes follow the tables; none by default.
    static var indexes: [IndexRule<Self>] { get }
}

extension EntityDatabase {
    /// No rules.
    public static var indexes: [IndexRule<Self>] { [] }

    /// Changes tables and indexes as one: all or nothing, each write seen by what follows.
    ///
    /// When the closure returns, the indexes are updated. An entity that was deleted and inserted again is there, and
    /// keeps its places in the indexes; one that was inserted and deleted again is not.
    ///
    /// - Returns: what the closure returned, and what was updated and deleted.
    /// - Throws: what the closure throws; then nothing changed.
    /// - Complexity: what the closure costs, and O(*d* log *n*) for *d* entities that differ, for each rule.
    @discardableResult
    public mutating func batch<Result, Failure: Error>(
        _ body: (inout Self) throws(Failure) -> Result
    ) throws(Failure) -> EntityBatch<Self, Result> {
        let before = self
        let result: Result
        do throws(Failure) {
            result = try body(&self)
        } catch {
            self = before
            throw error
        }
        for rule in Self.indexes { rule.update(before, &self) }
        return EntityBatch(before: before, after: self, result: result)
    }

    /// Updates every index from its tables, whatever happened outside of batches.
    ///
    /// For a database that was just decoded, or edited by a plain commit.
    ///
    /// - Complexity: O(*n* log *n*).
    public mutating func reindex() {
        for rule in Self.indexes { rule.update(nil, &self) }
    }

    /// The entity that another one belongs to; nil if it is not there any more.
    ///
    ///     let author = library.belongsTo(book, \.authorID, in: \.authors)
    public func belongsTo<Member, Owner>(
        _ member: Member, _ key: KeyPath<Member, Owner.ID>, in table: KeyPath<Self, EntityTable<Owner>>
    ) -> Owner? { self[keyPath: table][member[keyPath: key]] }

    /// The entity that another one belongs to; nil if it belongs to none, or that is not there any more.
    public func belongsTo<Member, Owner>(
        _ member: Member, _ key: KeyPath<Member, Owner.ID?>, in table: KeyPath<Self, EntityTable<Owner>>
    ) -> Owner? { self[keyPath: table][member[keyPath: key]] }
}
