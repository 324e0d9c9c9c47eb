internal import JournalFormat
internal import Synchronization

/// One version of a state: what `Changes` objects share, so that a previous one costs nothing.
final class StateNode<State: Sendable>: Sendable {
    let state: State
    let version: Int
    let location: SourceLocation
    let cause: CommitReference?
    /// What was computed from the state, by computed property.
    let slots = Mutex<[ObjectIdentifier: any AnyObject & Sendable]>([:])
    /// What was computed from the versions before and after it.
    let computed: ComputedLineage

    /// - Parameter computed: that of the version before; nil for a first one.
    init(
        state: State, version: Int, location: SourceLocation, cause: CommitReference?, computed: ComputedLineage? = nil
    ) {
        self.state = state
        self.version = version
        self.location = location
        self.cause = cause
        self.computed = computed ?? ComputedLineage()
    }
}
