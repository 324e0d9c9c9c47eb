internal import JournalFormat
internal import Platform
public import StateEncoding

/// A part of a store's state that can be read and committed to as if it were the whole.
///
///     let user = store.scope(\.user)
///     user.commit { $0.name = "Ann" }
///
/// It has no state of its own: its commits are the store's, with the store's versions and, in the journal, the paths of
/// the whole state. Make one where it is used, or keep it: it holds the store. Use it to give code a part of a store
/// without the rest: it is subscribed to and derived from as a store is.
///
/// The functions of an extension of it are the part's mutations and actions: see <doc:MutationsAndActions>.
public struct Scope<State: Sendable, Part: Sendable>: @unchecked Sendable {
    // Unchecked: the paths are Sendable, or made of two such ones; the type of what `appending` returns does not say so.

    /// The store.
    public let store: Store<State>
    @usableFromInline let path: WritableKeyPath<State, Part>
    /// The run that its commits are part of; nil where each stands alone.
    @usableFromInline let chain: CommitChain?
    /// Registers a tracked read where the path is none that can be compared, but part of one that can; nil for the path.
    @usableFromInline let track: ((Store<State>) -> Void)?
    /// Whether the part is in a state; nil for one that always is.
    @usableFromInline let isThere: ((State) -> Bool)?

    @usableFromInline
    init(
        _ store: Store<State>, _ path: WritableKeyPath<State, Part>, chain: CommitChain? = nil,
        track: ((Store<State>) -> Void)? = nil, isThere: ((State) -> Bool)? = nil
    ) {
        self.store = store
        self.path = path
        self.chain = chain
        self.track = track
        self.isThere = isThere
    }

    /// A copy of the part, from any thread; tracked on its own, as by ``Store/subscript(_:)``.
    @inlinable
    public var state: Part { store.read(path, track: track) }

    /// Changes the part by a commit of the store.
    ///
    /// A row, or what an optional held, may be gone by then. There is nothing to change then: the closure is not run, no
    /// commit is made, and nil is returned. The journal has an `abort` with this place; without a recorder a line on
    /// standard error says so.
    ///
    /// - Parameters:
    ///   - name: the commit's name in the journal; by default the function that it is made in.
    ///   - body: changes the part, and may return a value. It must not commit to any store: that traps.
    /// - Returns: what the closure returned; nil where the part is gone, never of a scope that was made by ``scope(_:)``
    ///   alone.
    /// - Throws: what the closure throws; state and version then stay as they were.
    /// - Complexity: that of ``Store/commit(name:fileID:line:column:function:_:)``.
    @discardableResult
    @inlinable
    public func commit<Result, Failure: Error>(
        name: String? = nil, fileID: StaticString = #fileID, line: Int = #line, column: Int = #column,
        function: StaticString = #function, _ body: (inout Part) throws(Failure) -> Result
    ) throws(Failure) -> Result? {
        let location = CommitLocation(file: fileID, line: line, column: column, function: function)
        if chain != nil || isThere != nil { return try commit(named: name, at: location, body) }
        return try store.perform(
            { state throws(Failure) in try body(&state[keyPath: path]) }, named: name, action: nil, at: location)
    }

    /// Commits if the part is there, and as part of a run if there is one.
    @usableFromInline
    func commit<Result, Failure: Error>(
        named name: String?, at location: CommitLocation, _ body: (inout Part) throws(Failure) -> Result
    ) throws(Failure) -> Result? {
        func change(_ state: inout State) throws -> Result {
            if let isThere, !isThere(state) { throw ScopeTargetIsGone() }
            return try body(&state[keyPath: path])
        }
        do {
            guard let chain else { return try store.perform(change, named: name, action: nil, at: location) }
            return try CommitReference.causing(chain.cause) { () throws in
                let commit = try store.commit(named: name, at: location, change)
                chain.append(commit.reference)
                return commit.result
            }
        } catch is ScopeTargetIsGone {
            if !store.isRecorded {
                FileDescriptor.writeToStandardError(
                    "StateStore: warning: \(location.file):\(location.line): nothing was committed to '\(store.name)': \(ScopeTargetIsGone())\n"
                )
            }
            return nil
        } catch let error as Failure {
            throw error
        } catch {
            preconditionFailure("a commit through a scope threw an error that its closure cannot throw: \(error)")
        }
    }

    /// A part of the part.
    @inlinable
    public func scope<Inner: Sendable>(_ path: any WritableKeyPath<Part, Inner> & Sendable) -> Scope<State, Inner> {
        let inner: WritableKeyPath<Part, Inner> = path
        return Scope<State, Inner>(
            store, self.path.appending(path: inner), chain: chain, track: track, isThere: isThere)
    }

    // MARK: Runs

    /// Runs a function whose commits through the given scope form a chain: each names the one before as its cause, the
    /// first one the caller's.
    ///
    /// Inside another run it is a separate run, caused by the last commit of the outer one.
    ///
    /// - Returns: what the function returned.
    /// - Throws: what the function throws; its earlier commits stand.
    @discardableResult
    public func run<Result, Failure: Error>(
        _ action: (_ scope: Scope) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        guard let chain else { return try action(inRun) }
        return try CommitReference.causing(chain.cause) { () throws(Failure) in try action(inRun) }
    }

    /// Runs an async function whose commits are a chain of causes, however long it waits in between.
    ///
    ///     try await store.scope(\.cart).run { cart in try await cart.buy() }
    ///
    /// - Returns: what the function returned.
    /// - Throws: what the function throws; its earlier commits stand.
    @discardableResult
    public func run<Result: Sendable, Failure: Error>(
        isolation: isolated (any Actor)? = #isolation, _ action: (_ scope: Scope) async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        guard let chain else { return try await action(inRun) }
        return try await CommitReference.causing(chain.cause, isolation: isolation) { () async throws(Failure) in
            try await action(inRun)
        }
    }

    private var inRun: Scope { Scope(store, path, chain: CommitChain(), track: track, isThere: isThere) }
}

private struct ScopeTargetIsGone: Error, CustomStringConvertible {
    var description: String { "what the scope is of is gone: a row that was removed, or an optional that is nil" }
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

extension Scope: Subscribable {
    /// Calls a closure with the part now, and whenever it differs from the one before; another one when the store ends.
    ///
    /// Of a row that is gone nothing more comes.
    public func subscribe(
        on context: DeliveryContext, buffering: ChangesBuffering?, initially: Bool,
        onEnd: (@Sendable () -> Void)?, _ receive: @escaping @Sendable (Changes<Part>) -> Void
    ) -> Subscription {
        store.subscribe(
            to: { state in state[keyPath: path] }, by: StateTraits<Part>.known.isEqual, on: context,
            buffering: buffering, initially: initially, onEnd: onEnd, receive)
    }
}

extension Scope: DerivedReadable where Part: Equatable {
    /// The part as an input of a derived value.
    public var input: DerivedInput<Part> { store.input(sending: path, by: { $0 == $1 }, holding: nil) }
}

extension Scope: OpaqueToDump {}
