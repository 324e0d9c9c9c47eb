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
        case .hashed(let members): members.count
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
        case .hashed(let members): JSONObject.areAscending(members.live)
        }
    }

    /// The same members in ascending order of their keys' bytes.
    public func ascending() -> JSONObject {
        if case .hashed = storage {} else if isAscending { return self }
        let sorted = map { Member($0.key, $0.value) }.sorted { UTF8Order.isLess($0.key, $1.key) }
        return JSONObject(distinct: sorted)
    }

    static func areAscending(_ members: [Member]) -> Bool {
        members.withUnsafeBufferPointer { members in
            var index = 1
            while index < members.count {
                if !UTF8Order.isLess(members[index - 1].key, members[index].key) { return false }
                index += 1
            }
            return true
        }
    }
}

extension JSONObject {
    /// The value of a member; setting appends a new key at the end, and setting nil removes the member.
    public subscript(key: String) -> JSONValue? {
        get {
            switch storage {
            case .small(let members):
                return members.withUnsafeBufferPointer { members in
                    for index in 0..<members.count where UTF8Order.equal(members[index].key, key) {
                        return members[index].value
                    }
                    return nil
                }
            case .sorted(let members): return members.value(forKey: key)
            case .hashed(let members): return members.value(forKey: key)
            }
        }
        set {
            guard let newValue else {
                removeValue(forKey: key)
                return
            }
            if case .hashed(var members) = storage {
                storage = .small([])  // gives up this reference, or the edit below would copy
                JSONObject.makeUnique(&members)
                members.set(key, newValue)
                storage = .hashed(members)
                return
            }
            if replace(key, with: newValue) { return }
            append(Member(key, newValue))
        }
    }

    /// Where a key is among a few members.
    @inline(__always)
    static func index(of key: String, in members: [Member]) -> Int? {
        members.withUnsafeBufferPointer { members in
            for index in 0..<members.count where UTF8Order.equal(members[index].key, key) { return index }
            return nil
        }
    }

    /// Lets a caller edit the value of a member in place, without copying what nobody else holds.
    ///
    /// - Returns: what the body returns, or nil where there is no such member.
    /// - Throws: what the body throws; the value stays as the body left it.
    public mutating func modify<R, E: Error>(
        _ key: String, _ body: (inout JSONValue) throws(E) -> R
    ) throws(E) -> R? {
        switch storage {
        case .small(var members):
            guard let index = JSONObject.index(of: key, in: members) else { return nil }
            storage = .small([])  // gives up this reference, or the edit below would copy
            defer { storage = .small(members) }
            return try body(&members[index].value)
        case .sorted(var members):
            guard members.contains(key) else { return nil }
            storage = .small([])
            defer { storage = .sorted(members) }
            JSONObject.makeUnique(&members)
            return try members.modify(key, body)
        case .hashed(var members):
            guard members.contains(key) else { return nil }
            storage = .small([])
            defer { storage = .hashed(members) }
            JSONObject.makeUnique(&members)
            return try members.modify(key, body)
        }
    }

    /// Lets a caller edit every value in place, in the members' order, without copying what nobody else holds.
    ///
    /// - Throws: what the body throws; the values stay as the body left them.
    public mutating func modifyValues<E: Error>(_ body: (inout JSONValue) throws(E) -> Void) throws(E) {
        switch storage {
        case .small(var members):
            storage = .small([])
            defer { storage = .small(members) }
            for index in members.indices { try body(&members[index].value) }
        case .sorted, .hashed:
            for key in keys { try modify(key, body) }
        }
    }

    /// Compares the values of two objects that have the same keys in the same order.
    ///
    /// - Returns: whether all pairs of values passed; nil where the objects are not of that kind.
    /// - Throws: what the comparison throws.
    public static func compareInOrder<E: Error>(
        _ a: JSONObject, _ b: JSONObject, _ areEqual: (JSONValue, JSONValue) throws(E) -> Bool
    ) throws(E) -> Bool? {
        guard case .small(let x) = a.storage, case .small(let y) = b.storage, x.count == y.count else { return nil }
        return try x.withUnsafeBufferPointer { (x) throws(E) -> Bool? in
            try y.withUnsafeBufferPointer { (y) throws(E) -> Bool? in
                for index in x.indices where !UTF8Order.equal(x[index].key, y[index].key) { return nil }
                for index in x.indices where try !areEqual(x[index].value, y[index].value) { return false }
                return true
            }
        }
    }

    /// Replaces the value of a member that is there, or inserts it so that ascending keys stay ascending.
    ///
    /// An object whose keys do not ascend has no such place, and gets the member at its end.
    public mutating func insertAscending(_ value: JSONValue, forKey key: String) {
        if replace(key, with: value) { return }
        switch storage {
        case .small(var members):
            storage = .small([])
            let place = members.firstIndex { !UTF8Order.isLess($0.key, key) } ?? members.count
            if place == members.count || JSONObject.areAscending(members) {
                members.insert(Member(key, value), at: place)
            } else {
                members.append(Member(key, value))
            }
            storage = members.count > JSONObject.smallLimit ? JSONObject(distinct: members).storage : .small(members)
        case .sorted(var members):
            storage = .small([])
            JSONObject.makeUnique(&members)
            members.insert(Member(key, value))
            storage = .sorted(members)
        case .hashed(let members):
            let live = members.live
            if JSONObject.areAscending(live) {
                storage = .sorted(SortedMembers(live))
                insertAscending(value, forKey: key)
            } else {
                append(Member(key, value))
            }
        }
    }

    /// Removes a member and returns its value, or nil where there is none.
    @discardableResult
    public mutating func removeValue(forKey key: String) -> JSONValue? {
        switch storage {
        case .small(var members):
            guard let index = JSONObject.index(of: key, in: members) else { return nil }
            storage = .small([])
            defer { storage = .small(members) }
            return members.remove(at: index).value
        case .sorted(var members):
            guard members.contains(key) else { return nil }
            storage = .small([])
            defer { storage = .sorted(members) }
            JSONObject.makeUnique(&members)
            return members.remove(key)
        case .hashed(var members):
            guard members.contains(key) else { return nil }
            storage = .small([])
            defer { storage = .hashed(members) }
            JSONObject.makeUnique(&members)
            return members.remove(key)
        }
    }

    private mutating func replace(_ key: String, with value: JSONValue) -> Bool {
        modify(key) { $0 = value } != nil
    }

    private mutating func append(_ member: Member) {
        switch storage {
        case .small(var members):
            storage = .small([])
            members.append(member)
            storage = members.count > JSONObject.smallLimit ? JSONObject(distinct: members).storage : .small(members)
        case .sorted(var members):
            storage = .small([])
            if let last = members.lastKey, !UTF8Order.isLess(last, member.key) {
                var hashed = HashedMembers(members.all)
                JSONObject.makeUnique(&hashed)
                hashed.append(member)
                storage = .hashed(hashed)
                return
            }
            JSONObject.makeUnique(&members)
            members.insert(member)
            storage = .sorted(members)
        case .hashed(var members):
            storage = .small([])
            JSONObject.makeUnique(&members)
            members.append(member)
            storage = .hashed(members)
        }
    }

    private static func makeUnique(_ members: inout SortedMembers) {
        if !isKnownUniquelyReferenced(&members) { members = members.copy() }
    }

    private static func makeUnique(_ members: inout HashedMembers) {
        if !isKnownUniquelyReferenced(&members) { members = members.copy() }
    }
}

extension JSONObject: Sequence {
    /// Walks the members in their order.
    public struct Iterator: IteratorProtocol {
        private var members: [Member]
        private var next_ = 0
        private var chunks: SortedMembers?
        private var nextChunk = 0
        /// Members with holes between them.
        private var sparse: [Member?] = []
        private var nextSparse = 0

        fileprivate init(_ storage: Storage) {
            switch storage {
            case .small(let members): self.members = members
            case .hashed(let hashed):
                members = []
                sparse = hashed.places
            case .sorted(let sorted):
                members = []
                chunks = sorted
            }
        }

        /// The next member, or nil after the last.
        public mutating func next() -> Element? {
            while next_ == members.count {
                while nextSparse < sparse.count {
                    nextSparse += 1
                    if let member = sparse[nextSparse - 1] { return (member.key, member.value) }
                }
                guard let chunks, nextChunk < chunks.chunks.count else { return nil }
                members = chunks.chunks[nextChunk].members
                nextChunk += 1
                next_ = 0
            }
            defer { next_ += 1 }
            return (members[next_].key, members[next_].value)
        }
    }

    /// Walks the members in their order.
    public func makeIterator() -> Iterator { Iterator(storage) }

    /// The number of members, which is exact.
    public var underestimatedCount: Int { count }
}

extension JSONObject: Hashable {
    /// Whether both have the same members, in whatever order.
    public static func == (a: JSONObject, b: JSONObject) -> Bool {
        if a.sharesStorage(with: b) { return true }
        if case .sorted(let x) = a.storage, case .sorted(let y) = b.storage { return x.equals(y) }
        guard a.count == b.count else { return false }
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
