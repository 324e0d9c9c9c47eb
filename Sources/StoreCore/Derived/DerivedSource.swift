internal import Synchronization

/// What derived values know of one store, without the type of its state: the properties that they read, and the version
/// that they are at.
///
/// What changes is under the lock of the source's network; a subclass knows the type of the state.
class DerivedSource: @unchecked Sendable {
    // Unchecked: `active`, `wave` and `commits` are touched under the network's lock only, `fired` by the thread that delivers.

    private let place = Mutex<DerivedNetwork?>(nil)
    /// The active properties, which needed derived values read, in no order.
    @safe @exclusivity(unchecked) final private(set) var active: [DerivedProperty] = []
    /// Whether any property is active; not under the lock, so that a store without derived values need not take it.
    final let isActive = Synchronization.Atomic(false)
    @safe @exclusivity(unchecked) final var wave = DerivedWave()
    /// What the version that is being delivered has fired, in the order of evaluation.
    @safe @exclusivity(unchecked) final var fired: [FiredValue] = []
    /// The last version that the store's own subscribers have received, as far as it fired anything.
    final let received = Synchronization.Atomic(Int.min)
    /// Counts what subscribers of derived values have not received, for code that waits for that.
    final let outstanding: OutstandingDeliveries
    @safe @exclusivity(unchecked) final var commits = 0
    private let recorded = Mutex<StoreTrack?>(nil)
    private let isRecorded = Synchronization.Atomic(false)

    init(outstanding: OutstandingDeliveries) { self.outstanding = outstanding }

    final var track: StoreTrack? {
        get { isRecorded.load(ordering: .acquiring) ? recorded.withLock(\.self) : nil }
        set {
            recorded.withLock { $0 = newValue }
            isRecorded.store(newValue != nil, ordering: .releasing)
        }
    }

    /// The version that the derived values are at; nil without active properties.
    @safe @exclusivity(unchecked) final var version: Int?

    /// The network that the source is in, or was in until that was retired; made when it is first needed.
    final var network: DerivedNetwork {
        place.withLock { network in
            if let network { return network }
            let made = DerivedNetwork()
            network = made
            return made
        }
    }

    /// The network that the source is in; for the holder of the lock under which networks are joined and split.
    final var liveNetwork: DerivedNetwork {
        while true {
            let network = network
            if case .live = network.current { return network }
            leave(network, network.current)
        }
    }

    /// Runs a closure under the network's lock.
    final func exclusively<Result: Sendable>(_ body: () -> Result) -> Result { exclusively { _ in body() } }

    final func exclusively<Result: Sendable>(_ body: (DerivedNetwork) -> Result) -> Result {
        while true {
            let network = network
            switch network.run(body) {
            case .done(let result):
                DeferredRelease.runAll()
                return result
            case .gone(let standing): leave(network, standing)
            }
        }
    }

    /// Goes on to what took the place of a network.
    private func leave(_ network: DerivedNetwork, _ standing: DerivedNetwork.Standing) {
        place.withLock { place in
            // Another thread may have gone on already.
            guard place === network else { return }
            switch standing {
            case .live: break
            case .retired(let next): place = next
            case .split: place = nil
            }
        }
    }

    /// - Parameter commit: the commit, which is the current cause on this thread.
    final func deliverFired(of version: Int, during commit: CommitReference) {
        if fired.isEmpty { return }
        received.store(version, ordering: .releasing)
        for place in fired.indices {
            let value = fired[place]
            if let version = value.version { value.vertex.deliver(through: version, during: commit) }
        }
        fired.removeAllKeepingFew()
    }

    final func add(_ property: DerivedProperty) {
        property.place = active.count
        active.append(property)
    }

    /// - Complexity: O(1), however many there are.
    final func deactivate(_ property: DerivedProperty) {
        let last = active.removeLast()
        if property.place < active.count {
            active[property.place] = last
            last.place = property.place
        }
        if active.isEmpty { deactivateAll() }
    }

    private final func deactivateAll() {
        version = nil
        isActive.store(false, ordering: .releasing)
    }

    /// Releases the state that properties were activated at.
    func endActivation() {}
}

/// Defers what takes a network's lock until the thread holds none: a transform may release the last reference to a
/// derived value.
enum DeferredRelease {
    private static let count = Synchronization.Atomic(0)
    private static let waiting = Mutex<[@Sendable () -> Void]>([])

    /// Runs a closure that takes a network's lock: now, or once this thread has released the one that it holds.
    static func run(_ body: @escaping @Sendable () -> Void) {
        guard ThreadActivity.isDeriving else { return body() }
        waiting.withLock { $0.append(body) }
        count.add(1, ordering: .relaxed)
    }

    /// Keeps a value of the app until this thread has released the network's lock that it holds: the value's
    /// deinitializers are code of the app, which may take that lock.
    static func keep<Value: Sendable>(_ value: Value) {
        if _isPOD(Value.self) { return }
        run { withExtendedLifetime(value) {} }
    }

    static func runAll() {
        while count.load(ordering: .relaxed) > 0, !ThreadActivity.isDeriving {
            guard let body = waiting.withLock({ $0.popLast() }) else { return }
            count.subtract(1, ordering: .relaxed)
            body()
        }
    }
}
