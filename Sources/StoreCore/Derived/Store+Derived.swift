extension StoreReadable {
    /// Makes a value that is derived from one property or more.
    ///
    ///     let badge = store.derived(\.items) { $0.count }
    ///     let total = store.derived(\.items, \.discount, named: "total") { items, discount in … }
    ///
    /// - Parameters:
    ///   - first: a property; the transform runs only when it, or one of the others, differs from the one before.
    ///   - more: further properties.
    ///   - name: its name in the journal, a jq identifier at best; by default the place of this call: `Cart.swift:12`.
    ///   - transform: computes the value from the properties, and from nothing else.
    @inlinable
    public func derived<First: Equatable & Sendable, each More: Equatable & Sendable, Value: Equatable & Sendable>(
        _ first: any KeyPath<State, First> & Sendable, _ more: repeat any KeyPath<State, each More> & Sendable,
        named name: String? = nil, fileID: StaticString = #fileID, line: Int = #line, column: Int = #column,
        function: StaticString = #function, _ transform: @escaping @Sendable (First, repeat each More) -> Value
    ) -> Derived<Value> {
        Derived(
            store.input(first), repeat store.input(each more), named: name, isEqual: { $0 == $1 }, fileID: fileID,
            line: line, column: column, function: function, transform)
    }

    /// Makes a value that is one property as it is.
    ///
    ///     let count = store.derived(\.items.count)
    @inlinable
    public func derived<Value: Equatable & Sendable>(
        _ path: any KeyPath<State, Value> & Sendable, named name: String? = nil, fileID: StaticString = #fileID,
        line: Int = #line, column: Int = #column, function: StaticString = #function
    ) -> Derived<Value> {
        derived(path, named: name, fileID: fileID, line: line, column: column, function: function) { $0 }
    }

    /// Makes a value that is derived from the whole state: its transform runs after each commit that changes anything.
    @inlinable
    public func derived<Value: Equatable & Sendable>(
        named name: String? = nil, fileID: StaticString = #fileID, line: Int = #line, column: Int = #column,
        function: StaticString = #function, _ transform: @escaping @Sendable (State) -> Value
    ) -> Derived<Value> where State: Equatable {
        derived(\.self, named: name, fileID: fileID, line: line, column: column, function: function, transform)
    }

    /// Makes a value that is derived from one property or more, with a comparison of its own.
    ///
    /// For properties with comparisons of the caller's pass ``Store/input(_:by:)`` to ``Derived``.
    ///
    /// - Parameters:
    ///   - first: a property; the transform runs only when it, or one of the others, differs from the one before.
    ///   - more: further properties.
    ///   - name: its name in the journal, a jq identifier at best; by default the place of this call.
    ///   - isEqual: whether two values count as equal: then the earlier one stays, and no subscriber is notified.
    ///   - transform: computes the value from the properties, and from nothing else.
    @inlinable
    public func derived<First: Equatable & Sendable, each More: Equatable & Sendable, Value: Sendable>(
        _ first: any KeyPath<State, First> & Sendable, _ more: repeat any KeyPath<State, each More> & Sendable,
        named name: String? = nil, isEqual: @escaping @Sendable (Value, Value) -> Bool,
        fileID: StaticString = #fileID, line: Int = #line, column: Int = #column, function: StaticString = #function,
        _ transform: @escaping @Sendable (First, repeat each More) -> Value
    ) -> Derived<Value> {
        Derived(
            store.input(first), repeat store.input(each more), named: name, isEqual: isEqual, fileID: fileID,
            line: line, column: column, function: function, transform)
    }
}
