public import JournalFormat

extension Derived {
    /// Makes a value that is derived from properties of any stores, atoms and other derived values.
    ///
    ///     let canBuy = Derived("canBuy", badge, session.input(\.user)) { count, user in count > 0 && user != nil }
    ///
    /// - Parameters:
    ///   - name: its name in the journal, a jq identifier at best.
    ///   - first: what it reads; the transform runs only when one of the inputs changed.
    ///   - more: what else it reads.
    ///   - transform: computes the value from the inputs, and from nothing else.
    @inlinable
    public convenience init<First: DerivedReadable, each More: DerivedReadable>(
        _ name: String, _ first: First, _ more: repeat each More, fileID: String = #fileID, line: Int = #line,
        column: Int = #column, function: String = #function,
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
    ///   - first: what it reads; the transform runs only when one of the inputs changed.
    ///   - more: what else it reads.
    ///   - isEqual: whether two values count as equal: then the one before stands, and nobody is told.
    ///   - transform: computes the value from the inputs, and from nothing else.
    @inlinable
    public convenience init<First: DerivedReadable, each More: DerivedReadable>(
        _ name: String, _ first: First, _ more: repeat each More,
        isEqual: @escaping @Sendable (Value, Value) -> Bool, fileID: String = #fileID, line: Int = #line,
        column: Int = #column, function: String = #function,
        _ transform: @escaping @Sendable (First.Value, repeat (each More).Value) -> Value
    ) {
        let location = SourceLocation(file: fileID, line: line, column: column, function: function)
        let (first, more) = (first.input, (repeat (each more).input))
        var parts = DerivedParts()
        parts.add(first)
        for input in repeat each more { parts.add(input) }
        // Made here, in the app's module, where the types are known: the transform is called without a look at metadata.
        let (readFirst, readMore) = (first.read, (repeat (each more).read))
        self.init(
            name, parts, isEqual: isEqual, at: location,
            compute: { transform(readFirst(), repeat (each readMore)()) })
    }

    /// Makes a derived value that reads this one, and nothing else.
    ///
    /// - Parameters:
    ///   - name: its name in the journal.
    ///   - transform: computes it from this one's value, and from nothing else.
    @inlinable
    public func derived<Other: Equatable & Sendable>(
        _ name: String, fileID: String = #fileID, line: Int = #line, column: Int = #column,
        function: String = #function, _ transform: @escaping @Sendable (Value) -> Other
    ) -> Derived<Other> {
        Derived<Other>(
            name, self, fileID: fileID, line: line, column: column, function: function, transform)
    }

    /// Makes a derived value that reads this one, and nothing else, with a comparison of its own.
    ///
    /// - Parameters:
    ///   - name: its name in the journal.
    ///   - isEqual: whether two values count as equal: then the one before stands, and nobody is told.
    ///   - transform: computes it from this one's value, and from nothing else.
    @inlinable
    public func derived<Other: Sendable>(
        _ name: String, isEqual: @escaping @Sendable (Other, Other) -> Bool, fileID: String = #fileID,
        line: Int = #line, column: Int = #column, function: String = #function,
        _ transform: @escaping @Sendable (Value) -> Other
    ) -> Derived<Other> {
        Derived<Other>(
            name, self, isEqual: isEqual, fileID: fileID, line: line, column: column, function: function, transform)
    }
}
