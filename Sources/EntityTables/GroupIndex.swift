internal import StateEncoding

/// The identities of entities, grouped by a key: books by their genre, messages by their day.
///
/// Declared in ``EntityDatabase/indexes`` with a property to group by, it is maintained: at the end of each batch every
/// inserted, changed or removed entity is regrouped. Without such a property the app inserts and removes identities,
/// and a batch only removes deleted ones.
///
/// In a journal it is an object of arrays, `/booksByGenre/poetry/0`.
///
/// - Complexity: a change costs the groups that it touches. Each identity is also kept with its groups, so that a deleted
///   one is found.
public struct GroupIndex<Key: Hashable & Codable & Sendable, Entity: Identifiable & Encodable & Sendable>: Sendable
where Entity.ID: Codable & Sendable {
    private var listed = IDGroups<Key, Entity.ID>()
    /// Members of groups whose owner is missing; see ``place(_:in:isOwned:)``.
    private var waiting = IDGroups<Key, Entity.ID>()
    /// What was inserted since the last batch, is still there, and may not be in the tables.
    private var unchecked = IDGroups<Key, Entity.ID>()

    /// An index without groups.
    public init() {}

    /// The identities of a group in their order; none where there is no such group.
    public subscript(key: Key) -> [Entity.ID] { listed.members(of: key) }

    /// The keys of the groups, none of which is empty, in no order that means anything.
    public var keys: some Sequence<Key> { listed.groups.ids }

    /// How many groups there are.
    public var count: Int { listed.groups.count }
    /// Whether there are no groups.
    public var isEmpty: Bool { listed.isEmpty }

    /// The keys of the groups that an identity is in.
    public func keys(of id: Entity.ID) -> [Key] { listed.groups(of: id) }

    /// Inserts an identity into a group; one that is there stays where it is.
    ///
    /// - Parameter place: where in the group, at most its count; nil for its end.
    public mutating func insert(_ id: Entity.ID, into key: Key, at place: Int? = nil) {
        if let place, !(0...self[key].count).contains(place) {
            fatalError("'insert(\(id), into: \(key), at: \(place))' is outside of a group of \(self[key].count)")
        }
        if listed.insert(id, into: key, at: place) { unchecked.insert(id, into: key) }
    }

    /// Removes an identity from a group.
    public mutating func remove(_ id: Entity.ID, from key: Key) {
        listed.remove(id, from: key)
        unchecked.remove(id, from: key)
    }

    /// Sets the identities of a group, in their order; a repeated one counts once, at its first place.
    public mutating func setGroup(_ key: Key, to ids: some Sequence<Entity.ID>) {
        listed.setMembers(ids, of: key)
        unchecked.setMembers(listed.members(of: key), of: key)
    }

    /// Removes a group.
    public mutating func removeGroup(_ key: Key) {
        listed.removeGroup(key)
        unchecked.removeGroup(key)
    }
}

// What the rules of a database do at the end of a batch.
extension GroupIndex {
    var isChecked: Bool { unchecked.isEmpty }

    mutating func rename(_ id: Entity.ID, to newID: Entity.ID) {
        listed.rename(id, to: newID)
        waiting.rename(id, to: newID)
        unchecked.rename(id, to: newID)
    }

    mutating func renameGroup(_ key: Key, to new: Key) {
        listed.renameGroup(key, to: new)
        unchecked.renameGroup(key, to: new)
    }

    /// Removes what the app inserted but is not in the tables, and what is deleted.
    mutating func purge(
        _ table: EntityTable<Entity>, deleted: Set<Entity.ID>, hasKey: (Key) -> Bool, deletedKeys: Set<Key>
    ) {
        listed.remove(deleted)
        waiting.remove(deleted)
        for key in deletedKeys { listed.removeGroup(key) }
        for group in unchecked.groups {
            if !hasKey(group.id) {
                listed.removeGroup(group.id)
            } else {
                listed.remove(group.ids.filter { !table.contains($0) })
            }
        }
        unchecked = IDGroups()
    }

    /// - Parameter isOwned: whether the group has an owner; the members of a group without one wait for it, and are not
    ///   listed.
    mutating func place(_ id: Entity.ID, in key: Key?, isOwned: Bool) {
        for other in listed.groups(of: id) where other != key || !isOwned { listed.remove(id, from: other) }
        for other in waiting.groups(of: id) where other != key || isOwned { waiting.remove(id, from: other) }
        guard let key else { return }
        if isOwned { listed.insert(id, into: key) } else { waiting.insert(id, into: key) }
    }

    /// Moves the members of a group, whose owner was removed, to the waiting ones.
    mutating func hide(_ key: Key) {
        for id in listed.removeGroup(key) { waiting.insert(id, into: key) }
    }

    /// Lists the members that waited for an owner, which was inserted.
    mutating func show(_ key: Key) {
        for id in waiting.removeGroup(key) { listed.insert(id, into: key) }
    }

    /// Members that waited for an owner are found again by a rule that knows the owners.
    mutating func recheck() {
        waiting = IDGroups()
        unchecked = listed
    }
}

extension GroupIndex: Hashable {
    /// Whether both have the same groups, with the same identities in the same order.
    public static func == (left: GroupIndex, right: GroupIndex) -> Bool { left.listed.groups == right.listed.groups }

    /// Hashes the groups.
    public func hash(into hasher: inout Hasher) { hasher.combine(listed.groups) }
}

extension GroupIndex: Codable {
    /// Decodes an object of arrays of identities.
    ///
    /// - Throws: an error where a key cannot be made from its text: it has to be a string, a number, a UUID, raw
    ///   representable by one of them, or `CodingKeyRepresentable`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: TextKey.self)
        self.init()
        for text in container.allKeys.sorted(by: { $0.stringValue < $1.stringValue }) {
            guard let key = KeyReading.key(Key.self, from: text.stringValue) else {
                throw DecodingError.dataCorruptedError(
                    forKey: text, in: container,
                    debugDescription: "'\(text.stringValue)' cannot be decoded as '\(Key.self)'")
            }
            setGroup(key, to: try container.decode([Entity.ID].self, forKey: text))
        }
    }

    /// Encodes an object of arrays of identities.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(listed.groups)
    }
}

/// The identities of entities, grouped by the entity that they belong to: books by their author.
///
/// Declared by a rule ``IndexRule/related(_:of:to:)``, it loses what is deleted on either side.
public typealias RelationIndex<
    Owner: Identifiable & Encodable & Sendable, Member: Identifiable & Encodable & Sendable
> =
    GroupIndex<Owner.ID, Member>
where Owner.ID: Codable & Sendable, Member.ID: Codable & Sendable
