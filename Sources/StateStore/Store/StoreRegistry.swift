internal import Synchronization

/// The live stores of the process, recorded or not.
public enum StoreRegistry {
    /// What the registry tells of a store.
    public struct Entry: Sendable, Hashable {
        /// The store's name.
        public let name: String
        /// The type of its state.
        public let type: String
        /// How many commits it had.
        public let version: Int
        /// The journal that it is recorded in.
        public let journal: String?
    }

    private struct WeakStore {
        weak var store: (any RegisteredStore)?
        let order: Int
    }

    private struct Stores {
        var stores: [ObjectIdentifier: WeakStore] = [:]
        var count = 0
    }

    private static let state = Mutex(Stores())

    /// The live stores in the order of their births.
    ///
    /// - Complexity: O(n log n) in their number, and one lock of each.
    public static var live: [Entry] {
        // They are released outside the lock, where the last reference to one may go.
        let stores = state.withLock { state in
            state.stores.values.sorted { $0.order < $1.order }.compactMap { $0.store }
        }
        return stores.map(\.entry)
    }

    static func add(_ store: any RegisteredStore) {
        state.withLock { state in
            state.stores[ObjectIdentifier(store)] = WeakStore(store: store, order: state.count)
            state.count += 1
        }
    }

    static func remove(_ identity: ObjectIdentifier) {
        state.withLock { state in _ = state.stores.removeValue(forKey: identity) }
    }
}

/// A store as the registry sees it.
protocol RegisteredStore: AnyObject, Sendable {
    var entry: StoreRegistry.Entry { get }
}

extension Store: RegisteredStore {
    var entry: StoreRegistry.Entry {
        StoreRegistry.Entry(
            name: name, type: String(describing: State.self), version: version, journal: recorded?.recorder.path)
    }
}
