public import EntityTables
internal import JournalFormat

extension Store {
    /// Changes the tables and indexes of a database in one commit: all or nothing, each write seen by what follows.
    ///
    ///     let batch = store.batch(\.library) { library in
    ///         library.books.upsert(book)
    ///         library.authors.remove(author.id)
    ///     }
    ///     show(batch.updatedIDs(\.books))
    ///
    /// - Parameters:
    ///   - path: the database in the state; `\.self` where it is the state.
    ///   - name: the commit's name in the journal; by default the function that it is made in.
    ///   - body: changes the database. It must not commit to any store: that traps.
    /// - Returns: what the closure returned, and what was updated and deleted.
    /// - Throws: what the closure throws; then nothing changed, and the journal has an `abort`.
    /// - Complexity: a commit's, and O(*d* log *n*) for *d* entities that differ, for each rule of the database.
    @discardableResult
    public func batch<Database: EntityDatabase, Result, Failure: Error>(
        _ path: WritableKeyPath<State, Database>, name: String? = nil, fileID: StaticString = #fileID,
        line: Int = #line,
        column: Int = #column, function: StaticString = #function, _ body: (inout Database) throws(Failure) -> Result
    ) throws(Failure) -> EntityBatch<Database, Result> {
        let location = CommitLocation(file: fileID, line: line, column: column, function: function)
        return try perform(
            { (state: inout State) throws(Failure) in try state[keyPath: path].batch(body) }, named: name, action: nil,
            at: location)
    }

    /// Changes a single table in one commit: all or nothing, each write seen by what follows.
    ///
    /// For a table that is part of a database, call `batch` on the database, so that its indexes follow.
    ///
    /// - Parameters:
    ///   - path: the table in the state.
    ///   - name: the commit's name in the journal; by default the function that it is made in.
    ///   - body: changes the table. It must not commit to any store: that traps.
    /// - Returns: what the closure returned, and what was updated and deleted.
    /// - Throws: what the closure throws; then nothing changed, and the journal has an `abort`.
    @discardableResult
    public func batch<Entity, Result, Failure: Error>(
        _ path: WritableKeyPath<State, EntityTable<Entity>>, name: String? = nil, fileID: StaticString = #fileID,
        line: Int = #line, column: Int = #column, function: StaticString = #function,
        _ body: (inout EntityTable<Entity>) throws(Failure) -> Result
    ) throws(Failure) -> EntityTableBatch<Entity, Result> {
        let location = CommitLocation(file: fileID, line: line, column: column, function: function)
        return try perform(
            { (state: inout State) throws(Failure) in try state[keyPath: path].batch(body) }, named: name, action: nil,
            at: location)
    }
}
