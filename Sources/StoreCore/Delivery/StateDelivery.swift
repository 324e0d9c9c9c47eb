internal import JournalFormat

/// The deliveries of a store with a given type of state.
@usableFromInline
final class StateDelivery<State: Encodable & Sendable>: Delivery, @unchecked Sendable {
    // Unchecked: adds constants to what its superclass explains.

    let graph: StateSource<State>
    private let computed = ComputedLineage()
    private let protection: StateProtection<State>?
    private let observation: ObservationPoint
    private let observedProperties: ObservedProperties<State>
    /// Nil where the state is not Equatable: then the recorder's bytes tell, if there is one.
    private let isEqual: (@Sendable (State, State) -> Bool)?

    init(
        storeName: String, recorder: Recorder?, track: StateTrack<State>?, observation: ObservationPoint,
        observedProperties: ObservedProperties<State>, isEqual: (@Sendable (State, State) -> Bool)?
    ) {
        self.observation = observation
        self.observedProperties = observedProperties
        protection = track?.protection
        self.isEqual = isEqual
        let outstanding = OutstandingDeliveries()
        graph = StateSource(track: track, outstanding: outstanding)
        super.init(storeName: storeName, recorder: recorder, source: graph, outstanding: outstanding)
    }

    /// A version, as it is handed on.
    ///
    /// - Parameter place: where its state is, for who may read it.
    func node(at place: UnsafePointer<State>, _ origin: StateOrigin) -> StateNode<State> {
        StateNode(at: place, origin, computed: computed)
    }

    /// A version that came out of the line, where only those of this store are.
    @inline(__always)
    func state(_ node: VersionNode) -> StateNode<State> { unsafeDowncast(node, to: StateNode<State>.self) }

    override func isSame(_ turn: DeliveryLine.Turn) -> Bool {
        isEqual?(state(turn.previous).state, state(turn.item.node).state) ?? turn.item.recorded?.isUnchanged ?? false
    }

    override func changes(_ turn: DeliveryLine.Turn, _ commit: CommitReference) -> any AnyObject & Sendable {
        Changes(
            state(turn.item.node), previous: state(turn.previous), commit: commit,
            recordedPatch: turn.item.recorded?.keptPatch, protection: protection)
    }

    override func tellObservers(_ turn: DeliveryLine.Turn) {
        observation.tell()
        observedProperties.tell(state(turn.previous).state, state(turn.item.node).state)
    }

    override func advance(to item: DeliveryLine.Item, _ commit: CommitReference) -> [DerivedReport] {
        graph.advance(to: state(item.node), recorded: item.recorded, commit: commit)
    }
}
