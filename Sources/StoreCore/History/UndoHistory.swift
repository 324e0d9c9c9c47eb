internal import JSONCore
internal import JournalFormat
public import Observation
internal import Platform
public import StateEncoding
internal import Synchronization

/// Takes changes of a store back, and makes them again.
///
///     let history = UndoHistory(document, of: \.text, limit: 100)
///     document.commit { $0.text += "x" }
///     history.undo()
///
/// Each commit that changes the part is a step, whatever made it; a commit that leaves it equal is none. An undo is a
/// commit, too: subscribers and derived values follow it, and the journal has it as `undo add(_:)`, with the number of the
/// commit that it takes back. A new change after an undo drops what was taken back.
///
/// It keeps its store alive, and ends with its last reference. Give it the part that the user edits: what a server or
/// another part of the app changes there would be taken back as well.
public final class UndoHistory<State: Sendable, Part: Equatable & Sendable>: Sendable {
    private let scope: Scope<State, Part>
    private let log: UndoLog<State>
    private let observation = ObservationPoint()
    private let subscription: Subscription

    /// Begins to keep the changes of a part of a store.
    ///
    /// - Parameters:
    ///   - store: the store.
    ///   - path: the part whose changes are taken back; `\.self` for the whole state.
    ///   - limit: how many steps are kept at most, those that were taken back included; a further one drops the oldest.
    public init(
        _ store: Store<State>, of path: any WritableKeyPath<State, Part> & Sendable, limit: Int = 100
    ) {
        requirement(limit > 0, "'UndoHistory(limit: \(limit))' cannot keep fewer steps than one")
        scope = store.scope(path)
        let log = store.addHistory(limit: limit) { $0[keyPath: path] == $1[keyPath: path] }
        self.log = log
        // Also of versions that the store takes for equal: what each commit appended is sorted out here.
        subscription = store.subscribeToEach({ [observation] _ in
            log.sort()
            if log.takeIsChanged() { observation.notify() }
        })
    }

    /// Begins to keep the changes of a store's whole state.
    public convenience init(_ store: Store<State>, limit: Int = 100) where Part == State {
        self.init(store, of: \.self, limit: limit)
    }

    deinit {
        scope.store.removeHistory(log)
        subscription.cancel()
    }

    // MARK: Steps

    /// Takes the last step back, in one commit.
    ///
    /// - Returns: whether there was one.
    @discardableResult
    public func undo(
        fileID: StaticString = #fileID, line: Int = #line, column: Int = #column, function: StaticString = #function
    ) -> Bool {
        move(.undo, at: CommitLocation(file: fileID, line: line, column: column, function: function))
    }

    /// Makes the step again that was taken back last, in one commit.
    ///
    /// - Returns: whether there was one.
    @discardableResult
    public func redo(
        fileID: StaticString = #fileID, line: Int = #line, column: Int = #column, function: StaticString = #function
    ) -> Bool {
        move(.redo, at: CommitLocation(file: fileID, line: line, column: column, function: function))
    }

    private func move(_ direction: UndoLog<State>.Direction, at location: CommitLocation) -> Bool {
        guard name(direction) != nil else { return false }
        let receipt = CommitReceipt<State>()
        var unneeded: (any Sendable)?
        let isDone = scope.store.perform(
            { state in
                // What other threads committed meanwhile is a step by now, so that this goes over the latest one.
                unneeded = log.sort()
                guard let step = log.begin(direction) else { return false }
                let (word, node) = direction == .undo ? ("undo", step.before) : ("redo", step.after)
                receipt.takesBack = TakenBack(name: "\(word) \(step.name)", commit: step.latest)
                state[keyPath: scope.path] = node.current[keyPath: scope.path]
                return true
            }, named: direction == .undo ? "undo" : "redo", action: nil, at: location, receipt: receipt)
        withExtendedLifetime(unneeded) {}
        return isDone
    }

    /// The name of the commit that ``undo(fileID:line:column:function:)`` takes back, or of its group; nil without one.
    ///
    /// It is tracked, so that a button may show it.
    public var undoName: String? { name(.undo) }

    /// The name of the commit that ``redo(fileID:line:column:function:)`` makes again, or of its group; nil without one.
    ///
    /// It is tracked, so that a button may show it.
    public var redoName: String? { name(.redo) }

    /// Whether there is a step to take back; tracked as ``undoName`` is.
    public var canUndo: Bool { undoName != nil }

    /// Whether there is a step to make again; tracked as ``redoName`` is.
    public var canRedo: Bool { redoName != nil }

    private func name(_ direction: UndoLog<State>.Direction) -> String? {
        if observation.registerAccess() { observation.markNotifying() }
        log.sort()
        return log.name(direction)
    }

    /// Forgets all steps: after a document was loaded, or saved.
    public func removeAll() {
        log.removeAll()
        observation.notify()
    }

    // MARK: Groups

    /// Makes one step of all commits that a closure makes, and the tasks that it starts.
    ///
    /// What others commit meanwhile is a step of its own, and parts the group in two. A group inside a group is a part of
    /// that.
    ///
    /// - Parameters:
    ///   - name: what the step is called; by default the function that this is called in.
    ///   - body: makes the commits.
    /// - Returns: what the closure returned.
    /// - Throws: what the closure throws; its commits stand, and are one step.
    @discardableResult
    public func group<Result, Failure: Error>(
        _ name: String = #function, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var outcome: Swift.Result<Result, Failure>?
        UndoGroup.$current.withValue(UndoGroup.opened(name, of: log)) {
            do throws(Failure) { outcome = .success(try body()) } catch { outcome = .failure(error) }
        }
        guard let outcome else { preconditionFailure("a group ended without a result") }
        return try outcome.get()
    }

    /// Makes one step of all commits that an async closure makes, and the tasks that it starts.
    ///
    /// - Returns: what the closure returned.
    /// - Throws: what the closure throws; its commits stand, and are one step.
    @discardableResult
    public func group<Result: Sendable, Failure: Error>(
        _ name: String = #function, isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        var outcome: Swift.Result<Result, Failure>?
        await UndoGroup.$current.withValue(UndoGroup.opened(name, of: log)) {
            do throws(Failure) { outcome = .success(try await body()) } catch { outcome = .failure(error) }
        }
        guard let outcome else { preconditionFailure("a group ended without a result") }
        return try outcome.get()
    }
}

/// Reads of ``UndoHistory/undoName`` and ``UndoHistory/redoName`` are tracked.
extension UndoHistory: Observable {}

extension UndoHistory: OpaqueToDump {}

/// What a commit takes back, for its record.
struct TakenBack {
    let name: String
    /// The commit that it takes back; nil for one that is in no journal.
    let commit: CommitReference.Entry?
}

extension Store {
    /// - Parameter isSame: whether two states are equal in what the log is about.
    func addHistory(limit: Int, isSame: @escaping @Sendable (State, State) -> Bool) -> UndoLog<State> {
        let delivery = delivery
        return published.withLock { origin in
            // Commits come to the log with those that are delivered; so the store listens for as long as there is a log.
            origin.hasListeners = true
            published.info.isHeard.store(true, ordering: .relaxed)
            let node = delivery.node(at: unsafe Borrowed(published.place), origin)
            delivery.line.withLock { _ = $0.listen(from: node) }
            let log = UndoLog(from: node, limit: limit, isSame: isSame)
            delivery.histories.append(log)
            return log
        }
    }

    func removeHistory(_ log: UndoLog<State>) {
        published.withLock { _ in knownDelivery?.histories.removeAll { $0 === log } }
    }
}
