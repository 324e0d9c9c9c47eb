public import EntityTables

extension Changes {
    /// Whether any of some properties differs from the one before; true in a first delivery.
    public func hasChanges<First: Equatable, each Other: Equatable>(
        _ path: KeyPath<State, First>, _ others: repeat KeyPath<State, each Other>
    ) -> Bool {
        if hasChanges(path, by: { $0 == $1 }) { return true }
        for other in repeat each others {
            if hasChanges(other, by: { $0 == $1 }) { return true }
        }
        return false
    }

    /// Whether all of some properties are equal to the ones before; false in a first delivery.
    public func noChanges<First: Equatable, each Other: Equatable>(
        _ path: KeyPath<State, First>, _ others: repeat KeyPath<State, each Other>
    ) -> Bool {
        !hasChanges(path, repeat each others)
    }

    /// Whether a property differs from the one before by a comparison of the caller's; true in a first delivery.
    ///
    /// - Parameter isEqual: whether the property before and the current one count as equal.
    public func hasChanges<Value>(_ path: KeyPath<State, Value>, by isEqual: (Value, Value) -> Bool) -> Bool {
        guard let previous else { return true }
        return !isEqual(previous.current[keyPath: path], current[keyPath: path])
    }

    /// Whether a property is equal to the one before by a comparison of the caller's; false in a first delivery.
    public func noChanges<Value>(_ path: KeyPath<State, Value>, by isEqual: (Value, Value) -> Bool) -> Bool {
        !hasChanges(path, by: isEqual)
    }

    /// Whether what a closure composes of the state differs from what it made of the one before; true in a first delivery.
    ///
    /// - Parameters:
    ///   - compose: makes a value of a state, and of nothing else.
    ///   - isEqual: whether the value before and the current one count as equal.
    public func hasChanges<Composed>(
        _ compose: (State) -> Composed, _ isEqual: (Composed, Composed) -> Bool
    ) -> Bool {
        guard let previous else { return true }
        return !isEqual(compose(previous.current), compose(current))
    }

    /// Hands over properties where any of them differs from the one before, or there is none before.
    ///
    ///     changes.ifChanged(\.user, \.cart) { user, cart in … }
    ///
    /// - Returns: what the closure returned, nil where it was not run.
    /// - Throws: what the closure throws.
    @discardableResult
    public func ifChanged<First: Equatable, each Other: Equatable, Result, Failure: Error>(
        _ path: KeyPath<State, First>, _ others: repeat KeyPath<State, each Other>,
        perform body: (First, repeat each Other) throws(Failure) -> Result
    ) throws(Failure) -> Result? {
        guard hasChanges(path, repeat each others) else { return nil }
        return try body(current[keyPath: path], repeat current[keyPath: each others])
    }

    /// A property where it differs from the one before, or there is none before; nil where it does not.
    ///
    ///     if let title = changes.ifChanged(\.title) { … }
    public func ifChanged<Value: Equatable>(_ path: KeyPath<State, Value>) -> Value? {
        hasChanges(path) ? current[keyPath: path] : nil
    }

    /// Hands over a property where it differs from the one before by a comparison of the caller's, or there is none before.
    ///
    ///     changes.ifChanged(\.user, by: { $0.id == $1.id }) { user in … }
    ///
    /// - Parameter isEqual: whether the property before and the current one count as equal.
    /// - Returns: what the closure returned, nil where it was not run.
    /// - Throws: what the closure throws.
    @discardableResult
    public func ifChanged<Value, Result, Failure: Error>(
        _ path: KeyPath<State, Value>, by isEqual: (Value, Value) -> Bool,
        perform body: (Value) throws(Failure) -> Result
    ) throws(Failure) -> Result? {
        guard hasChanges(path, by: isEqual) else { return nil }
        return try body(current[keyPath: path])
    }

    /// Hands over what a closure composes of the state, where it differs from what it made of the one before.
    ///
    ///     changes.ifChanged({ ($0.user.name, $0.items.count) }, ==) { name, count in … }
    ///
    /// - Parameters:
    ///   - compose: makes a value of a state, and of nothing else; runs for both states.
    ///   - isEqual: whether the value before and the current one count as equal.
    /// - Returns: what the last closure returned, nil where it was not run.
    /// - Throws: what the last closure throws.
    @discardableResult
    public func ifChanged<Composed, Result, Failure: Error>(
        _ compose: (State) -> Composed, _ isEqual: (Composed, Composed) -> Bool,
        perform body: (Composed) throws(Failure) -> Result
    ) throws(Failure) -> Result? {
        let composed = compose(current)
        if let previous, isEqual(compose(previous.current), composed) { return nil }
        return try body(composed)
    }
}

extension Changes where State: Equatable {
    /// Whether the state differs from the one before; true in a first delivery.
    public var hasChanges: Bool { hasChanges(\.self) }

    /// Whether the state is equal to the one before; false in a first delivery.
    public var noChanges: Bool { !hasChanges }
}

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
