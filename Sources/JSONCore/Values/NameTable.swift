/// A name, compared and hashed by its UTF-8 bytes: the key of every table of names.
///
/// Swift's own `String` takes canonically equivalent texts for equal, which two names of a journal are not.
public struct ByteName: Hashable, Sendable {
    /// The name.
    public let text: String

    /// A key of this name.
    @inlinable
    public init(_ text: String) { self.text = text }

    /// Whether both are the same bytes.
    @inlinable
    public static func == (a: ByteName, b: ByteName) -> Bool { UTF8Order.equal(a.text, b.text) }

    /// Hashes the bytes.
    @inlinable
    public func hash(into hasher: inout Hasher) { UTF8Order.hash(text, into: &hasher) }
}

extension ByteName: ExpressibleByStringLiteral, Comparable {
    /// The name that is written.
    public init(stringLiteral text: String) { self.init(text) }

    /// Ascending by bytes.
    public static func < (a: ByteName, b: ByteName) -> Bool { UTF8Order.isLess(a.text, b.text) }
}

/// Values by name, in the order in which the names first came; two names are one only where their bytes are.
///
/// A name that is taken out leaves a hole, so that the others keep their places in the index. Inlinable, because passes look stores up
/// for every line.
///
/// - Complexity: O(1) on average for one name, which is free for the one that was met last: runs of records are mostly about one.
public struct NameTable<Value> {
    @usableFromInline
    struct Entry {
        @usableFromInline let name: String
        /// Nil where the name was taken out.
        @usableFromInline var value: Value?
        @usableFromInline let hash: UInt32

        @inlinable
        init(name: String, value: Value?) {
            (self.name, self.value, hash) = (name, value, NameHash.of(name))
        }
    }

    /// So few names are found without an index.
    @inlinable static var fewNames: Int { 8 }

    @usableFromInline var entries: [Entry] = []
    /// The places of entries plus one, or 0, found by linear probing; one whose name was taken out stays until the holes are closed.
    @usableFromInline var slots: [UInt32] = []
    @usableFromInline var live = 0
    @usableFromInline var recent = 0

    /// An empty table.
    @inlinable
    public init() {}

    /// A table of names that all have one value.
    @inlinable
    public init(_ names: some Sequence<String>, _ value: Value) {
        for name in names { self[name] = value }
    }

    /// How many names there are.
    @inlinable
    public var count: Int { live }
    /// Whether there is none.
    @inlinable
    public var isEmpty: Bool { count == 0 }
    /// The names, in their order.
    @inlinable
    public var names: [String] { entries.lazy.filter { $0.value != nil }.map(\.name) }

    /// Whether there is a name.
    @inlinable
    public func contains(_ name: String) -> Bool { place(of: name) != nil }

    /// The value of a name.
    @inlinable
    public subscript(name: String) -> Value? {
        get { place(of: name).flatMap { entries[$0].value } }
        set {
            guard let newValue else {
                remove(name)
                return
            }
            guard let place = place(of: name) else { return append(name, newValue) }
            entries[place].value = newValue
            recent = place
        }
    }

    /// Changes the value of a name, which is `initial` where there was none.
    @inlinable
    public mutating func update(
        _ name: String, default initial: @autoclosure () -> Value, _ body: (inout Value) -> Void
    ) {
        if modify(name, body) == nil {
            var value = initial()
            body(&value)
            append(name, value)
        }
    }

    /// Edits the value of a name in place; nil where there is none.
    ///
    /// - Throws: what the body throws.
    @inlinable
    public mutating func modify<R, E: Error>(
        _ name: String, _ body: (inout Value) throws(E) -> R
    ) throws(E) -> R? {
        guard let place = place(of: name) else { return nil }
        recent = place
        return try body(&entries[place].value!)
    }

    /// Takes a name out, and returns its value.
    @inlinable
    @discardableResult
    public mutating func remove(_ name: String) -> Value? {
        guard let place = place(of: name) else { return nil }
        let value = entries[place].value
        entries[place].value = nil
        live -= 1
        // What is left is moved together when half of it is holes, so that each removal pays for one move.
        guard entries.count > 2 * count + 16 else { return value }
        entries.removeAll { $0.value == nil }
        recent = 0
        index()
        return value
    }

    /// Whether another table has the same names, in whatever order.
    @inlinable
    public func hasSameNames<Other>(as other: NameTable<Other>) -> Bool {
        count == other.count && entries.allSatisfy { $0.value == nil || other.contains($0.name) }
    }

    // MARK: The index

    @inlinable
    func place(of name: String) -> Int? {
        if recent < entries.count, isAt(recent, name) { return recent }
        if slots.isEmpty { return entries.indices.first { isAt($0, name) } }
        let (hash, mask) = (NameHash.of(name), slots.count &- 1)
        var slot = Int(hash) & mask
        while slots[slot] != 0 {
            let place = Int(slots[slot]) &- 1
            if entries[place].hash == hash, isAt(place, name) { return place }
            slot = (slot &+ 1) & mask
        }
        return nil
    }

    @inlinable @inline(__always)
    func isAt(_ place: Int, _ name: String) -> Bool {
        entries[place].value != nil && UTF8Order.equal(entries[place].name, name)
    }

    /// Adds a name that is not there.
    @inlinable
    mutating func append(_ name: String, _ value: Value) {
        recent = entries.count
        entries.append(Entry(name: name, value: value))
        live += 1
        if 2 * entries.count > slots.count { return index() }
        enter(recent)
    }

    /// Makes the slots anew, with room for as many names again.
    @inlinable
    mutating func index() {
        guard entries.count > NameTable.fewNames else { return slots = [] }
        var capacity = 64
        while capacity < 4 * entries.count { capacity *= 2 }
        slots = Array(repeating: 0, count: capacity)
        for place in entries.indices { enter(place) }
    }

    @inlinable
    mutating func enter(_ place: Int) {
        let mask = slots.count &- 1
        var slot = Int(entries[place].hash) & mask
        while slots[slot] != 0 { slot = (slot &+ 1) & mask }
        slots[slot] = UInt32(place &+ 1)
    }
}

extension NameTable: Sequence {
    /// Walks over the names and their values.
    @inlinable
    public func makeIterator() -> AnyIterator<(name: String, value: Value)> {
        var place = 0
        return AnyIterator {
            while place < entries.count {
                defer { place += 1 }
                if let value = entries[place].value { return (entries[place].name, value) }
            }
            return nil
        }
    }
}

extension NameTable: Sendable where Value: Sendable {}
extension NameTable.Entry: Sendable where Value: Sendable {}

/// A hash of a name's bytes.
///
/// Seeded per process, so colliding names cannot be prepared; each word is multiplied to 128 bits that are folded, as wyhash
/// does, because names are short and Swift's own hasher spends most of its time on beginning and ending.
@usableFromInline
enum NameHash {
    private static let seed = UInt64.random(in: 0 ... .max)

    @usableFromInline
    static func of(_ name: String) -> UInt32 {
        name.withBytes(of)
    }

    @inline(__always)
    private static func of(_ bytes: ByteView) -> UInt32 {
        var state = mixed(seed ^ UInt64(bytes.count))
        var place = 0
        while place &+ 8 <= bytes.count {
            let word = unsafe bytes.load(unchecked: place, as: UInt64.self)  // eight are left
            state = mixed(state ^ word)
            place &+= 8
        }
        var word: UInt64 = 0
        while place < bytes.count {
            word = unsafe word << 8 | UInt64(bytes[unchecked: place])  // one is left
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
