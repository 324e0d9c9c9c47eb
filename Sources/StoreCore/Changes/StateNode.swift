internal import JSONCore
internal import JournalFormat
internal import Synchronization

/// One version of a state: what `Changes` objects share, so that a previous one costs nothing.
final class StateNode<State: Sendable>: VersionNode, @unchecked Sendable {
    // Unchecked: adds constants, and what has a lock of its own, to what its superclass explains.

    let state: State
    /// What was computed from the state; made for the first property that is asked for.
    let memories = AtomicLazyReference<ComputedMemories>()
    /// The latest computed values of all versions.
    let computed: ComputedMemories

    /// - Parameter computed: that of the version before; nil for a first one.
    init(
        state: State, version: Int, location: CommitLocation, cause: CommitReference?, computed: ComputedMemories? = nil
    ) {
        self.state = state
        self.computed = computed ?? ComputedMemories()
        super.init(version: version, location: location, cause: cause)
    }

    /// - Parameter place: where the state is; it is copied once from there.
    init(at place: Borrowed<State>, _ origin: StateOrigin, computed: ComputedMemories) {
        state = place.value
        self.computed = computed
        super.init(version: origin.version, location: origin.location, cause: origin.cause)
    }
}

/// A version without the type of its state: what the line of deliveries knows of it.
///
/// Code that is generic over the state asks the runtime for each generic type that it touches, each time. A delivery
/// passes the line several times, and each pass costs less than such a request.
class VersionNode: @unchecked Sendable {
    // Unchecked: constants only, and those of the one subclass.

    let version: Int
    let location: CommitLocation
    let cause: CommitReference?

    init(version: Int, location: CommitLocation, cause: CommitReference?) {
        self.version = version
        self.location = location
        self.cause = cause
    }

    /// The version, of a store with this state: each line has those of its own store.
    @inline(__always)
    final func node<State: Sendable>(of type: State.Type) -> StateNode<State> {
        assert(self is StateNode<State>)
        return unsafe unsafeDowncast(self, to: StateNode<State>.self)
    }
}
