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

    /// The store that was made last, which refers to those before it.
    private static let newest = Mutex<StoreInfo?>(nil)

    /// The live stores in the order of their births.
    ///
    /// - Complexity: O(their number).
    public static var live: [Entry] {
        let infos = newest.withLock { newest in Array(sequence(first: newest) { $0?.older }.compactMap(\.self)) }
        return infos.reversed().map(\.entry)
    }

    static func add(_ info: StoreInfo) {
        newest.withLock { newest in
            newest?.newer = info
            info.older = newest
            newest = info
        }
    }

    static func remove(_ info: StoreInfo) {
        newest.withLock { newest in
            let (newer, older) = (info.newer, info.older)
            if let newer { newer.older = older } else { newest = older }
            older?.newer = newer
            (info.newer, info.older) = (nil, nil)
        }
    }
}

/// A store without its state: what the registry knows of it, and the lock of the state that readers see, which what ends a
/// subscription needs after the store.
///
/// A weak reference to the store would not do: an object that has one is retained and released several times slower,
/// and every commit retains its store.
@usableFromInline
final class StoreInfo: @unchecked Sendable {
    // Unchecked: the neighbours are touched under the registry's lock only.

    /// Nil for a store that is called as the type of its state.
    private let givenName: String?
    private let type: Any.Type
    let journal: Mutex<String?>
    /// Held for one copy only, so that reading never waits for a commit's closure, and two stores may read each other.
    @usableFromInline let origin: Mutex<StateOrigin>
    /// Whether there are listeners: not under the lock, since each recorded commit asks whether it keeps its patch.
    let isHeard = Atomic(false)
    /// The live store that was made directly before it.
    @safe @exclusivity(unchecked) fileprivate var older: StoreInfo?
    /// The one made directly after it, which removes itself here before it ends.
    @safe @exclusivity(unchecked) fileprivate unowned(unsafe) var newer: StoreInfo?

    init(name: String?, type: Any.Type, journal: String?, location: CommitLocation) {
        givenName = name
        self.type = type
        self.journal = Mutex(journal)
        origin = Mutex(StateOrigin(location: location))
    }

    var name: String { givenName ?? StoreNaming.name(of: type) }

    var entry: StoreRegistry.Entry {
        StoreRegistry.Entry(
            name: name, type: String(describing: type), version: origin.withLock(\.version),
            journal: journal.withLock(\.self))
    }
}
