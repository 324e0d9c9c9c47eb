internal import Synchronization

/// What derived values know of one store, whatever its state: which of its properties they read, and how far they are.
///
/// What changes is under the lock of the source's network; a subclass knows the type of the state.
class DerivedSource: @unchecked Sendable {
    // Unchecked: `active` and `commits` are touched under the network's lock only.

    private let place = Mutex<DerivedNetwork?>(nil)
    /// The properties that derived values read which somebody asks for, in no order.
    final private(set) var active: [DerivedProperty] = []
    /// Whether anything of the store is read; apart from the lock, so that a store without derived values need not take it.
    final let isAwake = Synchronization.Atomic(false)
    /// How many commits were handed to the derived values.
    final var commits = 0
    /// What its recorder keeps of the store; nil without one.
    final let track: (any StoreTrack)?

    init(track: (any StoreTrack)?) { self.track = track }

    /// The version that the derived values are at; nil while nothing of the store is read.
    var version: Int? { nil }

    /// The network that the source is in, or was until that was joined with another; made when it is first needed.
    final var network: DerivedNetwork {
        place.withLock { network in
            if let network { return network }
            let made = DerivedNetwork()
            network = made
            return made
        }
    }

    /// Runs a closure under the network's lock.
    final func exclusively<Result: Sendable>(_ body: () -> Result) -> Result {
        var network = network
        while true {
            switch network.run(body) {
            case .done(let result):
                DeferredRelease.runAll()
                return result
            case .retired(let next):
                network = next
                place.withLock { $0 = next }
            }
        }
    }

    /// Notes that somebody reads a property.
    final func add(_ property: DerivedProperty) {
        property.place = active.count
        active.append(property)
    }

    /// Notes that nobody reads a property any more; the last one takes its place.
    ///
    /// - Complexity: O(1), however many there are.
    final func deactivate(_ property: DerivedProperty) {
        let last = active.removeLast()
        if property.place < active.count {
            active[property.place] = last
            last.place = property.place
        }
        if active.isEmpty { rest() }
    }

    /// Forgets the state: nobody asks for anything.
    func rest() {}
}

/// What has to happen when the last reference to a derived value goes away inside a network's lock, which is where a
/// transform may drop it: it waits until the thread is out.
enum DeferredRelease {
    private static let count = Synchronization.Atomic(0)
    private static let waiting = Mutex<[@Sendable () -> Void]>([])

    /// Runs a closure that takes a network's lock, now or as soon as this thread has given back the one it holds.
    static func run(_ body: @escaping @Sendable () -> Void) {
        guard ThreadActivity.isDeriving else { return body() }
        waiting.withLock { $0.append(body) }
        count.add(1, ordering: .relaxed)
    }

    /// Keeps a value of the app until this thread has given back the network's lock that it holds: its end may run code of
    /// the app, which may take that lock.
    static func keep<Value: Sendable>(_ value: Value) {
        if _isPOD(Value.self) { return }
        run { withExtendedLifetime(value) {} }
    }

    /// Runs what waits.
    static func runAll() {
        while count.load(ordering: .relaxed) > 0, !ThreadActivity.isDeriving {
            guard let body = waiting.withLock({ $0.popLast() }) else { return }
            count.subtract(1, ordering: .relaxed)
            body()
        }
    }
}
