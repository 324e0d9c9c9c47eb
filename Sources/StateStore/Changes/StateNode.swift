internal import JournalFormat

/// One version of a state: what `Changes` objects share, so that a previous one costs nothing.
final class StateNode<State: Sendable>: Sendable {
    let state: State
    let version: Int
    let location: SourceLocation
    let cause: CommitReference?

    init(state: State, version: Int, location: SourceLocation, cause: CommitReference?) {
        self.state = state
        self.version = version
        self.location = location
        self.cause = cause
    }
}
