internal import JournalFormat

extension Derived {
    /// Makes a value that is derived from properties of any stores, atoms and other derived values.
    ///
    ///     let canBuy = Derived("canBuy", badge, session.input(\.user)) { count, user in count > 0 && user != nil }
    ///
    /// - Parameters:
    ///   - name: its name in the journal, a jq identifier at best.
    ///   - first: an input; the transform runs only when one of the inputs changed.
    ///   - more: further inputs.
    ///   - transform: computes the value from the inputs, and from nothing else.
    @inlinable
    public convenience init<First: DerivedReadable, each More: DerivedReadable>(
        _ name: String, _ first: First, _ more: repeat each More, fileID: StaticString = #fileID, line: Int = #line,
        column: Int = #column, function: StaticString = #function,
        _ transform: @escaping @Sendable (First.Value, repeat (each More).Value) -> Value
    ) where Value: Equatable {
        self.init(
            name, first, repeat each more, isEqual: { $0 == $1 }, fileID: fileID, line: line, column: column,
            function: function, transform)
    }

    /// Makes a value that is derived from properties of any stores, atoms and other derived values, with a comparison of
    /// its own.
    ///
    /// - Parameters:
    ///   - name: its name in the journal, a jq identifier at best.
    ///   - first: an input; the transform runs only when one of the inputs changed.
    ///   - more: further inputs.
    ///   - isEqual: whether two values count as equal: then the earlier one stays, and no subscriber is notified.
    ///   - transform: computes the value from the inputs, and from nothing else.
    @inlinable
    public convenience init<First: DerivedReadable, each More: DerivedReadable>(
        _ name: String, _ first: First, _ more: repeat each More,
        isEqual: @escaping @Sendable (Value, Value) -> Bool, fileID: StaticString = #fileID, line: Int = #line,
        column: Int = #column, function: StaticString = #function,
        _ transform: @escaping @Sendable (First.Value, repeat (each More).Value) -> Value
    ) {
        let location = CommitLocation(file: fileID, line: line, column: column, function: function)
        let (first, more) = (first.input, (repeat (each more).input))
        var parts = DerivedParts()
        parts.add(first)
        for input in repeat each more { parts.add(input) }
        // Made here, in the app's module, where the types are known, so that a call of the transform looks up no
        // metadata.
        let (readFirst, readMore) = (first.read, (repeat (each more).read))
        self.init(
            name, parts, isEqual: isEqual, at: location,
            compute: { transform(readFirst(), repeat (each readMore)()) })
    }

    /// Makes a derived value with this one as its only input.
    ///
    /// - Parameters:
    ///   - name: its name in the journal.
    ///   - transform: computes it from this one's value, and from nothing else.
    @inlinable
    public func derived<Other: Equatable & Sendable>(
        _ name: String, fileID: StaticString = #fileID, line: Int = #line, column: Int = #column,
        function: StaticString = #function, _ transform: @escaping @Sendable (Value) -> Other
    ) -> Derived<Other> {
        Derived<Other>(
            name, self, fileID: fileID, line: line, column: column, function: function, transform)
    }

    /// Makes a derived value with this one as its only input, with a comparison of its own.
    ///
    /// - Parameters:
    ///   - name: its name in the journal.
    ///   - isEqual: whether two values count as equal: then the earlier one stays, and no subscriber is notified.
    ///   - transform: computes it from this one's value, and from nothing else.
    @inlinable
    public func derived<Other: Sendable>(
        _ name: String, isEqual: @escaping @Sendable (Other, Other) -> Bool, fileID: StaticString = #fileID,
        line: Int = #line, column: Int = #column, function: StaticString = #function,
        _ transform: @escaping @Sendable (Value) -> Other
    ) -> Derived<Other> {
        Derived<Other>(
            name, self, isEqual: isEqual, fileID: fileID, line: line, column: column, function: function, transform)
    }
}
