internal import JournalFormat
internal import Synchronization

/// A derived value: an input read from its graph, a transform, and both sides memoized.
final class TransformVertex<Input: Sendable, Value: Sendable>: DerivedVertex {
    /// How the value is made; all of it pure.
    struct Definition: Sendable {
        var name: String
        /// Reads the input; called under the graph's lock.
        var read: @Sendable () -> Input?
        var isSameInput: @Sendable (Input, Input) -> Bool
        var isSameValue: @Sendable (Value, Value) -> Bool
        var transform: @Sendable (Input) -> Value
        /// The derived values that the input is read from.
        var upstream: [any DerivedVertex] = []
    }

    let output = DerivedOutput<Value>()
    private let definition: Definition
    /// Its line in the journal; nil without a recorder.
    private let declaration: DerivedDeclaration?
    private let lastInput = Mutex<Input?>(nil)
    private let isEncodable = Value.self is any Encodable.Type

    init(_ definition: Definition, declaration: DerivedDeclaration?) {
        self.definition = definition
        self.declaration = declaration
    }

    deinit {
        if isAsked { for vertex in definition.upstream { vertex.removeDependent() } }
    }

    var isAsked: Bool { output.content.withLock(\.isAsked) }

    // MARK: Being asked

    /// Notes a new reason to be kept up to date, and makes sure that there is a value.
    func ask(at moment: StateMoment, _ reason: (inout DerivedOutput<Value>.Content) -> Void) {
        if !isAsked {
            for vertex in definition.upstream { vertex.addDependent(at: moment) }
            catchUp(at: moment)
        }
        output.content.withLock { reason(&$0) }
    }

    /// Takes a reason back.
    func unask(_ reason: (inout DerivedOutput<Value>.Content) -> Void) {
        let hasEnded = output.content.withLock { content -> Bool in
            let wasAsked = content.isAsked
            reason(&content)
            return wasAsked && !content.isAsked
        }
        if hasEnded { for vertex in definition.upstream { vertex.removeDependent() } }
    }

    func addDependent(at moment: StateMoment) { ask(at: moment) { $0.dependents += 1 } }

    func removeDependent() { unask { $0.dependents -= 1 } }

    // MARK: Evaluation

    /// Makes up for the commits while nobody asked.
    ///
    /// Nothing is counted or told: nobody was there.
    private func catchUp(at moment: StateMoment) {
        guard let input = definition.read() else { return }
        if let last = lastInput.withLock(\.self), definition.isSameInput(last, input) { return }
        lastInput.withLock { $0 = input }
        let value = transformed(input)
        output.content.withLock { content in
            if let latest = content.latest, definition.isSameValue(latest.state, value) { return }
            content.latest = next(value, after: content.latest, at: moment)
        }
    }

    func advance(at moment: StateMoment, recorded: PendingCommit?) -> DerivedReport? {
        guard let input = definition.read() else { return nil }
        if let last = lastInput.withLock(\.self), definition.isSameInput(last, input) {
            let isTouched = recorded?.touches(declaration?.inputs) ?? false
            output.content.withLock { content in
                if isTouched { content.counters.unchanged += 1 } else { content.counters.untouched += 1 }
            }
            return isTouched ? report(.unchanged) : nil
        }
        lastInput.withLock { $0 = input }
        return take(transformed(input), at: moment, recorded: recorded)
    }

    /// Takes on what the transform returned.
    private func take(_ value: Value, at moment: StateMoment, recorded: PendingCommit?) -> DerivedReport? {
        let previous = output.content.withLock(\.latest)
        if let previous, definition.isSameValue(previous.state, value) {
            output.content.withLock { $0.counters.same += 1 }
            return report(.same)
        }
        let node = next(value, after: previous, at: moment)
        let sinks = output.content.withLock { content in
            content.counters.fired += 1
            content.latest = node
            return content.sinks
        }
        var report = report(.fired)
        if isEncodable, recorded != nil { report.value = SmallValue.encoded(value) }
        if !sinks.isEmpty {
            report.notify = { commit in
                let changes = Changes(node, previous: previous)
                for sink in sinks { sink.deliver(Sink.Delivered(changes: changes, commit: commit)) }
            }
        }
        return report
    }

    private func transformed(_ input: Input) -> Value {
        ThreadActivity.during(.transforming(name: definition.name)) { definition.transform(input) }
    }

    private func next(_ value: Value, after previous: StateNode<Value>?, at moment: StateMoment) -> StateNode<Value> {
        StateNode(
            state: value, version: (previous?.version ?? -1) + 1, location: moment.location, cause: moment.cause,
            computed: previous?.computed)
    }

    private func report(_ outcome: DerivedOutcome) -> DerivedReport {
        DerivedReport(name: declaration?.name ?? definition.name, outcome: outcome)
    }
}

/// Values that are short enough to stand in an `outcome` record.
enum SmallValue {
    /// The longest text, in bytes.
    static let limit = 1024

    /// A value as JSON; nil where it is not encodable, or too long.
    static func encoded(_ value: some Sendable) -> [UInt8]? {
        guard let value = value as? any Encodable else { return nil }
        var bytes: [UInt8] = []
        let activity = ThreadActivity.encoding(type: String(describing: type(of: value)))
        do {
            try ThreadActivity.during(activity) { try ValueEncoder.append(value, to: &bytes) }
        } catch {
            return nil  // the outcome stands without its value, as the format has it
        }
        return bytes.count <= limit ? bytes : nil
    }
}
