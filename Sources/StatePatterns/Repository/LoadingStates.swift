internal import EntityTables
internal import StateEncoding

/// The states of a repository's keys, by key.
///
///     var tweets: LoadingStates<Int, Tweet> = [:]
///
/// It reads as a dictionary does, and is written by its ``Repository`` only. It is persistent as an ``EntityTable`` is: a copy
/// shares everything, and a transition of one key costs the logarithm of their number, not their number.
public struct LoadingStates<Key: Hashable & Codable & Sendable, Value: Encodable & Equatable & Sendable>: Sendable {
    private var rows = EntityTable<LoadingRow<Key, Value>>()

    /// Makes the states of no keys.
    public init() {}

    /// How many keys were asked for.
    public var count: Int { rows.count }
    /// Whether no key was asked for.
    public var isEmpty: Bool { rows.isEmpty }
    /// The keys that were asked for, in no order.
    public var keys: some Sequence<Key> { rows.ids }

    mutating func removeAll() { rows = EntityTable() }

    /// - Complexity: O(*d* log *n*) for *d* keys that differ.
    func changedKeys(since old: LoadingStates) -> Set<Key> {
        let changes = rows.changes(since: old.rows)
        return changes.updatedIDs.union(changes.deletedIDs)
    }

    /// The state of a key; nil if it was never asked for.
    ///
    /// - Complexity: O(log *n*).
    public subscript(key: Key) -> LoadingState<Value>? {
        get { rows[key]?.state }
        set { rows[key] = newValue.map { LoadingRow(id: key, state: $0) } }
    }
}

/// The state of one key, as an entity whose identity is its key; it encodes as the state.
struct LoadingRow<Key: Hashable & Codable & Sendable, Value: Encodable & Equatable & Sendable>: Identifiable, Equatable,
    Encodable, Sendable
{
    let id: Key
    var state: LoadingState<Value>

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(state)
    }
}

extension LoadingStates: Equatable {
    /// Whether both have the same keys with equal states.
    ///
    /// - Complexity: O(what differs) for versions of one, O(*n*) otherwise.
    public static func == (left: LoadingStates, right: LoadingStates) -> Bool { left.rows == right.rows }
}

extension LoadingStates: ExpressibleByDictionaryLiteral {
    /// The states of some keys; of two of one key the last counts.
    public init(dictionaryLiteral states: (Key, LoadingState<Value>)...) {
        for (key, state) in states { self[key] = state }
    }
}

extension LoadingStates: Encodable {
    /// Encodes an object: the states by the texts of their keys.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rows)
    }
}

extension LoadingStates: Decodable where Value: Decodable {
    /// Decodes an object of states by the texts of their keys.
    ///
    /// - Throws: what a state throws; an error too if a text is not one of a key.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: TextKey.self)
        self.init()
        for text in container.allKeys {
            guard let key = KeyReading.key(Key.self, from: text.stringValue) else {
                throw DecodingError.dataCorruptedError(
                    forKey: text, in: container,
                    debugDescription: "'\(text.stringValue)' cannot be decoded as '\(Key.self)'")
            }
            self[key] = try container.decode(LoadingState<Value>.self, forKey: text)
        }
    }
}
