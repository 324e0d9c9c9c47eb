internal import JournalFormat
internal import Synchronization

/// One version of a state: what `Changes` objects share, so that a previous one costs nothing.
final class StateNode<State: Sendable>: VersionNode, @unchecked Sendable {
    // Unchecked: adds constants, and what has a lock of its own, to what its superclass explains.

    let state: State
    /// What was computed from the state, by computed property: a ``ComputedMemory`` each.
    let memories = Mutex<[ObjectIdentifier: any AnyObject & Sendable]>([:])
    /// What was computed from the versions before and after it.
    let computed: ComputedLineage

    /// - Parameter computed: that of the version before; nil for a first one.
    init(
        state: State, version: Int, location: SourceLocation, cause: CommitReference?, computed: ComputedLineage? = nil
    ) {
        self.state = state
        self.computed = computed ?? ComputedLineage()
        super.init(version: version, location: location, cause: cause)
    }

    /// - Parameter place: where the state is; from there it is copied once.
    init(at place: UnsafePointer<State>, _ origin: StateOrigin, computed: ComputedLineage) {
        state = place.pointee
        self.computed = computed
        super.init(version: origin.version, location: origin.location, cause: origin.cause)
    }
}
