internal import JournalFormat
internal import Synchronization

/// A derived value of a given type: what it has come to, and who wants to know.
final class TransformVertex<Value: Sendable>: DerivedVertex, @unchecked Sendable {
    // Unchecked: adds constants and a lock to what its superclass explains.

    /// How the value is made; all of it pure.
    struct Definition: Sendable {
        var name: String
        var isSameValue: @Sendable (Value, Value) -> Bool
        /// Reads the inputs, under the network's lock, and computes the value.
        var compute: @Sendable () -> Value
    }

    private struct Output: Sendable {
        /// The memoized value; nil before the first evaluation.
        var latest: StateNode<Value>?
        var sinks: [Sink<Value>] = []
        /// Whether the value was ever asked for: from then on it is kept up to date.
        var wasRead = false
        var line = OutputLine<Value>()
    }

    private let definition: Definition
    private let output = Mutex(Output())
    private let isEncodable = Value.self is any Encodable.Type

    init(_ definition: Definition, inputs: [DerivedNode], sources: [DerivedSource], declarations: JournalDeclarations) {
        self.definition = definition
        super.init(inputs: inputs, sources: sources, declarations: declarations)
    }

    // MARK: Being asked

    override var isAsked: Bool { super.isAsked || output.withLock { $0.wasRead || !$0.sinks.isEmpty } }

    /// The value, where it is kept up to date because it was read before.
    var readValue: StateNode<Value>? { output.withLock { $0.wasRead ? $0.latest : nil } }

    /// The value as it is; for who keeps it up to date.
    var latest: StateNode<Value> {
        guard let latest = output.withLock(\.latest) else {
            preconditionFailure("the derived value '\(definition.name)' was read before it was evaluated")
        }
        return latest
    }

    /// Keeps it up to date from now on.
    func read(at moment: StateMoment) -> StateNode<Value> {
        if !isAsked { activate(at: moment) }
        output.withLock { $0.wasRead = true }
        return latest
    }

    /// Does not keep it up to date for having been read.
    func forgetRead() { unask { $0.wasRead = false } }

    /// Adds a subscriber.
    ///
    /// - Returns: the value that it goes on from.
    func add(_ make: (StateNode<Value>) -> Sink<Value>, at moment: StateMoment) -> (Sink<Value>, StateNode<Value>) {
        if !isAsked { activate(at: moment) }
        let node = latest
        let sink = make(node)
        output.withLock { $0.sinks.append(sink) }
        return (sink, node)
    }

    func remove(_ sink: Sink<Value>) { unask { $0.sinks.removeAll { $0 === sink } } }

    private func unask(_ change: (inout Output) -> Void) {
        let wasAsked = isAsked
        output.withLock { change(&$0) }
        if wasAsked && !isAsked { deactivate() }
    }

    // MARK: Evaluation

    override func evaluateUnheard(at moment: StateMoment) {
        let value = computed()
        let previous = output.withLock(\.latest)
        if let previous, definition.isSameValue(previous.state, value) { return }
        take(node(value, after: previous, at: moment))
    }

    override func evaluate(at moment: StateMoment, commit: CommitReference, turn: DerivedTurn) -> DerivedReport {
        let value = computed()
        let previous = output.withLock(\.latest)
        if let previous, definition.isSameValue(previous.state, value) {
            return DerivedReport(vertex: self, outcome: .same)
        }
        let node = node(value, after: previous, at: moment)
        take(node)
        let isHeard = output.withLock { output -> Bool in
            if output.sinks.isEmpty { return false }
            output.line.append(
                OutputLine.Item(node: node, previous: previous, sinks: output.sinks, commit: commit, turn: turn))
            return true
        }
        var report = DerivedReport(vertex: self, outcome: .fired, turn: isHeard ? turn : nil)
        if isEncodable, declarations.name != nil { report.encode = { SmallValue.encoded(value) } }
        return report
    }

    private func take(_ node: StateNode<Value>) {
        stamp += 1
        output.withLock { $0.latest = node }
    }

    private func computed() -> Value {
        ThreadActivity.during(.transforming(name: definition.name)) { definition.compute() }
    }

    private func node(_ value: Value, after previous: StateNode<Value>?, at moment: StateMoment) -> StateNode<Value> {
        StateNode(
            state: value, version: (previous?.version ?? -1) + 1, location: moment.location, cause: moment.cause)
    }

    // MARK: Telling

    override func tell(during commit: CommitReference) {
        guard output.withLock({ $0.line.begin() }) else { return }
        while let item = output.withLock({ $0.line.take() }) {
            if item.commit === commit {
                item.tell()
            } else {
                CommitReference.$current.withValue(item.commit) { item.tell() }
            }
        }
    }
}

/// What one derived value has yet to tell: a pure state machine.
///
/// Two stores may fire one value on two threads. Its place in the line is decided under the network's lock; whoever finds
/// nobody telling goes on until nothing is left that may be told.
struct OutputLine<Value: Sendable>: Sendable {
    /// A new value that waits to be told.
    struct Item: Sendable {
        let node: StateNode<Value>
        let previous: StateNode<Value>?
        let sinks: [Sink<Value>]
        let commit: CommitReference
        let turn: DerivedTurn

        func tell() {
            let delivered = Sink<Value>.Delivered(changes: Changes(node, previous: previous), commit: commit)
            for sink in sinks { sink.deliver(delivered) }
        }
    }

    private var items: [Item] = []
    private var isTelling = false

    mutating func append(_ item: Item) { items.append(item) }

    /// Makes the caller the one who tells, unless there is one.
    mutating func begin() -> Bool {
        guard !isTelling, !items.isEmpty else { return false }
        isTelling = true
        return true
    }

    /// The next value; nil ends the caller's turn.
    ///
    /// One whose turn has not come is left to the thread that delivers its commit, which comes here then.
    mutating func take() -> Item? {
        guard let first = items.first, first.turn.hasCome else {
            isTelling = false
            return nil
        }
        return items.removeFirst()
    }
}
