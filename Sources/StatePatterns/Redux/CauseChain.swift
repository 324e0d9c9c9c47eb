internal import StoreCore
internal import Synchronization

/// What a run of dispatches or an action commits, one commit the cause of the next.
///
/// Code that runs after its own commit is not inside that commit's delivery, where ``CommitReference/current`` would tell it.
/// So the run remembers what it committed last, and gives that as the cause, unless something nearer is.
final class CauseChain: Sendable {
    /// What the run itself was caused by.
    private let outer: CommitReference?
    private let latest = Mutex<CommitReference?>(nil)

    init(outer: CommitReference?) { self.outer = outer }

    /// The commit that the run made last.
    var last: CommitReference? { latest.withLock(\.self) }

    /// Notes a commit of the run.
    func append(_ commit: CommitReference) { latest.withLock { $0 = commit } }

    /// What a commit made now is caused by: the run's last commit, unless a delivery or a task is nearer.
    var cause: CommitReference? {
        let nearest = CommitReference.current
        return nearest === outer ? last ?? nearest : nearest
    }
}

extension CommitReference {
    /// Runs a closure whose commits, and the tasks that it starts, are caused by a commit.
    static func causing<Result, Failure: Error>(
        _ cause: CommitReference?, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        // `withValue` forgets the type of what is thrown.
        var outcome: Swift.Result<Result, Failure>?
        $current.withValue(cause) {
            do throws(Failure) { outcome = .success(try body()) } catch { outcome = .failure(error) }
        }
        guard let outcome else { preconditionFailure("a closure ended without a result") }
        return try outcome.get()
    }

    /// Runs an async closure whose commits, and the tasks that it starts, are caused by a commit.
    static func causing<Result: Sendable, Failure: Error>(
        _ cause: CommitReference?, isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        var outcome: Swift.Result<Result, Failure>?
        await $current.withValue(cause) {
            do throws(Failure) { outcome = .success(try await body()) } catch { outcome = .failure(error) }
        }
        guard let outcome else { preconditionFailure("a closure ended without a result") }
        return try outcome.get()
    }
}
