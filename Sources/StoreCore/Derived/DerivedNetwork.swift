internal import Synchronization

/// One lock for all stores that derived values join, so that a value over several of them never sees a mixed pair.
///
/// Each store begins with a network of its own. When a derived value over two of them is needed, their networks become
/// one: the younger is retired and refers to the older. A thread that comes to a retired network follows the reference
/// (a union–find, with the paths compressed by the sources that follow them). When no derived value that is needed joins
/// stores of a network any more, it is split, and each of its stores gets a new one: so stores do not wait for each other
/// because of a value that is gone.
///
/// Lock order: `joining`, networks by ascending age, then a store's published state, then its line of deliveries. A commit's
/// lock may be held when a network's is taken, never the other way round.
final class DerivedNetwork: Sendable {
    enum Standing: Sendable {
        case live
        /// Another network took its place.
        case retired(DerivedNetwork)
        /// Each of its stores is on its own again.
        case split
    }

    private static let births = Synchronization.Atomic(0)
    private static let joining = Mutex(())
    private static let splits = Synchronization.Atomic(0)

    private let birth = DerivedNetwork.births.add(1, ordering: .relaxed).newValue
    private let standing = Mutex(Standing.live)
    /// Whether it took the place of another network.
    private let isJoined = Synchronization.Atomic(false)
    /// How many derived values over several stores have been read or subscribed to.
    ///
    /// Changed under the lock of the network, or of one that retires in its favour.
    private let joins = Synchronization.Atomic(0)

    /// Runs a closure under the lock of a live network.
    func run<Result: Sendable>(_ body: (DerivedNetwork) -> Result) -> Attempt<Result> {
        standing.withLock { standing in
            guard case .live = standing else { return .gone(standing) }
            return .done(ThreadActivity.during(.deriving) { body(self) })
        }
    }

    enum Attempt<Result: Sendable>: Sendable {
        case done(Result)
        case gone(Standing)
    }

    /// - Complexity: waits for a wave that runs in it.
    var current: Standing { standing.withLock(\.self) }

    /// Counts a derived value over several stores that is needed from now on, or no longer; the caller holds the lock.
    func count(_ change: Int) { joins.add(change, ordering: .relaxed) }

    // MARK: Joining and splitting

    /// Makes the networks of some sources one, and runs a closure under its lock.
    static func joining<Result: Sendable>(_ sources: [DerivedSource], _ body: (DerivedNetwork) -> Result) -> Result {
        while true {
            let before = splits.load(ordering: .acquiring)
            join(sources)
            // A network that was split between the two steps joins nothing.
            let result = sources[0].exclusively { network in
                splits.load(ordering: .acquiring) == before ? body(network) : nil
            }
            if let result { return result }
        }
    }

    private static func join(_ sources: [DerivedSource]) {
        if sources.count < 2 { return }
        joining.withLock { _ in
            var networks: [DerivedNetwork] = []
            for source in sources {
                let network = source.liveNetwork
                if !networks.contains(where: { $0 === network }) { networks.append(network) }
            }
            networks.sort { $0.birth < $1.birth }
            if let oldest = networks.first { retire(networks.dropFirst(), to: oldest) }
        }
    }

    /// Retires networks one after another; none of their threads is inside while it happens.
    private static func retire(_ networks: ArraySlice<DerivedNetwork>, to oldest: DerivedNetwork) {
        // A wave of the oldest need not be waited for: the sources that come to it now were in none of its values.
        for network in networks {
            network.standing.withLock { standing in
                standing = .retired(oldest)
                oldest.isJoined.store(true, ordering: .relaxed)
                oldest.joins.add(network.joins.load(ordering: .relaxed), ordering: .relaxed)
            }
        }
    }

    static func splitIfUnjoined(_ sources: [DerivedSource]) {
        if sources.count < 2 { return }
        joining.withLock { _ in
            let network = sources[0].liveNetwork
            guard network.isJoined.load(ordering: .relaxed) else { return }
            network.standing.withLock { standing in
                if network.joins.load(ordering: .relaxed) > 0 { return }
                standing = .split
                splits.add(1, ordering: .releasing)
            }
        }
    }
}
