extension Scope {
    /// What an optional part holds, as a part of its own; nil while it holds nothing.
    ///
    ///     if let user = store.scope(unwrapping: \.user) { show(user) }
    ///
    /// Entities of a table and values of a dictionary are optional too: `scope(unwrapping: \.users[id])`.
    ///
    /// The scope may outlive what it is of. From then on its ``state`` is what it was when the scope was made, and its
    /// commits return nil and run nothing: see ``commit(name:fileID:line:column:function:_:)``.
    ///
    /// - Parameter path: where the optional is.
    public func scope<Child: Sendable>(
        unwrapping path: any WritableKeyPath<Part, Child?> & Sendable
    ) -> Scope<State, Child>? {
        let whole: WritableKeyPath<Part, Child?> = path
        let optional = self.path.appending(path: whole)
        return store.read(optional, track: track).map { child in
            Scope<State, Child>(
                store, optional.appending(path: \.[holding: LastValue(child)]), chain: chain,
                track: track ?? { store in store.trackContent(of: optional) },
                isThere: { [isThere] state in isThere?(state) ?? true && state[keyPath: optional] != nil })
        }
    }

    /// The row of an array that has an identity, as a part of its own; nil while there is none.
    ///
    /// It follows its row to other places of the array. Of a row that is gone it is as
    /// ``scope(unwrapping:)`` of an optional that holds nothing any more.
    ///
    /// - Parameters:
    ///   - path: where the array is.
    ///   - id: the identity of the row; the first one counts.
    /// - Complexity: O(*n*) here; later uses find the row at its place at once, as long as it is there.
    public func scope<Row: Identifiable & Sendable>(
        _ path: any WritableKeyPath<Part, [Row]> & Sendable, id: Row.ID
    ) -> Scope<State, Row>? where Row.ID: Sendable {
        let rows = store.read(self.path.appending(path: path as WritableKeyPath<Part, [Row]>), track: track)
        return rows.firstIndex { $0.id == id }.map { row(at: $0, of: rows, in: path) }
    }

    /// The rows of an array, each as a part of its own.
    ///
    ///     ForEach(store.scopes(\.rows)) { row in RowView(row) }
    ///
    /// - Parameter path: where the array is.
    /// - Returns: a scope for each row, in the order of the array, as ``scope(_:id:)`` makes it. Of rows with the same
    ///   identity all are of the first.
    public func scopes<Row: Identifiable & Sendable>(
        _ path: any WritableKeyPath<Part, [Row]> & Sendable
    ) -> [Scope<State, Row>] where Row.ID: Sendable {
        let rows = store.read(self.path.appending(path: path as WritableKeyPath<Part, [Row]>), track: track)
        return rows.indices.map { row(at: $0, of: rows, in: path) }
    }

    private func row<Row: Identifiable & Sendable>(
        at index: Int, of rows: [Row], in path: WritableKeyPath<Part, [Row]>
    ) -> Scope<State, Row> where Row.ID: Sendable {
        let all = self.path.appending(path: path)
        let row = LastRow(rows[index], at: index)
        return Scope<State, Row>(
            store, all.appending(path: \.[row: row]), chain: chain,
            track: track ?? { store in store.trackContent(of: all) },
            isThere: { [isThere] state in isThere?(state) ?? true && row.place(in: state[keyPath: all]) != nil })
    }
}

extension Store {
    /// What an optional of the state holds, as a part of its own; nil while it holds nothing.
    ///
    /// As ``Scope/scope(unwrapping:)``.
    public func scope<Child: Sendable>(
        unwrapping path: any WritableKeyPath<State, Child?> & Sendable
    ) -> Scope<State, Child>? { scope(\.self).scope(unwrapping: path) }

    /// The row of an array that has an identity, as a part of its own; nil while there is none.
    ///
    /// As ``Scope/scope(_:id:)``.
    public func scope<Row: Identifiable & Sendable>(
        _ path: any WritableKeyPath<State, [Row]> & Sendable, id: Row.ID
    ) -> Scope<State, Row>? where Row.ID: Sendable { scope(\.self).scope(path, id: id) }

    /// The rows of an array, each as a part of its own.
    ///
    /// As ``Scope/scopes(_:)``.
    public func scopes<Row: Identifiable & Sendable>(
        _ path: any WritableKeyPath<State, [Row]> & Sendable
    ) -> [Scope<State, Row>] where Row.ID: Sendable { scope(\.self).scopes(path) }
}

extension Scope: Identifiable where Part: Identifiable {
    /// The identity of the part; reading it is not tracked, since that of a row stays.
    public var id: Part.ID { store.published.state[keyPath: path].id }
}

/// What an optional held, for a scope that outlives it; an argument of a key path, which thus never traps.
private final class LastValue<Value: Sendable>: Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}

/// A row of an array and where it was, for a scope that outlives it or follows it.
private final class LastRow<Row: Identifiable & Sendable>: Sendable where Row.ID: Sendable {
    let value: Row
    let index: Int
    private let id: Row.ID

    init(_ value: Row, at index: Int) { (self.value, self.index, id) = (value, index, value.id) }

    func place(in rows: [Row]) -> Int? {
        rows.indices.contains(index) && rows[index].id == id ? index : rows.firstIndex { $0.id == id }
    }
}

extension LastValue: Hashable {
    static func == (left: LastValue, right: LastValue) -> Bool { left === right }

    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension LastRow: Hashable {
    static func == (left: LastRow, right: LastRow) -> Bool { left === right }

    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension Optional where Wrapped: Sendable {
    /// What it holds; where it holds nothing, what it held last, which nothing changes.
    fileprivate subscript(holding last: LastValue<Wrapped>) -> Wrapped {
        get { self ?? last.value }
        _modify {
            if self != nil {
                yield &self!
            } else {
                var dropped = last.value
                yield &dropped
            }
        }
    }
}

extension Array where Element: Identifiable & Sendable, Element.ID: Sendable {
    /// The row with an identity; where it is gone, what it was last, which nothing changes.
    fileprivate subscript(row last: LastRow<Element>) -> Element {
        get { last.place(in: self).map { self[$0] } ?? last.value }
        _modify {
            if let place = last.place(in: self) {
                yield &self[place]
            } else {
                var dropped = last.value
                yield &dropped
            }
        }
    }
}
