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
/// Inlinable, because passes look stores up for every line.
///
/// - Complexity: O(1) for one name, which is free for the one that was met last: runs of records are mostly about one.
public struct NameTable<Value> {
    @usableFromInline
    struct Entry {
        @usableFromInline let name: String
        @usableFromInline var value: Value
        /// Whether the name was taken out.
        @usableFromInline var isHole = false

        @inlinable
        init(name: String, value: Value) {
            self.name = name
            self.value = value
        }
    }

    @usableFromInline var slots: [ByteName: Int] = [:]
    @usableFromInline var entries: [Entry] = []
    /// The slot that was met last.
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
    public var count: Int { slots.count }
    /// Whether there is none.
    @inlinable
    public var isEmpty: Bool { slots.isEmpty }
    /// The names, in their order.
    @inlinable
    public var names: [String] { entries.lazy.filter { !$0.isHole }.map(\.name) }

    /// The value of a name.
    @inlinable
    public subscript(name: String) -> Value? {
        get { slot(of: name).map { entries[$0].value } }
        set {
            guard let newValue else { return remove(name) }
            update(name, default: newValue) { $0 = newValue }
        }
    }

    /// Changes the value of a name, which is `initial` where there was none.
    @inlinable
    public mutating func update(
        _ name: String, default initial: @autoclosure () -> Value, _ body: (inout Value) -> Void
    ) {
        if let slot = slot(of: name) {
            recent = slot
        } else {
            recent = entries.count
            slots[ByteName(name)] = recent
            entries.append(Entry(name: name, value: initial()))
        }
        body(&entries[recent].value)
    }

    /// Whether another table has the same names, in whatever order.
    @inlinable
    public func hasSameNames<Other>(as other: NameTable<Other>) -> Bool {
        count == other.count && slots.keys.allSatisfy { other.slots[$0] != nil }
    }

    @inlinable
    func slot(of name: String) -> Int? {
        if recent < entries.count, !entries[recent].isHole, UTF8Order.equal(entries[recent].name, name) {
            return recent
        }
        return slots[ByteName(name)]
    }

    @inlinable
    mutating func remove(_ name: String) {
        guard let slot = slots.removeValue(forKey: ByteName(name)) else { return }
        entries[slot].isHole = true
        // What is left is moved together when half of it is holes, so that each removal pays for one move.
        guard entries.count > 2 * slots.count + 8 else { return }
        entries.removeAll(where: \.isHole)
        for (place, entry) in entries.enumerated() { slots[ByteName(entry.name)] = place }
        recent = 0
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
                if !entries[place].isHole { return (entries[place].name, entries[place].value) }
            }
            return nil
        }
    }
}

extension NameTable: Sendable where Value: Sendable {}
extension NameTable.Entry: Sendable where Value: Sendable {}
