internal import JournalFormat
internal import Synchronization

/// Delivers the versions of one store: each once, in order, by one thread at a time, derived values first.
///
/// Whoever finds nobody delivering goes on until nothing is left. A commit made by a sink therefore returns before its own
/// delivery, which the loop below it on the stack makes next; so does one that another thread is busy to deliver.
@usableFromInline
final class Delivery<State: Encodable & Sendable>: Sendable {
    let line = BusyLock(DeliveryLine<State>())
    let graph: StateSource<State>
    /// What was handed to sinks that receive it elsewhere, and is not received yet.
    let outstanding = OutstandingDeliveries()
    private let computed = ComputedLineage()
    private let storeName: String
    private let recorder: Recorder?
    private let protection: StateProtection<State>?
    private let observation: ObservationPoint
    /// Nil where the state is not Equatable: then the recorder's bytes tell, if there is one.
    private let isEqual: (@Sendable (State, State) -> Bool)?

    init(
        storeName: String, recorder: Recorder?, protection: StateProtection<State>?, observation: ObservationPoint,
        isEqual: (@Sendable (State, State) -> Bool)?
    ) {
        self.storeName = storeName
        self.recorder = recorder
        self.protection = protection
        self.observation = observation
        self.isEqual = isEqual
        graph = StateSource(outstanding: outstanding)
    }

    deinit {
        for sink in line.withLock(\.sinks) { sink.onEnd?() }
    }

    /// A version, as it is handed on.
    func node(of state: State, _ origin: PublishedState<State>.Origin) -> StateNode<State> {
        StateNode(
            state: state, version: origin.version, location: origin.location, cause: origin.cause, computed: computed)
    }

    /// Delivers what can be delivered, unless somebody does.
    @usableFromInline
    func drain() {
        guard line.withLock({ $0.begin() }) else { return }
        var waiters: [DeliveryLine<State>.Waiter] = []
        while let (item, previous) = line.withLock({ $0.take(resuming: &waiters) }) {
            let isSame = isSame(item, previous)
            // An equal state that was written all the same may have touched the input of a derived value: its outcome counts.
            if isSame && item.recorded?.isUnchanged ?? true { continue }
            deliver(item, previous: previous, toSinks: !isSame)
        }
        for waiter in waiters { waiter.resume() }
    }

    private func isSame(_ item: DeliveryLine<State>.Item, _ previous: StateNode<State>) -> Bool {
        isEqual?(previous.state, item.node.state) ?? item.recorded?.isUnchanged ?? false
    }

    private func deliver(_ item: DeliveryLine<State>.Item, previous: StateNode<State>, toSinks: Bool) {
        let commit = reference(to: item)
        CommitReference.$current.withValue(commit) {
            let reports = graph.advance(to: item.node, recorded: item.recorded, commit: commit)
            if let recorded = item.recorded { recorder?.record(reports, of: recorded) }
            if toSinks {
                let (sinks, isObserved) = line.withLock { ($0.sinks, $0.isObserved) }
                if !sinks.isEmpty {
                    let changes = Changes(
                        item.node, previous: previous, commit: commit, recordedPatch: item.recorded?.keptPatch,
                        protection: protection)
                    for sink in sinks { sink.deliver(Sink.Delivered(changes: changes, commit: commit)) }
                }
                if isObserved { observation.tell() }
            }
            DerivedReport.tell(reports, during: commit)
        }
    }

    /// What the commits of sinks are caused by.
    private func reference(to item: DeliveryLine<State>.Item) -> CommitReference {
        let node = item.node
        let entry = item.recorded.flatMap { recorded in
            recorder.map { CommitReference.Entry(recorder: $0.identity, number: recorded.number) }
        }
        return CommitReference(
            store: storeName, version: node.version, location: node.location, entry: entry ?? node.cause?.journalEntry)
    }

    /// Returns when nothing is left to deliver, and nothing that was delivered is left to be received.
    func waitUntilIdle() async {
        await withCheckedContinuation { waiter in
            if !line.withLock({ $0.wait(waiter) }) { waiter.resume() }
        }
        await outstanding.waitUntilNone()
    }
}
