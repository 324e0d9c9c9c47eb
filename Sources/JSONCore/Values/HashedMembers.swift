/// Many members in the order in which they were added, found by a hash index.
///
/// A removed member leaves a hole, so that the others keep their places in the index; when half are holes they are closed.
@usableFromInline
final class HashedMembers: @unchecked Sendable {
    // Unchecked for the same reason as `SortedMembers`: only a sole owner edits it.
    typealias Member = JSONObject.Member

    /// A key that is equal to another by its bytes.
    ///
    /// Hasher is seeded per process, so colliding keys cannot be prepared.
    private struct Key: Hashable {
        let text: String

        static func == (a: Key, b: Key) -> Bool { UTF8Order.equal(a.text, b.text) }
        func hash(into hasher: inout Hasher) { UTF8Order.hash(text, into: &hasher) }
    }

    private var members: [Member?]
    private var places: [Key: Int]

    init(_ distinct: [Member]) {
        members = distinct
        places = Dictionary(minimumCapacity: distinct.count)
        for (place, member) in distinct.enumerated() { places[Key(text: member.key)] = place }
    }

    private init(members: [Member?], places: [Key: Int]) {
        self.members = members
        self.places = places
    }

    func copy() -> HashedMembers {
        HashedMembers(members: members, places: places)
    }

    var count: Int { places.count }
    var live: [Member] { members.compactMap { $0 } }

    func contains(_ key: String) -> Bool { places[Key(text: key)] != nil }

    func value(forKey key: String) -> JSONValue? {
        places[Key(text: key)].flatMap { members[$0]?.value }
    }

    func modify<R, E: Error>(_ key: String, _ body: (inout JSONValue) throws(E) -> R) throws(E) -> R? {
        guard let place = places[Key(text: key)], members[place] != nil else { return nil }
        return try members[place].modifyPresent { (member: inout Member) throws(E) -> R in try body(&member.value) }
    }

    /// Adds a member whose key is not there.
    func append(_ member: Member) {
        places[Key(text: member.key)] = members.count
        members.append(member)
    }

    func remove(_ key: String) -> JSONValue? {
        guard let place = places.removeValue(forKey: Key(text: key)) else { return nil }
        let removed = members[place]
        members[place] = nil
        if members.count > 2 * max(places.count, JSONObject.smallLimit) { closeHoles() }
        return removed?.value
    }

    private func closeHoles() {
        let kept = live
        members = kept
        for (place, member) in kept.enumerated() { places[Key(text: member.key)] = place }
    }
}

extension Optional {
    /// Edits the value in place where there is one.
    fileprivate mutating func modifyPresent<R, E: Error>(
        _ body: (inout Wrapped) throws(E) -> R
    ) throws(E) -> R? {
        guard self != nil else { return nil }
        return try body(&self!)
    }
}
