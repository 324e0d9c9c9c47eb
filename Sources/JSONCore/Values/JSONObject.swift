/// The members of a JSON object, in an order, found by key.
///
/// Three representations, chosen by size and order, never seen from outside but by their cost:
/// - up to ``smallLimit`` members one array, searched from the front;
/// - more members in ascending order of their keys (states, which have no order of their own): chunks of members, found by
///   binary search. A copy shares its chunks, so keeping the state before a commit costs nothing for what the commit left
///   alone, and an insertion moves one chunk;
/// - more members in another order (what a query built, or a text that is only passed through): an array with a hash index.
///
/// Keys are compared by their bytes. Finding, replacing and removing a member is O(log *n*) for ascending members, O(1) on
/// average for others.
public struct JSONObject: Sendable {
    /// One member: its key and its value.
    public typealias Element = (key: String, value: JSONValue)

    @usableFromInline
    enum Storage: Sendable {
        case small([Member])
        case sorted(SortedMembers)
        case hashed(HashedMembers)
    }

    @usableFromInline
    struct Member: Sendable {
        @usableFromInline let key: String
        @usableFromInline var value: JSONValue

        @usableFromInline
        init(_ key: String, _ value: JSONValue) {
            self.key = key
            self.value = value
        }
    }

    /// Objects up to this size are one array: a scan of so few keys beats any index.
    static let smallLimit = 16

    @usableFromInline
    var storage: Storage

    /// An object without members.
    @inlinable
    public init() {
        storage = .small([])
    }

    /// An object of one member.
    public init(_ key: String, _ value: JSONValue) {
        storage = .small([Member(key, value)])
    }

    /// An object of two members, whose keys must be different.
    public init(_ firstKey: String, _ first: JSONValue, _ secondKey: String, _ second: JSONValue) {
        storage = .small([Member(firstKey, first), Member(secondKey, second)])
    }

    /// Hands over every member in its order; quicker than an iterator where the object is small.
    @inlinable
    public func forEachMember(_ body: (String, JSONValue) -> Void) {
        guard case .small(let members) = storage else {
            for (key, value) in self { body(key, value) }
            return
        }
        for index in members.indices { body(members[index].key, members[index].value) }
    }

    /// An object of these members in their order; of a repeated key the last value stays, at the first one's place.
    public init(_ members: some Sequence<Element>) {
        self.init()
        for member in members { self[member.key] = member.value }
    }

    /// An object of members whose keys are known to be distinct, in their order.
    @usableFromInline
    init(distinct members: [Member]) {
        if members.count <= JSONObject.smallLimit {
            storage = .small(members)
        } else if JSONObject.areAscending(members) {
            storage = .sorted(SortedMembers(members))
        } else {
            storage = .hashed(HashedMembers(members))
        }
    }

    /// An object of members whose keys are known to ascend.
    init(distinctAscending members: [Member]) {
        storage = members.count <= JSONObject.smallLimit ? .small(members) : .sorted(SortedMembers(members))
    }

    /// An object whose keys are known to be distinct, their values computed in that order.
    ///
    /// - Parameters:
    ///   - keys: not checked to be distinct.
    ///   - value: the value of the key at an index; nil ends the building.
    /// - Returns: nil where a value was nil.
    /// - Throws: what computing a value throws.
    @inlinable
    public init?<E: Error>(distinctKeys keys: [String], value: (Int) throws(E) -> JSONValue?) throws(E) {
        var members: [Member] = []
        members.reserveCapacity(keys.count)
        for index in keys.indices {
            guard let value = try value(index) else { return nil }
            members.append(Member(keys[index], value))
        }
        self.init(distinct: members)
    }

    /// How many members there are.
    public var count: Int {
        switch storage {
        case .small(let members): members.count
        case .sorted(let members): members.count
        case .hashed(let members): members.table.count
        }
    }

    /// Whether there is no member.
    public var isEmpty: Bool { count == 0 }

    /// The keys, in the members' order.
    public var keys: [String] { map(\.key) }

    /// Whether the keys ascend by their bytes, as they do in every state.
    public var isAscending: Bool {
        switch storage {
        case .small(let members): JSONObject.areAscending(members)
        case .sorted: true
        case .hashed(let members): JSONObject.areAscending(members.members)
        }
    }

    var isHeldAscending: Bool { if case .hashed = storage { false } else { isAscending } }

    /// A copy whose members are in ascending order of their keys' bytes.
    public func ascending() -> JSONObject {
        if isHeldAscending { return self }
        if case .small = storage {
            var sorted = self
            sorted.sortFew()
            return sorted
        }
        let sorted = map { Member($0.key, $0.value) }.sorted { UTF8Order.isLess($0.key, $1.key) }
        return JSONObject(distinct: sorted)
    }

    /// Sorts the members of a small object in place, by insertion.
    mutating func sortFew() {
        guard case .small = storage, case .small(var members) = exchange(&storage, for: .small([])) else { return }
        for end in members.indices.dropFirst() {
            var place = end
            while place > 0, UTF8Order.isLess(members[place].key, members[place - 1].key) {
                members.swapAt(place, place - 1)
                place -= 1
            }
        }
        storage = .small(members)
    }

    static func areAscending(_ members: [Member]) -> Bool {
        var index = 1
        while index < members.count {
            if !UTF8Order.isLess(members[index - 1].key, members[index].key) { return false }
            index += 1
        }
        return true
    }
}

extension JSONObject: Hashable {
    /// Whether both have the same members, in whatever order.
    public static func == (a: JSONObject, b: JSONObject) -> Bool {
        if a.sharesStorage(with: b) { return true }
        if case .sorted(let x) = a.storage, case .sorted(let y) = b.storage { return x.equals(y) }
        guard a.count == b.count else { return false }
        if case .small(let x) = a.storage, case .small(let y) = b.storage {
            for index in 0..<x.count {
                let isThere = UTF8Order.equal(x[index].key, y[index].key)
                guard let other = isThere ? index : JSONObject.index(of: x[index].key, in: y),
                    x[index].value == y[other].value
                else { return false }
            }
            return true
        }
        for (key, value) in a {
            guard let other = b[key], other == value else { return false }
        }
        return true
    }

    /// Feeds the members, without their order, to the hasher.
    public func hash(into hasher: inout Hasher) {
        var sum = 0
        for (key, value) in self {
            var member = Hasher()
            UTF8Order.hash(key, into: &member)
            value.hash(into: &member)
            sum &+= member.finalize()
        }
        hasher.combine(count)
        hasher.combine(sum)
    }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    /// An object written in Swift, its members in that order.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self.init(elements.lazy.map { (key: $0.0, value: $0.1) })
    }
}

/// Many members in the order in which they were added, shared by copies.
@usableFromInline
final class HashedMembers: @unchecked Sendable {
    // Unchecked for the same reason as `SortedMembers`: only a sole owner edits it, so no two accesses overlap.
    @safe @exclusivity(unchecked) var table: NameTable<JSONValue>

    init(_ table: NameTable<JSONValue>) { self.table = table }

    convenience init(_ distinct: [JSONObject.Member]) {
        var table = NameTable<JSONValue>()
        for member in distinct { table.append(member.key, member.value) }
        self.init(table)
    }

    func copy() -> HashedMembers { HashedMembers(table) }

    var members: [JSONObject.Member] {
        table.entries.compactMap { entry in entry.value.map { JSONObject.Member(entry.name, $0) } }
    }
}
