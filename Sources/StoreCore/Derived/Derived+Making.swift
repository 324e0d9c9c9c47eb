internal import JournalFormat

extension Derived {
    /// Makes a value that is derived from properties of any stores, atoms and other derived values.
    ///
    ///     let canBuy = Derived(badge, session[\.user]) { count, user in count > 0 && user != nil }
    ///
    /// - Parameters:
    ///   - first: an input; the transform runs only when one of the inputs changed.
    ///   - more: further inputs.
    ///   - name: its name in the journal, a jq identifier at best; by default the place of this call: `Cart.swift:12`.
    ///   - transform: computes the value from the inputs, and from nothing else.
    @inlinable
    public convenience init<First: DerivedReadable, each More: DerivedReadable>(
        _ first: First, _ more: repeat each More, named name: String? = nil, fileID: StaticString = #fileID,
        line: Int = #line, column: Int = #column, function: StaticString = #function,
        _ transform: @escaping @Sendable (First.Value, repeat (each More).Value) -> Value
    ) where Value: Equatable {
        self.init(
            first, repeat each more, named: name, isEqual: { $0 == $1 }, fileID: fileID, line: line, column: column,
            function: function, transform)
    }

    /// Makes a value that is derived from properties of any stores, atoms and other derived values, with a comparison of
    /// its own.
    ///
    /// - Parameters:
    ///   - first: an input; the transform runs only when one of the inputs changed.
    ///   - more: further inputs.
    ///   - name: its name in the journal, a jq identifier at best; by default the place of this call: `Cart.swift:12`.
    ///   - isEqual: whether two values count as equal: then the earlier one stays, and no subscriber is notified.
    ///   - transform: computes the value from the inputs, and from nothing else.
    @inlinable
    public convenience init<First: DerivedReadable, each More: DerivedReadable>(
        _ first: First, _ more: repeat each More, named name: String? = nil,
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
            name ?? location.shortText, parts, isEqual: isEqual, at: location,
            compute: { transform(readFirst(), repeat (each readMore)()) })
    }
}

extension DerivedReadable {
    /// Makes a derived value with this one as its only input.
    ///
    /// - Parameters:
    ///   - name: its name in the journal; by default the place of this call.
    ///   - transform: computes it from this one's value, and from nothing else.
    @inlinable
    public func derived<Other: Equatable & Sendable>(
        named name: String? = nil, fileID: StaticString = #fileID, line: Int = #line, column: Int = #column,
        function: StaticString = #function, _ transform: @escaping @Sendable (Value) -> Other
    ) -> Derived<Other> {
        Derived<Other>(
            self, named: name, fileID: fileID, line: line, column: column, function: function, transform)
    }

    /// Makes a derived value with this one as its only input, with a comparison of its own.
    ///
    /// - Parameters:
    ///   - name: its name in the journal; by default the place of this call.
    ///   - isEqual: whether two values count as equal: then the earlier one stays, and no subscriber is notified.
    ///   - transform: computes it from this one's value, and from nothing else.
    @inlinable
    public func derived<Other: Sendable>(
        named name: String? = nil, isEqual: @escaping @Sendable (Other, Other) -> Bool,
        fileID: StaticString = #fileID, line: Int = #line, column: Int = #column, function: StaticString = #function,
        _ transform: @escaping @Sendable (Value) -> Other
    ) -> Derived<Other> {
        Derived<Other>(
            self, named: name, isEqual: isEqual, fileID: fileID, line: line, column: column, function: function,
            transform)
    }
}
