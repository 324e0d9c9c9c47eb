internal import JournalFormat
internal import StateEncoding
internal import Synchronization

/// A derived value with its type: its current value and its subscribers.
final class TransformVertex<Value: Sendable>: DerivedVertex, @unchecked Sendable {
    // Unchecked: `subscribers`, `hasSubscribers` and `wasRead` are touched under the network's lock only.

    /// How the value is computed; all of it pure.
    struct Definition: Sendable {
        var name: String
        var isSameValue: @Sendable (Value, Value) -> Bool
        /// Reads the inputs, under the network's lock, and computes the value.
        var compute: @Sendable () -> Value
    }

    private let definition: Definition
    // Kept, since generic code asks the runtime for it each time, which costs as much as making the object.
    private let changesType = Changes<Value>.self
    private let protection: StateProtection?
    private let encode: SmallValue.Encoding<Value>?
    private let published = Mutex(PublishedValue())
    @safe @exclusivity(unchecked) private var subscribers = SubscriberList()
    /// Whether there are subscribers: read after each change, where the list itself would have its type looked up.
    @safe @exclusivity(unchecked) private var hasSubscribers = false
    private var wasRead = false
    /// The values that wait for their delivery, of one that reads several stores.
    private let line = Mutex(DrainQueue<DerivedOutput>())
    /// The value to be delivered, of one that reads a single store: touched by the thread that delivers that store's commit.
    @safe @exclusivity(unchecked) private var output: DerivedOutput?

    init(_ definition: Definition, inputs: [DerivedNode], sources: [DerivedSource], declarations: JournalDeclarations) {
        self.definition = definition
        protection = declarations.protection
        encode = declarations.isEmpty ? nil : SmallValue.Encoding(of: Value.self)
        super.init(inputs: inputs, sources: sources, declarations: declarations)
    }

    // MARK: Activation

    override var isNeeded: Bool { super.isNeeded || wasRead || hasSubscribers }

    /// The value, if it is kept up to date because it was read before; from any thread, outside the network's lock.
    var readValue: Changes<Value>? {
        published.withLock { $0.wasRead ? $0.node : nil }?.of(Value.self)
    }

    /// The current value; the caller keeps it up to date.
    var latest: Changes<Value> {
        guard let current else {
            preconditionFailure("the derived value '\(definition.name)' was read before it was evaluated")
        }
        return current
    }

    /// The memoized value; nil before the first evaluation.
    private var current: Changes<Value>? { published.withLock(\.node)?.of(Value.self) }

    /// Keeps it up to date from now on.
    func read(at version: StateVersion) -> Changes<Value> {
        if !isNeeded { activate(at: version) }
        setRead(true)
        return latest
    }

    /// Stops keeping it up to date for an earlier read.
    func forgetRead() {
        guard wasRead else { return }
        setRead(false)
        if !isNeeded { deactivate() }
    }

    private func setRead(_ wasRead: Bool) {
        self.wasRead = wasRead
        published.withLock { $0.wasRead = wasRead }
    }

    /// - Returns: the subscriber, and the value that it continues from.
    func add(_ make: (Changes<Value>) -> Subscriber, at version: StateVersion) -> (Subscriber, Changes<Value>) {
        if !isNeeded { activate(at: version) }
        let node = latest
        let subscriber = make(node)
        subscribers.append(subscriber)
        hasSubscribers = true
        return (subscriber, node)
    }

    func remove(_ subscriber: Subscriber) {
        subscribers.remove(subscriber)
        hasSubscribers = !subscribers.isEmpty
        if !isNeeded { deactivate() }
    }

    /// Removes subscribers or reads, and splits the network if no value joins its stores any more.
    func change(_ body: (TransformVertex) -> Void) {
        sources[0].exclusively { network in counting(in: network) { body(self) } }
        DerivedNetwork.splitIfUnjoined(sources)
    }

    /// Runs a closure under the network's lock, after which the value is needed, or no longer, by code of the app.
    ///
    /// A value that only other derived values need does not count: they read its stores, too.
    func counting<Result>(in network: DerivedNetwork, _ body: () -> Result) -> Result {
        if sources.count < 2 { return body() }
        let wasWanted = wasRead || hasSubscribers
        let result = body()
        let isWanted = wasRead || hasSubscribers
        if wasWanted != isWanted { network.count(isWanted ? 1 : -1) }
        return result
    }

    // MARK: Evaluation

    override func evaluateSilently(at version: StateVersion) {
        DeferredRelease.keep(published.withLock(\.node))
        _ = renew(at: version)
    }

    override func evaluate(at version: StateVersion, commit: CommitReference, of source: DerivedSource) -> Bool {
        let previous = published.withLock(\.node)
        guard let node = renew(at: version, for: commit) else { return false }
        source.fired.append(
            FiredValue(vertex: self, version: hasSubscribers ? node.version : nil, previous: previous))
        guard hasSubscribers else { return true }
        if let protection { node.extras.add(VersionExtras(protection: protection)) }
        let output = DerivedOutput(
            delivered: node, subscribers: subscribers, commit: commit, source: source, storeVersion: version.version)
        if sources.count == 1 {
            self.output = output
        } else {
            source.outstanding.add()
            line.withLock { $0.append(output, by: .current) }
        }
        return true
    }

    override func encoding() -> (@Sendable (TypeRedactions) -> [UInt8]?)? {
        guard let encode else { return nil }
        let node = latest
        return { encode.encoded(node.current, $0) }
    }

    /// - Parameter commit: the commit that it is delivered for; nil for none.
    /// - Returns: the new value; nil where it is equal to the one before, which stays.
    private func renew(at version: StateVersion, for commit: CommitReference? = nil) -> Changes<Value>? {
        let value = ThreadActivity.during(.transforming(name: definition.name)) { definition.compute() }
        // Without its type: code that is generic over the value asks the runtime for that of an optional.
        var (before, computed, next) = (published.withLock(\.node), nil as ComputedMemories?, 0)
        if let last = before {
            if definition.isSameValue(last.of(Value.self).current, value) {
                DeferredRelease.keep(value)
                return nil
            }
            (computed, next) = (last.of(Value.self).computed, last.version + 1)
            // One that waits for its delivery keeps the one before it.
            if last.before != nil { before = last.alone() }
        }
        let isDelivered = hasSubscribers && commit != nil
        let node = changesType.init(
            value, version: next, location: version.location, cause: version.cause,
            computed: computed ?? ComputedMemories(), before: isDelivered ? before : nil,
            commit: isDelivered ? commit : nil)
        published.withLock { $0.node = node }
        stamp += 1
        return node
    }

    // MARK: Delivery

    override func deliver(through version: Int, during commit: CommitReference) {
        if sources.count == 1 {
            var taken: DerivedOutput?
            swap(&taken, &output)
            taken?.deliver()
            taken = nil
            return cut()
        }
        if line.withLock({ $0.begin(through: version, by: .current) }) { return deliverTurn(during: commit) }
        Delivery.waitForRoom { line.withLock(\.isCrowded) }
    }

    /// Frees the value from the one before it; one that waits for its delivery is held by that.
    private func cut() {
        let released = published.withLock { StateVersion.cut(&$0.node) }
        withExtendedLifetime(released) {}
    }

    /// - Parameter commit: the commit that is the current cause on this thread; nil where there is none.
    private func deliverTurn(during commit: CommitReference?) {
        while true {
            let (next, hasRoom) = line.withLock { ($0.take(if: \.isReceived), $0.hasRoomAgain) }
            if hasRoom { Delivery.signalRoom() }
            switch next {
            case .element(let output):
                if output.commit === commit {
                    output.deliver()
                } else {
                    CommitReference.$current.withValue(output.commit) { output.deliver() }
                }
                output.source.outstanding.remove()
                cut()
            case .end: return
            case .handedOver:
                return DeliveryContext.other {
                    Delivery.delivering {
                        self.line.withLock { $0.takeOver(by: .current) }
                        self.deliverTurn(during: nil)
                    }
                }
            }
        }
    }
}

/// Outside of the generic class, so that a wave need not ask the runtime for its type.
private struct PublishedValue: Sendable {
    /// `Changes` of the value's type; nil before the first evaluation.
    var node: StateVersion?
    /// Whether the value was ever read: from then on it is kept up to date.
    var wasRead = false
}

/// A new value of a derived one that waits for delivery to its subscribers.
///
/// Two stores may fire one value on two threads; its place among the others is decided under the network's lock. Not
/// generic, so that passing it on looks no metadata up.
struct DerivedOutput: Versioned {
    let delivered: StateVersion
    let subscribers: SubscriberList
    let commit: CommitReference
    /// The store that was committed to, and its version.
    let source: DerivedSource
    let storeVersion: Int

    var version: Int { delivered.version }

    /// Whether the store's own subscribers have received the commit; until then it is left to the thread that delivers that.
    var isReceived: Bool { source.received.load(ordering: .acquiring) >= storeVersion }

    func deliver() { subscribers.forEach { $0.deliver(delivered) } }
}
