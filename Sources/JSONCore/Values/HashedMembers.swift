/// Many members in the order in which they were added, found by a hash index.
///
/// A removed member leaves a hole, so that the others keep their places in the index; when half are holes they are closed.
@usableFromInline
final class HashedMembers: @unchecked Sendable {
    // Unchecked for the same reason as `SortedMembers`: only a sole owner edits it.
    typealias Member = JSONObject.Member

    private var members: [Member?]
    /// Slots by hash, found by linear probing: the place of a member plus one, or 0.
    ///
    /// A slot whose member was removed stays until the holes are closed.
    private var slots: [UInt32] = []
    private(set) var count: Int

    init(_ distinct: [Member]) {
        members = distinct
        count = distinct.count
        index()
    }

    private init(_ other: HashedMembers) {
        members = other.members
        slots = other.slots
        count = other.count
    }

    func copy() -> HashedMembers { HashedMembers(self) }

    /// The members in their order, nil where one was removed.
    var places: [Member?] { members }
    var live: [Member] { members.compactMap { $0 } }

    func contains(_ key: String) -> Bool { place(of: key) != nil }

    func value(forKey key: String) -> JSONValue? {
        place(of: key).flatMap { members[$0]?.value }
    }

    func modify<R, E: Error>(_ key: String, _ body: (inout JSONValue) throws(E) -> R) throws(E) -> R? {
        guard let place = place(of: key) else { return nil }
        return try members[place].modifyPresent { (member: inout Member) throws(E) -> R in try body(&member.value) }
    }

    private func place(of key: String) -> Int? {
        let mask = slots.count - 1
        var slot = KeyHash.of(key) & mask
        while slots[slot] != 0 {
            let place = Int(slots[slot]) - 1
            if let member = members[place], UTF8Order.equal(member.key, key) { return place }
            slot = (slot + 1) & mask
        }
        return nil
    }

    /// Makes the slots anew, with room for as many members again.
    private func index() {
        var capacity = 64
        while capacity < 4 * members.count { capacity *= 2 }
        slots = Array(repeating: 0, count: capacity)
        for (place, member) in members.enumerated() {
            if let member { enter(member.key, at: place) }
        }
    }

    private func enter(_ key: String, at place: Int) {
        let mask = slots.count - 1
        var slot = KeyHash.of(key) & mask
        while slots[slot] != 0 { slot = (slot + 1) & mask }
        slots[slot] = UInt32(place + 1)
    }

    /// Sets the value of a member, or adds it at the end.
    func set(_ key: String, _ value: JSONValue) {
        let mask = slots.count - 1
        var slot = KeyHash.of(key) & mask
        while slots[slot] != 0 {
            let place = Int(slots[slot]) - 1
            if let member = members[place], UTF8Order.equal(member.key, key) {
                members[place]?.value = value
                return
            }
            slot = (slot + 1) & mask
        }
        slots[slot] = UInt32(members.count + 1)
        members.append(Member(key, value))
        count += 1
        if 2 * members.count > slots.count { index() }
    }

    /// Adds a member whose key is not there.
    func append(_ member: Member) {
        members.append(member)
        count += 1
        if 2 * members.count > slots.count { index() } else { enter(member.key, at: members.count - 1) }
    }

    func remove(_ key: String) -> JSONValue? {
        guard let place = place(of: key) else { return nil }
        let removed = members[place]
        members[place] = nil
        count -= 1
        if members.count > 2 * max(count, JSONObject.smallLimit) { closeHoles() }
        return removed?.value
    }

    private func closeHoles() {
        members = live
        index()
    }
}

/// A hash of a key's bytes.
///
/// Seeded per process, so colliding keys cannot be prepared; each word is multiplied to 128 bits that are folded, as wyhash
/// does, because keys are short and Swift's own hasher spends most of its time on beginning and ending.
private enum KeyHash {
    private static let seed = UInt64.random(in: 0 ... .max)

    static func of(_ key: String) -> Int {
        var key = key
        return key.withUTF8 { bytes in
            guard let start = bytes.baseAddress else { return 0 }
            var state = mixed(seed ^ UInt64(bytes.count))
            var place = 0
            while place &+ 8 <= bytes.count {
                let word = UnsafeRawPointer(start + place).loadUnaligned(as: UInt64.self)
                state = mixed(state ^ word)
                place &+= 8
            }
            var word: UInt64 = 0
            while place < bytes.count {
                word = word << 8 | UInt64(start[place])
                place &+= 1
            }
            state = mixed(state ^ word)
            return Int(truncatingIfNeeded: state)
        }
    }

    private static func mixed(_ word: UInt64) -> UInt64 {
        let product = word.multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
        return product.high ^ product.low
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
