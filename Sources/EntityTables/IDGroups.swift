/// Members by group, and groups by member: an edit or a removal on either side costs what it touches.
///
/// Both directions are persistent tables, so a copy shares them, and a commit writes only the members that changed.
struct IDGroups<Key: Hashable & Codable & Sendable, Member: Hashable & Codable & Sendable>: Sendable {
    /// The members of each group in their order; none is empty.
    private(set) var groups = EntityTable<IDGroup<Key, Member>>()
    /// The groups that each member is in.
    private var groupsOfMember = EntityTable<IDGroup<Member, Key>>()

    init() {}

    var isEmpty: Bool { groups.isEmpty }

    func members(of key: Key) -> [Member] { groups[key]?.ids ?? [] }

    func groups(of member: Member) -> [Key] { groupsOfMember[member]?.ids ?? [] }

    /// Inserts a member at a place of a group, at its end for nil; one that is there stays where it is.
    ///
    /// - Returns: whether it was inserted.
    @discardableResult
    mutating func insert(_ member: Member, into key: Key, at place: Int? = nil) -> Bool {
        if groups(of: member).contains(key) { return false }
        if !groups.contains(key) { groups.upsert(IDGroup(id: key)) }
        groups.update(key) { $0.ids.insert(member, at: place ?? $0.ids.count) }
        if !groupsOfMember.contains(member) { groupsOfMember.upsert(IDGroup(id: member)) }
        groupsOfMember.update(member) { $0.ids.append(key) }
        return true
    }

    /// - Returns: whether it was there.
    @discardableResult
    mutating func remove(_ member: Member, from key: Key) -> Bool {
        guard groups(of: member).contains(key) else { return false }
        take(Set([member]), outOf: key)
        leave(member, key)
        return true
    }

    /// - Complexity: O(the groups that lose one).
    mutating func remove(_ members: some Sequence<Member>) {
        var leaving: [Key: Set<Member>] = [:]
        for member in members {
            for key in groupsOfMember.remove(member)?.ids ?? [] { leaving[key, default: []].insert(member) }
        }
        for (key, members) in leaving { take(members, outOf: key) }
    }

    /// - Returns: its members.
    @discardableResult
    mutating func removeGroup(_ key: Key) -> [Member] {
        let members = groups.remove(key)?.ids ?? []
        for member in members { leave(member, key) }
        return members
    }

    /// Sets the members of a group, in their order; a repeated one counts once, at its first place.
    mutating func setMembers(_ members: some Sequence<Member>, of key: Key) {
        removeGroup(key)
        for member in members { insert(member, into: key) }
    }

    /// Puts a member's new name where the old one was in each of its groups.
    mutating func rename(_ member: Member, to new: Member) {
        guard let keys = groupsOfMember.remove(member)?.ids else { return }
        for key in keys {
            groups.update(key) { $0.ids = $0.ids.compactMap { $0 == new ? nil : $0 == member ? new : $0 } }
        }
        groupsOfMember.upsert(IDGroup(id: new, ids: keys + groups(of: new).filter { !keys.contains($0) }))
    }

    mutating func renameGroup(_ key: Key, to new: Key) {
        guard groups.contains(key) else { return }
        setMembers(removeGroup(key) + members(of: new), of: new)
    }

    private mutating func take(_ members: Set<Member>, outOf key: Key) {
        groups.update(key) { $0.ids.removeAll(where: members.contains) }
        if groups[key]?.ids.isEmpty ?? false { groups.remove(key) }
    }

    private mutating func leave(_ member: Member, _ key: Key) {
        groupsOfMember.update(member) { $0.ids.removeAll { $0 == key } }
        if groupsOfMember[member]?.ids.isEmpty ?? false { groupsOfMember.remove(member) }
    }
}

/// One group, as an entity whose identity is its key; it encodes as the array of its members.
struct IDGroup<Key: Hashable & Codable & Sendable, Member: Codable & Sendable>: Identifiable, Sendable {
    let id: Key
    var ids: [Member] = []
}

extension IDGroup: Equatable where Member: Equatable {}
extension IDGroup: Hashable where Member: Hashable {}

extension IDGroup: Encodable {
    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(ids)
    }
}
