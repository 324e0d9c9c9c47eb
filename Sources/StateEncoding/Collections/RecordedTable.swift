/// A collection of values by key that is recorded as a JSON object, and knows what changed between two versions of itself.
///
/// For tables that are built on a class, which an encoder cannot see to be unchanged: an ordered dictionary, a
/// persistent map. Without this, such a value is encoded whole at each commit, as its `encode(to:)` says. With it, a
/// commit that left the table alone costs a comparison of its bytes, any other what ``recordedChanges(since:)``
/// reports:
///
///     extension OrderedDictionary: @retroactive RecordedTable where Key: Encodable, Value: Encodable {
///         public var recordedCount: Int { count }
///         public func forEachRecorded<Failure: Error>(
///             _ body: (Key, Value) throws(Failure) -> Void
///         ) throws(Failure) {
///             for (key, value) in self { try body(key, value) }
///         }
///         public func recordedValue(of key: Key) -> Value? { self[key] }
///     }
///
/// The journal has the members in ascending order of their keys' texts, so an order of the table's own is not recorded.
/// A type that `JournalReader` has to read back decodes from such an object too.
///
/// - Important: Two values with the same bytes must be equal for as long as one of them is kept: a change of the table
///   copies the class first, unless nothing else refers to it (`isKnownUniquelyReferenced`). Conform no type whose
///   changes are visible in other copies.
public protocol RecordedTable: Encodable {
    /// The key of an entry; its text is the name of the entry's member.
    associatedtype RecordedKey: Hashable & Encodable
    /// The value of an entry.
    associatedtype RecordedValue: Encodable

    /// How many entries there are.
    var recordedCount: Int { get }

    /// Calls a closure with each entry, in any order.
    func forEachRecorded<Failure: Error>(
        _ body: (RecordedKey, RecordedValue) throws(Failure) -> Void
    ) throws(Failure)

    /// The value under a key; nil where there is none.
    func recordedValue(of key: RecordedKey) -> RecordedValue?

    /// What differs from an older version, in any order.
    ///
    /// Reporting more than differs is correct, and slower: each reported entry is compared by what it encodes. By
    /// default every entry of both versions is compared by its bytes.
    func recordedChanges(since old: Self) -> [RecordedTableChange<RecordedKey, RecordedValue>]
}

/// A change of one entry of a ``RecordedTable``.
public enum RecordedTableChange<Key, Value> {
    /// The entry was added.
    case added(Key, Value)
    /// The entry was removed; with its value.
    case removed(Key, Value)
    /// The entry may have another value; with the earlier one.
    case changed(Key, from: Value, to: Value)
}

extension RecordedTableChange: Sendable where Key: Sendable, Value: Sendable {}

extension RecordedTable {
    /// Compares all entries by their bytes.
    ///
    /// - Complexity: O(*n*) look-ups by key in each version.
    public func recordedChanges(since old: Self) -> [RecordedTableChange<RecordedKey, RecordedValue>] {
        let layout = ByteLayout.of(RecordedValue.self)
        var changes: [RecordedTableChange<RecordedKey, RecordedValue>] = []
        old.forEachRecorded { key, value in
            if recordedValue(of: key) == nil { changes.append(.removed(key, value)) }
        }
        forEachRecorded { key, value in
            guard let before = old.recordedValue(of: key) else { return changes.append(.added(key, value)) }
            if !layout.holdsSame(before, value) { changes.append(.changed(key, from: before, to: value)) }
        }
        return changes
    }
}

/// A list that is recorded as a JSON array, and is built on a class that is copied before it changes.
///
/// It is compared element by element, by their bytes and their identities, as an `Array` is:
///
///     extension IdentifiedArray: @retroactive RecordedList where Element: Encodable {}
///
/// - Important: As for a ``RecordedTable``, two values with the same bytes must be equal for as long as one of them is kept.
public protocol RecordedList: RandomAccessCollection, Encodable where Element: Encodable, Index == Int {}

extension RecordedTable {
    static func makeTableNode(_ value: Self, traits: TypeTraits) -> ValueNode {
        RecordedTableNode(value, traits: traits)
    }

    static var contentTypes: [Any.Type] { [RecordedKey.self, RecordedValue.self] }
}

extension RecordedList {
    static func makeListNode(_ value: Self, traits: TypeTraits) -> ValueNode { ListNode(value, traits: traits) }

    static var contentTypes: [Any.Type] { [Element.self] }
}
