internal import JSONCore
internal import JournalFormat
internal import StateEncoding
internal import Synchronization

@usableFromInline
final class StateDelivery<State: Sendable>: Delivery, @unchecked Sendable {
    // Unchecked: adds constants to what its superclass explains, and what is under the lock of the published state.

    let graph: StateSource<State>
    /// What keeps the store's steps for undo; under the lock of the published state.
    @safe @exclusivity(unchecked) var histories: [UndoLog<State>] = [] {
        didSet { hasHistories = !histories.isEmpty }
    }
    /// Whether there are any: code that is generic over the state takes hundreds of instructions to ask the array.
    @safe @exclusivity(unchecked) private(set) var hasHistories = false
    private let computed = ComputedMemories()
    // Kept, since generic code asks the runtime for it each time, which costs as much as making the object.
    private let changesType = Changes<State>.self
    private let observation: ObservationPoint
    let observedProperties = ObservedProperties<State>()
    /// Whether two versions are equal; that does not depend on a recorder.
    private let isEqual: @Sendable (State, State) -> Bool

    init(
        storeName: String, info: StoreInfo, observation: ObservationPoint,
        isEqual: @escaping @Sendable (State, State) -> Bool
    ) {
        self.observation = observation
        self.isEqual = isEqual
        let outstanding = OutstandingDeliveries()
        graph = StateSource(outstanding: outstanding)
        super.init(storeName: storeName, info: info, source: graph, outstanding: outstanding)
    }

    /// - Parameter place: where its state is; the caller may read it.
    func node(at place: Borrowed<State>, _ origin: StateOrigin) -> Changes<State> {
        changesType.init(
            at: place, version: origin.version, location: origin.location, cause: origin.cause, computed: computed)
    }

    /// A version from the line, which only has those of this store.
    @inline(__always)
    func state(_ version: StateVersion) -> Changes<State> { version.of(State.self) }

    override func isSame(_ old: StateVersion, _ new: StateVersion) -> Bool {
        isEqual(state(old).current, state(new).current)
    }

    override func notifyObservers(_ turn: DeliveryLine.Turn, _ comparison: inout VersionComparison) {
        observation.report(turn.previous, turn.item.node) { seen, _ in comparison.isSame(as: seen, in: self) }
        observedProperties.report(state(turn.previous), state(turn.item.node))
    }

    override func stopListeningIfUnused() {
        // The last version is released outside of the locks.
        _ = graph.whileInactive {
            info.origin.withLock { origin -> StateVersion? in
                guard histories.isEmpty else { return nil }
                let last = line.withLock { $0.stopListening() }
                if last != nil {
                    origin.hasListeners = false
                    info.isHeard.store(false, ordering: .relaxed)
                }
                return last
            }
        }
    }

    override func advance(
        to node: StateVersion, isEqual: Bool, recorded: PendingCommit?, _ commit: CommitReference
    ) -> [QueuedOutcome] {
        graph.advance(to: state(node), isEqual: isEqual, recorded: recorded, commit: commit)
    }
}
