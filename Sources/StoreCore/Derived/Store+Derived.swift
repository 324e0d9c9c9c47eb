extension Store {
    /// Makes a value that is derived from one property or more.
    ///
    ///     let badge = store.derived("badge", \.items) { $0.count }
    ///     let total = store.derived("total", \.items, \.discount) { items, discount in … }
    ///
    /// - Parameters:
    ///   - name: its name in the journal, a jq identifier at best.
    ///   - first: a property; the transform runs only when it, or one of the others, differs from the one before.
    ///   - more: further properties.
    ///   - transform: computes the value from the properties, and from nothing else.
    @inlinable
    public func derived<First: Equatable & Sendable, each More: Equatable & Sendable, Value: Equatable & Sendable>(
        _ name: String, _ first: any KeyPath<State, First> & Sendable,
        _ more: repeat any KeyPath<State, each More> & Sendable, fileID: StaticString = #fileID, line: Int = #line,
        column: Int = #column, function: StaticString = #function,
        _ transform: @escaping @Sendable (First, repeat each More) -> Value
    ) -> Derived<Value> {
        Derived(
            name, input(first), repeat input(each more), isEqual: { $0 == $1 }, fileID: fileID, line: line,
            column: column,
            function: function, transform)
    }

    /// Makes a value that is derived from one property or more, with a comparison of its own.
    ///
    /// - Parameters:
    ///   - name: its name in the journal, a jq identifier at best.
    ///   - first: a property; the transform runs only when it, or one of the others, differs from the one before.
    ///   - more: further properties.
    ///   - isEqual: whether two values count as equal: then the earlier one stays, and no subscriber is notified.
    ///   - transform: computes the value from the properties, and from nothing else.
    @inlinable
    public func derived<First: Equatable & Sendable, each More: Equatable & Sendable, Value: Sendable>(
        _ name: String, _ first: any KeyPath<State, First> & Sendable,
        _ more: repeat any KeyPath<State, each More> & Sendable,
        isEqual: @escaping @Sendable (Value, Value) -> Bool, fileID: StaticString = #fileID, line: Int = #line,
        column: Int = #column, function: StaticString = #function,
        _ transform: @escaping @Sendable (First, repeat each More) -> Value
    ) -> Derived<Value> {
        Derived(
            name, input(first), repeat input(each more), isEqual: isEqual, fileID: fileID, line: line, column: column,
            function: function, transform)
    }

    /// Makes a value that is derived from one property, with a comparison of the caller's for the property.
    ///
    /// For several properties with comparisons, or a value that is not Equatable either, pass ``input(_:by:)`` to
    /// ``Derived``.
    ///
    /// - Parameters:
    ///   - name: its name in the journal, a jq identifier at best.
    ///   - path: the property.
    ///   - isEqual: whether two values of the property count as equal: then the transform does not run.
    ///   - transform: computes the value from the property, and from nothing else.
    @inlinable
    public func derived<Input: Sendable, Value: Equatable & Sendable>(
        _ name: String, _ path: any KeyPath<State, Input> & Sendable,
        by isEqual: @escaping @Sendable (Input, Input) -> Bool, fileID: StaticString = #fileID, line: Int = #line,
        column: Int = #column, function: StaticString = #function, _ transform: @escaping @Sendable (Input) -> Value
    ) -> Derived<Value> {
        Derived(
            name, input(path, by: isEqual), fileID: fileID, line: line, column: column, function: function, transform)
    }
}
