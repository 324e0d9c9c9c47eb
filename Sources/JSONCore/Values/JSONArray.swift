/// The elements of a JSON array.
///
/// Two representations, never seen from outside but by their cost: one block of memory, and, from the first edit on that moves many
/// elements, chunks of some hundred. Then an edit moves the elements of one chunk, and an edit of a copy copies one.
///
/// An `Array` is quicker to walk: where elements are only passed on, use ``array``.
public struct JSONArray: Sendable {
    @usableFromInline
    enum Storage: Sendable {
        case block([JSONValue])
        indirect case chunks(ChunkedList<JSONValue>)
    }

    /// An edit that moves more elements puts them into chunks.
    private static let moveLimit = 1024
    /// So few elements go back into one block.
    private static let blockLimit = 512

    @usableFromInline
    var storage: Storage

    /// The elements of an array.
    @inlinable
    public init(_ elements: [JSONValue]) {
        storage = .block(elements)
    }

    /// The elements in one block.
    ///
    /// - Complexity: O(1), and O(*n*) where they are in chunks.
    @inlinable
    public var array: [JSONValue] {
        if case .block(let elements) = storage { return elements }
        return Array(self)
    }

    /// The elements of a range of indices in one block.
    ///
    /// - Complexity: O(*n*) in the range.
    public func array(in range: Range<Int>) -> [JSONValue] {
        if case .block(let elements) = storage { return Array(elements[range]) }
        return range.map { self[$0] }
    }

    /// Puts an element before an index, or at the end.
    ///
    /// - Complexity: O(*n*) in the elements after it, of at most a chunk.
    mutating func insert(_ element: JSONValue, at index: Int) {
        edit(moving: count - index, { $0.insert(element, at: index) }, { $0.insert(element, at: index) })
    }

    /// Takes an element out; its complexity is that of ``insert(_:at:)``.
    @discardableResult
    mutating func remove(at index: Int) -> JSONValue {
        edit(moving: count - index, { $0.remove(at: index) }, { $0.remove(at: index) })
    }

    private mutating func edit<Result>(
        moving moved: Int, _ block: (inout [JSONValue]) -> Result,
        _ chunks: (inout ChunkedList<JSONValue>) -> Result
    ) -> Result {
        if moved > JSONArray.moveLimit, case .block(let elements) = storage {
            storage = .chunks(ChunkedList(elements))
        }
        guard var list = takeChunks() else {
            var elements = takeBlock()
            defer { storage = .block(elements) }
            return block(&elements)
        }
        defer { storage = list.count > JSONArray.blockLimit ? .chunks(list) : .block(Array(list.elements)) }
        return chunks(&list)
    }

    /// The chunks, moved out, so that the caller edits them in place; nil where the elements are in one block.
    ///
    /// Not inlined: else what held them would live on during the edit, which would copy a chunk then.
    @inline(never)
    private mutating func takeChunks() -> ChunkedList<JSONValue>? {
        guard case .chunks(let list) = storage else { return nil }
        storage = .block([])
        return list
    }

    private mutating func takeBlock() -> [JSONValue] {
        guard case .block(let elements) = exchange(&storage, for: .block([])) else { return [] }
        return elements
    }

    /// A number that two share if they share their storage, and no others that live at the same time; nil of chunks and of no elements.
    var storageIdentity: UInt? {
        guard case .block(let elements) = storage, !elements.isEmpty else { return nil }
        return elements.storageAddress
    }

    /// Whether both hold the very same value at an index, as far as the value's words show: the same scalar, or containers
    /// that share their storage.
    ///
    /// False says nothing. No reference is counted.
    public static func isSame(_ a: JSONArray, _ b: JSONArray, at index: Int) -> Bool {
        guard case .block(let a) = a.storage, case .block(let b) = b.storage else { return false }
        return switch (a[index], b[index]) {
        case (.object(let x), .object(let y)): x.sharesStorage(with: y)
        case (.bool(let x), .bool(let y)): x == y
        case (.null, .null): true
        default: false
        }
    }

    /// Whether both share their storage, as far as that shows.
    public func sharesStorage(with other: JSONArray) -> Bool {
        storageIdentity.map { $0 == other.storageIdentity && count == other.count } ?? false
    }
}

extension JSONArray: RandomAccessCollection, MutableCollection {
    /// Hands the elements out in their order.
    public struct ElementIterator: IteratorProtocol {
        @usableFromInline var block: [JSONValue]
        @usableFromInline var place = 0
        /// The chunks, last first, that follow.
        @usableFromInline var rest: [[JSONValue]]

        @inlinable
        init(_ elements: JSONArray) {
            if case .block(let all) = elements.storage {
                (block, rest) = (all, [])
            } else {
                (block, rest) = ([], elements.chunks.reversed())
            }
        }

        /// The next element, nil after the last one.
        @inlinable
        public mutating func next() -> JSONValue? {
            guard place < block.count || hasNextChunk() else { return nil }
            defer { place &+= 1 }
            return block[place]
        }

        @usableFromInline
        mutating func hasNextChunk() -> Bool {
            guard let next = rest.popLast() else { return false }
            (block, place) = (next, 0)
            return true
        }
    }

    /// An iterator over the elements.
    @inlinable
    public func makeIterator() -> ElementIterator { ElementIterator(self) }
    /// The index of the first element, zero.
    @inlinable
    public var startIndex: Int { 0 }
    /// The index after the last element.
    @inlinable
    public var endIndex: Int {
        if case .block(let elements) = storage { return elements.count }
        return chunkedCount
    }
    /// How many elements there are.
    @inlinable
    public var count: Int { endIndex }

    @usableFromInline
    var chunkedCount: Int {
        if case .chunks(let list) = storage { list.count } else { 0 }
    }

    /// The chunks; none where all are in one block.
    @usableFromInline
    var chunks: [[JSONValue]] {
        if case .chunks(let list) = storage { list.chunks } else { [] }
    }

    /// Passes the places of the elements to a closure until it returns false; no reference is counted.
    ///
    /// - Returns: false where the walk was ended.
    @inlinable @inline(__always)
    public func forEachPlace<Failure: Error>(
        _ body: (Borrowed<JSONValue>) throws(Failure) -> Bool
    ) throws(Failure) -> Bool {
        var walk = makeIterator()
        repeat {
            guard try walk.block.forEachPlace(body) else { return false }
        } while walk.hasNextChunk()
        return true
    }

    /// The element at an index.
    ///
    /// - Complexity: O(1), and some nanoseconds for each thousand elements where they are in chunks.
    public subscript(index: Int) -> JSONValue {
        @inlinable
        get {
            if case .block(let elements) = storage { return elements[index] }
            return chunkedElement(at: index)
        }
        _modify {
            guard var list = takeChunks() else {
                var elements = takeBlock()
                defer { storage = .block(elements) }
                yield &elements[index]
                return
            }
            defer { storage = .chunks(list) }
            yield &list[index]
        }
    }

    @usableFromInline
    func chunkedElement(at index: Int) -> JSONValue {
        if case .chunks(let list) = storage { list[index] } else { .null }
    }
}

extension JSONArray: Hashable, ExpressibleByArrayLiteral {
    /// Whether both have the same elements in the same order.
    public static func == (a: JSONArray, b: JSONArray) -> Bool {
        switch (a.storage, b.storage) {
        case (.block(let x), .block(let y)): x == y
        case (.chunks(let x), .chunks(let y)) where x.count == y.count && x.hasSameChunks(as: y): true
        default: a.count == b.count && a.elementsEqual(b)
        }
    }

    /// Feeds the elements, and how many there are, to the hasher.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(count)
        for element in self { element.hash(into: &hasher) }
    }

    /// The elements of an array written in Swift.
    public init(arrayLiteral elements: JSONValue...) { self.init(elements) }
}
