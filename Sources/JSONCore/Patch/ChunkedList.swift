/// A list whose middle elements can be inserted and removed without moving all elements after them.
///
/// It is kept in chunks of some hundred elements. For lists that only grow at their end an array is faster.
public struct ChunkedList<Element> {
    private static var chunkLimit: Int { 512 }

    private(set) var chunks: [[Element]] = []
    /// How many elements each chunk has; apart from them, so that finding one reads little memory.
    private var counts: [Int] = []
    /// The number of the change that each chunk is as it is since, and that of the last change.
    private var versions: [Int] = []
    private var version = 0
    /// How many elements there are.
    public private(set) var count = 0

    /// A list of some elements.
    public init(_ elements: some Collection<Element>) {
        var rest = elements[...]
        while !rest.isEmpty {
            let chunk = Array(rest.prefix(ChunkedList.chunkLimit / 2))
            rest = rest.dropFirst(chunk.count)
            chunks.append(chunk)
            counts.append(chunk.count)
            versions.append(nextVersion())
            count += chunk.count
        }
    }

    /// The element at an index.
    ///
    /// - Complexity: O(*n*) in the chunks, some nanoseconds for each thousand elements.
    public subscript(index: Int) -> Element {
        get {
            let place = place(of: index)
            return chunks[place.chunk][place.offset]
        }
        set {
            let place = place(of: index)
            versions[place.chunk] = nextVersion()
            chunks[place.chunk][place.offset] = newValue
        }
        _modify {
            let place = place(of: index)
            versions[place.chunk] = nextVersion()
            yield &chunks[place.chunk][place.offset]
        }
    }

    /// Puts an element before an index, or at the end.
    ///
    /// - Complexity: that of finding the index, and a chunk's elements are moved.
    public mutating func insert(_ element: Element, at index: Int) {
        if chunks.isEmpty {
            chunks = [[]]
            counts = [0]
            versions = [0]
        }
        let (chunk, offset) = place(of: index)
        chunks[chunk].insert(element, at: offset)
        counts[chunk] += 1
        versions[chunk] = nextVersion()
        count += 1
        if counts[chunk] > ChunkedList.chunkLimit { split(chunk) }
    }

    /// Takes an element out.
    ///
    /// - Complexity: that of finding the index, and a chunk's elements are moved.
    @discardableResult
    public mutating func remove(at index: Int) -> Element {
        let (chunk, offset) = place(of: index)
        let element = chunks[chunk].remove(at: offset)
        counts[chunk] -= 1
        versions[chunk] = nextVersion()
        count -= 1
        if counts[chunk] == 0 {
            chunks.remove(at: chunk)
            counts.remove(at: chunk)
            versions.remove(at: chunk)
        }
        return element
    }

    /// Hands the elements out in their order, to be changed.
    public mutating func modifyEach(_ body: (inout Element) -> Void) {
        for chunk in chunks.indices {
            versions[chunk] = nextVersion()
            for offset in chunks[chunk].indices { body(&chunks[chunk][offset]) }
        }
    }

    /// Hands the chunks out in their order, each with a number that no other has, and that is another one after each change of it.
    public func forEachChunk(_ body: (_ elements: [Element], _ version: Int) -> Void) {
        for (chunk, version) in zip(chunks, versions) { body(chunk, version) }
    }

    private mutating func nextVersion() -> Int {
        version += 1
        return version
    }

    /// The elements in their order.
    public var elements: some Sequence<Element> { chunks.lazy.joined() }

    /// Where an element is; of the index after the last one, the end of the last chunk.
    private func place(of index: Int) -> (chunk: Int, offset: Int) {
        if index > count / 2 { return placeFromEnd(of: index) }
        var (chunk, offset) = (0, index)
        while chunk < counts.count - 1, offset >= counts[chunk] {
            offset -= counts[chunk]
            chunk += 1
        }
        return (chunk, offset)
    }

    private func placeFromEnd(of index: Int) -> (chunk: Int, offset: Int) {
        var (chunk, start) = (counts.count - 1, count - counts[counts.count - 1])
        while start > index {
            chunk -= 1
            start -= counts[chunk]
        }
        return (chunk, index - start)
    }

    private mutating func split(_ chunk: Int) {
        let half = counts[chunk] / 2
        let secondHalf = Array(chunks[chunk][half...])
        chunks[chunk].removeSubrange(half...)
        chunks.insert(secondHalf, at: chunk + 1)
        counts[chunk] = half
        counts.insert(secondHalf.count, at: chunk + 1)
        versions.insert(nextVersion(), at: chunk + 1)
    }
}

extension ChunkedList where Element: Equatable {
    /// Whether the chunks of both have the same elements; those that they share are not compared.
    func hasSameChunks(as other: ChunkedList) -> Bool { chunks == other.chunks }
}

extension ChunkedList: Sendable where Element: Sendable {}
