public import JournalFormat

/// A part of a store's state that can be read and committed to as if it were the whole.
///
///     let user = store.scope(\.user)
///     user.commit { $0.name = "Ann" }
///
/// It has no state of its own: its commits are the store's, with the store's versions and, in the journal, the paths of the
/// whole state. Make one where it is used, or keep it: it holds the store. Use it to hand a part of a store to code that shall
/// not see the rest; a part with its own subscribers and history is a store of its own.
public struct Scope<State: Encodable & Sendable, Part: Sendable>: @unchecked Sendable {
    // Unchecked: the path is Sendable, or made of two that are; their `appending` forgets it.

    /// The store.
    public let store: Store<State>
    /// Where the part is in the store's state.
    @usableFromInline let path: WritableKeyPath<State, Part>

    @usableFromInline
    init(_ store: Store<State>, _ path: WritableKeyPath<State, Part>) {
        self.store = store
        self.path = path
    }

    /// A copy of the part, from any thread; tracked on its own, as by ``Store/subscript(_:)``.
    @inlinable
    public var state: Part { store.read(path) }

    /// Changes the part by a commit of the store.
    ///
    /// - Parameters:
    ///   - name: the commit's name in the journal; by default the function that it is made in.
    ///   - body: changes the part, and may return a value. It must not commit to any store: that traps.
    /// - Returns: what the closure returned.
    /// - Throws: what the closure throws; state and version then stay as they were.
    /// - Complexity: that of ``Store/commit(name:fileID:line:column:function:_:)``.
    @discardableResult
    @inlinable
    public func commit<Result, Failure: Error>(
        name: String? = nil, fileID: String = #fileID, line: Int = #line, column: Int = #column,
        function: String = #function, _ body: (inout Part) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let location = SourceLocation(file: fileID, line: line, column: column, function: function)
        return try store.perform(
            { state throws(Failure) in try body(&state[keyPath: path]) }, named: name, action: nil, at: location)
    }

    /// A part of the part.
    @inlinable
    public func scope<Inner: Sendable>(_ path: any WritableKeyPath<Part, Inner> & Sendable) -> Scope<State, Inner> {
        let inner: WritableKeyPath<Part, Inner> = path
        return Scope<State, Inner>(store, self.path.appending(path: inner))
    }
}

extension Store {
    /// A part of the state that can be read and committed to as if it were the whole.
    ///
    /// - Parameter path: where the part is; `\.user`, `\.user.address`.
    @inlinable
    public func scope<Part: Sendable>(_ path: any WritableKeyPath<State, Part> & Sendable) -> Scope<State, Part> {
        Scope(self, path)
    }
}
