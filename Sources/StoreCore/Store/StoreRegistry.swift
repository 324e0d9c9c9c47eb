public import Synchronization

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

    private struct Cards {
        var cards: [ObjectIdentifier: (card: StoreCard, order: Int)] = [:]
        var count = 0
    }

    private static let state = Mutex(Cards())

    /// The live stores in the order of their births.
    ///
    /// - Complexity: O(n log n) in their number.
    public static var live: [Entry] {
        let cards = state.withLock { state in state.cards.values.sorted { $0.order < $1.order }.map(\.card) }
        return cards.map(\.entry)
    }

    static func add(_ card: StoreCard) {
        state.withLock { state in
            state.cards[ObjectIdentifier(card)] = (card, state.count)
            state.count += 1
        }
    }

    static func remove(_ card: StoreCard) {
        state.withLock { state in _ = state.cards.removeValue(forKey: ObjectIdentifier(card)) }
    }
}

/// What the registry holds of a live store.
///
/// Not a weak reference to the store: an object that has one is retained and released several times slower, and a store is
/// with every commit.
@usableFromInline
final class StoreCard: Sendable {
    let name: String
    let type: Any.Type
    let journal: String?
    /// How many commits the store had.
    @usableFromInline let version = Synchronization.Atomic(0)

    init(name: String, type: Any.Type, journal: String?) {
        self.name = name
        self.type = type
        self.journal = journal
    }

    var entry: StoreRegistry.Entry {
        StoreRegistry.Entry(
            name: name, type: String(describing: type), version: version.load(ordering: .relaxed), journal: journal)
    }
}
