internal import JournalFormat
internal import StoreCore

/// What the functions of a ``StoreModule`` are given: the state to read, commits to write it, and other actions to run.
///
/// A function that commits is a mutation; its name is the commit's. An async function that commits and dispatches is an
/// action. One context belongs to one run of an action: its commits name each other as causes, the first that of whoever
/// dispatched it, so that the journal shows the run as a chain.
public struct ModuleContext<State: Sendable>: Sendable {
    private let home: any PartHome<State>
    private let chain: CauseChain

    init(home: any PartHome<State>) {
        self.home = home
        chain = CauseChain(outer: CommitReference.current)
    }

    /// A copy of the module's state, as it is now.
    public var state: State { home.value }

    /// Changes the module's state, as ``Store/commit(name:fileID:line:column:function:_:)`` does.
    ///
    /// - Parameters:
    ///   - name: the commit's name in the journal; by default the function that it is made in, which is the mutation.
    ///   - mutation: changes the state, and may return a value. It must not commit to any store: that traps.
    /// - Returns: what the closure returned.
    /// - Throws: what the closure throws; then the state stays as it was.
    @discardableResult
    public func commit<Result, Failure: Error>(
        name: String? = nil, fileID: String = #fileID, line: Int = #line, column: Int = #column,
        function: String = #function, _ mutation: (inout State) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let location = SourceLocation(file: fileID, line: line, column: column, function: function)
        return try CommitReference.causing(chain.cause) { () throws(Failure) in
            let (result, commit) = try home.write(mutation, named: name, at: location)
            chain.append(commit)
            return result
        }
    }

    /// Runs another mutation or action, which this one's last commit is the cause of.
    ///
    /// - Returns: what the action returned.
    /// - Throws: what the action throws.
    @discardableResult
    public func dispatch<Result, Failure: Error>(
        _ action: (ModuleContext) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try CommitReference.causing(chain.cause) { () throws(Failure) in try action(ModuleContext(home: home)) }
    }

    /// Runs another async action, which this one's last commit is the cause of.
    ///
    /// - Returns: what the action returned.
    /// - Throws: what the action throws.
    @discardableResult
    public func dispatch<Result: Sendable, Failure: Error>(
        isolation: isolated (any Actor)? = #isolation,
        _ action: (ModuleContext) async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        try await CommitReference.causing(chain.cause, isolation: isolation) { () async throws(Failure) in
            try await action(ModuleContext(home: home))
        }
    }
}
