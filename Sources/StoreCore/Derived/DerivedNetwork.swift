internal import Synchronization

/// One lock for all stores that derived values join, so that a value over several of them never sees a mixed pair.
///
/// Each store begins with a network of its own. When a derived value over two of them is first needed, their networks
/// become one for good: the younger is retired and refers to the older. A thread that comes to a retired network
/// follows the reference (a union–find, with the paths compressed by the sources that follow them).
///
/// Lock order: `joining`, networks by ascending age, then a store's published state, then its line of deliveries. A commit's
/// lock may be held when a network's is taken, never the other way round.
final class DerivedNetwork: Sendable {
    private static let births = Synchronization.Atomic(0)
    private static let joining = Mutex(())

    private let birth = DerivedNetwork.births.add(1, ordering: .relaxed).newValue
    /// The network that took the place of a retired one.
    private let successor = Mutex<DerivedNetwork?>(nil)

    /// Runs a closure under the lock; a retired network does not, and returns its successor.
    func run<Result: Sendable>(_ body: () -> Result) -> Attempt<Result> {
        successor.withLock { successor in
            if let successor { return .retired(successor) }
            return .done(ThreadActivity.during(.deriving, body))
        }
    }

    /// The outcome of ``run(_:)``.
    enum Attempt<Result: Sendable>: Sendable {
        case done(Result)
        case retired(DerivedNetwork)
    }

    /// Makes the networks of some sources one.
    static func join(_ sources: [DerivedSource]) {
        if sources.count < 2 { return }
        joining.withLock { _ in
            var networks: [DerivedNetwork] = []
            for source in sources {
                let network = source.network.latest
                if !networks.contains(where: { $0 === network }) { networks.append(network) }
            }
            networks.sort { $0.birth < $1.birth }
            if let oldest = networks.first { retire(networks.dropFirst(), to: oldest) }
        }
    }

    /// Retires networks one after another; none of their threads is inside while it happens.
    private static func retire(_ networks: ArraySlice<DerivedNetwork>, to oldest: DerivedNetwork) {
        // A wave of the oldest need not be waited for: the sources that come to it now were in none of its values.
        for network in networks { network.successor.withLock { $0 = oldest } }
    }

    /// The last of the successors.
    var latest: DerivedNetwork {
        var network = self
        while let next = network.successor.withLock(\.self) { network = next }
        return network
    }
}
