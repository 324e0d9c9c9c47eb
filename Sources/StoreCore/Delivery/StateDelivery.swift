internal import JournalFormat
internal import StateEncoding

/// The deliveries of a store with a given type of state.
@usableFromInline
final class StateDelivery<State: Encodable & Sendable>: Delivery, @unchecked Sendable {
    // Unchecked: adds constants to what its superclass explains, and what is under the lock of the published state.

    let graph: StateSource<State>
    /// What keeps the store's steps for undo; under the lock of the published state.
    @exclusivity(unchecked) var histories: [UndoLog<State>] = [] {
        didSet { hasHistories = !histories.isEmpty }
    }
    /// Whether there are any: code that is generic over the state takes hundreds of instructions to ask the array.
    @exclusivity(unchecked) private(set) var hasHistories = false
    private let computed = ComputedLineage()
    private let protection: StateProtection<State>?
    private let observation: ObservationPoint
    private let observedProperties: ObservedProperties<State>
    /// Whether two versions are equal; that does not depend on a recorder.
    private let isEqual: @Sendable (State, State) -> Bool

    init(
        storeName: String, recorder: Recorder?, track: StateTrack<State>?, observation: ObservationPoint,
        observedProperties: ObservedProperties<State>, isEqual: (@Sendable (State, State) -> Bool)?
    ) {
        self.observation = observation
        self.observedProperties = observedProperties
        protection = track?.protection
        self.isEqual = isEqual ?? StateDelivery.comparisonByBytes()
        let outstanding = OutstandingDeliveries()
        graph = StateSource(track: track, outstanding: outstanding)
        super.init(storeName: storeName, recorder: recorder, source: graph, outstanding: outstanding)
    }

    /// A version, as the line holds it.
    ///
    /// - Parameter place: where its state is; the caller may read it.
    func node(at place: UnsafePointer<State>, _ origin: StateOrigin) -> StateNode<State> {
        StateNode(at: place, origin, computed: computed)
    }

    /// A version from the line, which only has those of this store.
    @inline(__always)
    func state(_ node: VersionNode) -> StateNode<State> { unsafeDowncast(node, to: StateNode<State>.self) }

    override func isSame(_ turn: DeliveryLine.Turn) -> Bool {
        isEqual(state(turn.previous).state, state(turn.item.node).state)
    }

    /// Compares states that are not Equatable: by their bytes if equal bytes mean equal values, else no two are equal.
    private static func comparisonByBytes() -> @Sendable (State, State) -> Bool {
        guard PlainTypes.contains(State.self) else { return { _, _ in false } }
        let layout = ByteLayout.of(State.self)
        return { left, right in
            withUnsafePointer(to: left) { left in withUnsafePointer(to: right) { layout.same(left, $0) } }
        }
    }

    override func changes(_ turn: DeliveryLine.Turn, _ commit: CommitReference) -> any AnyObject & Sendable {
        Changes(
            state(turn.item.node), previous: state(turn.previous), commit: commit,
            recordedPatch: turn.item.recorded?.keptPatch, protection: protection)
    }

    override func notifyObservers(_ turn: DeliveryLine.Turn) {
        observation.notify()
        observedProperties.report(state(turn.previous).state, state(turn.item.node).state)
    }

    override func advance(to item: DeliveryLine.Item, isEqual: Bool, _ commit: CommitReference) -> [DerivedReport] {
        graph.advance(to: state(item.node), isEqual: isEqual, recorded: item.recorded, commit: commit)
    }
}
