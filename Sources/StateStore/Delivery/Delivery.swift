internal import JournalFormat
internal import Synchronization

/// Delivers the versions of one store: each once, in order, by one thread at a time, derived values first.
///
/// Whoever finds nobody delivering goes on until nothing is left. A commit made by a sink therefore returns before its own
/// delivery, which the loop below it on the stack makes next; so does one that another thread is busy to deliver.
@usableFromInline
final class Delivery<State: Encodable & Sendable>: Sendable {
    let line = Mutex(DeliveryLine<State>())
    let graph = StateSource<State>()
    private let storeName: String
    private let recorder: Recorder?
    /// Nil where the state is not Equatable: then the recorder's bytes tell, if there is one.
    private let isEqual: (@Sendable (State, State) -> Bool)?

    init(storeName: String, recorder: Recorder?, isEqual: (@Sendable (State, State) -> Bool)?) {
        self.storeName = storeName
        self.recorder = recorder
        self.isEqual = isEqual
    }

    /// Delivers what can be delivered, unless somebody does.
    @usableFromInline
    func drain() {
        guard line.withLock({ $0.begin() }) else { return }
        while let (item, previous) = line.withLock({ $0.take() }) {
            let isSame = isSame(item, previous)
            // An equal state that was written all the same may have touched the input of a derived value: its outcome counts.
            if isSame && item.recorded?.isUnchanged ?? true { continue }
            deliver(item, previous: previous, toSinks: !isSame)
        }
    }

    private func isSame(_ item: DeliveryLine<State>.Item, _ previous: StateNode<State>) -> Bool {
        isEqual?(previous.state, item.node.state) ?? item.recorded?.isUnchanged ?? false
    }

    private func deliver(_ item: DeliveryLine<State>.Item, previous: StateNode<State>, toSinks: Bool) {
        let node = item.node
        let entry = item.recorded.flatMap { recorded in
            recorder.map { CommitReference.Entry(recorder: $0.identity, number: recorded.number) }
        }
        let commit = CommitReference(
            store: storeName, version: node.version, location: node.location, entry: entry ?? node.cause?.journalEntry)
        CommitReference.$current.withValue(commit) {
            let reports = graph.advance(to: node, recorded: item.recorded, commit: commit)
            if let recorded = item.recorded { recorder?.record(reports, of: recorded) }
            if toSinks {
                let delivered = Sink<State>.Delivered(changes: Changes(node, previous: previous), commit: commit)
                for sink in line.withLock(\.sinks) { sink.deliver(delivered) }
            }
            DerivedReport.tell(reports, during: commit)
        }
    }
}
