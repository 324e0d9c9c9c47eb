/// Many members in the order in which they were added, found by a hash index.
///
/// A removed member leaves a hole, so that the others keep their places in the index; when half are holes they are closed.
@usableFromInline
final class HashedMembers: @unchecked Sendable {
    // Unchecked for the same reason as `SortedMembers`: only a sole owner edits it.
    typealias Member = JSONObject.Member

    /// A place of the index, found by linear probing.
    private struct Slot {
        /// The place of a member plus one, or 0.
        var place: UInt32 = 0
        /// Half of the hash of its key: another key is hardly ever examined, and a larger index needs no key at all.
        var hash: UInt32 = 0
    }

    // The object that edits holds the only reference, so no two accesses overlap.
    @exclusivity(unchecked) private var members: [Member?]
    /// A slot whose member was removed stays until the holes are closed.
    @exclusivity(unchecked) private var slots: [Slot] = []
    @exclusivity(unchecked) private(set) var count: Int

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

    func contains(_ key: String) -> Bool { find(key, KeyHash.of(key)).place != nil }

    func value(forKey key: String) -> JSONValue? {
        find(key, KeyHash.of(key)).place.flatMap { members[$0]?.value }
    }

    func modify<R, E: Error>(_ key: String, _ body: (inout JSONValue) throws(E) -> R) throws(E) -> R? {
        guard let place = find(key, KeyHash.of(key)).place else { return nil }
        return try members[place].modifyPresent { (member: inout Member) throws(E) -> R in try body(&member.value) }
    }

    /// The place of a key's member, and the slot at which the search for it ended.
    @inline(__always)
    private func find(_ key: String, _ hash: UInt32) -> (place: Int?, slot: Int) {
        let mask = slots.count - 1
        var slot = Int(hash) & mask
        while slots[slot].place != 0 {
            if slots[slot].hash == hash {
                let place = Int(slots[slot].place) - 1
                if let member = members[place], UTF8Order.equal(member.key, key) { return (place, slot) }
            }
            slot = (slot + 1) & mask
        }
        return (nil, slot)
    }

    /// Makes the slots anew from the keys, with room for as many members again.
    private func index() {
        slots = Array(repeating: Slot(), count: Self.capacity(for: members.count))
        for (place, member) in members.enumerated() {
            if let member { enter(KeyHash.of(member.key), at: place) }
        }
    }

    /// Makes the slots anew from the ones before, for a member more.
    private func grow() {
        let former = slots
        slots = Array(repeating: Slot(), count: Self.capacity(for: members.count))
        for slot in former where slot.place != 0 { enter(slot.hash, at: Int(slot.place) - 1) }
    }

    private static func capacity(for count: Int) -> Int {
        var capacity = 64
        while capacity < 4 * count { capacity *= 2 }
        return capacity
    }

    private func enter(_ hash: UInt32, at place: Int) {
        let mask = slots.count - 1
        var slot = Int(hash) & mask
        while slots[slot].place != 0 { slot = (slot + 1) & mask }
        slots[slot] = Slot(place: UInt32(place + 1), hash: hash)
    }

    /// Sets the value of a member, or adds it at the end.
    func set(_ key: consuming String, _ value: consuming JSONValue) {
        let hash = KeyHash.of(key)
        let (place, slot) = find(key, hash)
        if let place {
            members[place]?.value = value
            return
        }
        members.append(Member(key, value))
        count += 1
        slots[slot] = Slot(place: UInt32(members.count), hash: hash)
        if 2 * members.count > slots.count { grow() }
    }

    /// Adds a member whose key is not there.
    func append(_ member: Member) {
        members.append(member)
        count += 1
        enter(KeyHash.of(member.key), at: members.count - 1)
        if 2 * members.count > slots.count { grow() }
    }

    func remove(_ key: String) -> JSONValue? {
        guard let place = find(key, KeyHash.of(key)).place else { return nil }
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

    static func of(_ key: String) -> UInt32 {
        if let hash = key.utf8.withContiguousStorageIfAvailable(of) { return hash }
        var key = key
        return key.withUTF8(of)
    }

    @inline(__always)
    private static func of(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt32 {
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
        return UInt32(truncatingIfNeeded: state)
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
