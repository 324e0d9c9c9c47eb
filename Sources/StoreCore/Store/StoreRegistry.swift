public import Synchronization

/// The live stores of the process, recorded or not.
public enum StoreRegistry {
    /// A live store.
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

    private struct Infos {
        var infos: [ObjectIdentifier: (info: StoreInfo, order: Int)] = [:]
        var count = 0
    }

    private static let state = Mutex(Infos())

    /// The live stores in the order of their births.
    ///
    /// - Complexity: O(n log n) in their number.
    public static var live: [Entry] {
        let infos = state.withLock { state in state.infos.values.sorted { $0.order < $1.order }.map(\.info) }
        return infos.map(\.entry)
    }

    static func add(_ info: StoreInfo) {
        state.withLock { state in
            state.infos[ObjectIdentifier(info)] = (info, state.count)
            state.count += 1
        }
    }

    static func remove(_ info: StoreInfo) {
        state.withLock { state in _ = state.infos.removeValue(forKey: ObjectIdentifier(info)) }
    }
}

/// What the registry knows of a live store.
///
/// A weak reference to the store would not do: an object that has one is retained and released several times slower,
/// and every commit retains its store.
@usableFromInline
final class StoreInfo: Sendable {
    let name: String
    let type: Any.Type
    let journal: Mutex<String?>
    @usableFromInline let version = Synchronization.Atomic(0)

    init(name: String, type: Any.Type, journal: String?) {
        self.name = name
        self.type = type
        self.journal = Mutex(journal)
    }

    var entry: StoreRegistry.Entry {
        StoreRegistry.Entry(
            name: name, type: String(describing: type), version: version.load(ordering: .relaxed),
            journal: journal.withLock(\.self))
    }
}
