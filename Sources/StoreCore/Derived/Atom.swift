internal import JournalFormat
public import Observation
public import StateEncoding

/// One value that can be read, set and observed, and that derived values read: a small store.
///
///     let query = Atom("")
///     let page = Atom(1)
///     let request = Derived(query, page) { query, page in "/search?q=\(query)&page=\(page)" }
///     query.set("apple")
///
/// Each set is a commit with the location of its caller, and an atom is a store of its own in the journal. Put values
/// that belong together, or change together, in one ``Store``: two atoms are never changed by one commit.
public final class Atom<Value: Sendable>: Sendable {
    /// The store that holds the value, for its version, or for code that takes stores.
    public let store: Store<Value>

    /// What ``reset(fileID:line:column:function:)`` sets.
    private let initial: Value

    private init(_ store: Store<Value>, initial: Value) { (self.store, self.initial) = (store, initial) }

    /// Makes an atom.
    ///
    /// - Parameters:
    ///   - initial: the value at version 0.
    ///   - name: its name in journals, a jq identifier at best; by default the place of this call: `Search.swift:12`.
    ///   - recorder: what records it; nil for an atom that is not recorded.
    ///   - isEqual: whether two values count as equal; by default as of a store: by `==`, else by their bytes.
    public convenience init(
        _ initial: Value, name: String? = nil, recorder: Recorder? = .current,
        comparing isEqual: (@Sendable (Value, Value) -> Bool)? = nil, fileID: StaticString = #fileID, line: Int = #line,
        column: Int = #column, function: StaticString = #function
    ) {
        let location = CommitLocation(file: fileID, line: line, column: column, function: function)
        self.init(
            Store(
                initial, name: name ?? location.shortText, recorder: recorder, comparing: isEqual, at: location),
            initial: initial)
    }

    /// Its name: the one given, with a number after it where another live store of the recorder has that name.
    public var name: String { store.name }

    /// The value, from any thread.
    public var value: Value {
        get { store.state }
        @available(*, unavailable, message: "use 'set(_:)' or 'update { … }', which record where they are called")
        set { set(newValue) }
    }

    /// Replaces the value by a commit.
    ///
    /// - Parameters:
    ///   - value: the new value; an equal one notifies no subscriber, and is recorded all the same.
    ///   - name: the commit's name in the journal; by default the function that it is made in.
    public func set(
        _ value: Value, name: String? = nil, fileID: StaticString = #fileID, line: Int = #line, column: Int = #column,
        function: StaticString = #function
    ) {
        let location = CommitLocation(file: fileID, line: line, column: column, function: function)
        store.perform({ $0 = value }, named: name, action: nil, at: location)
    }

    /// Changes the value by a commit, so that nothing comes between the read and the write.
    ///
    ///     page.update { $0 += 1 }
    ///
    /// - Parameters:
    ///   - name: the commit's name in the journal; by default the function that it is made in.
    ///   - body: changes the value, and may return another. It must not commit to any store: that traps.
    /// - Returns: what the closure returned.
    /// - Throws: what the closure throws; then the value stays as it was.
    @discardableResult
    public func update<Result, Failure: Error>(
        name: String? = nil, fileID: StaticString = #fileID, line: Int = #line, column: Int = #column,
        function: StaticString = #function, _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let location = CommitLocation(file: fileID, line: line, column: column, function: function)
        return try store.perform(body, named: name, action: nil, at: location)
    }

    /// Sets the value that the atom was made with, by a commit that is named `reset`.
    public func reset(
        fileID: StaticString = #fileID, line: Int = #line, column: Int = #column, function: StaticString = #function
    ) {
        set(initial, name: "reset", fileID: fileID, line: line, column: column, function: function)
    }

    /// A binding that reads and sets the value without knowing atoms; its sets are recorded with this place.
    ///
    /// - Parameter name: the commits' name in the journal; by default the function that this is called in.
    public func binding(
        name: String? = nil, fileID: StaticString = #fileID, line: Int = #line, column: Int = #column,
        function: StaticString = #function
    ) -> StoreBinding<Value> {
        store.binding(\.self, name: name, fileID: fileID, line: line, column: column, function: function)
    }
}

extension Atom: DerivedReadable where Value: Equatable {
    /// The value as an input of a derived value.
    public var input: DerivedInput<Value> { store.input(\.self) }
}

extension Atom {
    /// The value as an input that changes by a comparison of the caller's.
    public func input(by isEqual: @escaping @Sendable (Value, Value) -> Bool) -> DerivedInput<Value> {
        store.input(\.self, by: isEqual)
    }
}

extension Atom: StoreReadable {}

/// Reads of ``Atom/value`` are tracked.
extension Atom: Observable {}

extension Atom: OpaqueToDump {}
