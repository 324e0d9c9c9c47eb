/// Many members in ascending order of their keys, in chunks that copies share.
///
/// The owner makes it unique before it edits; a chunk is made unique here, so an edit of a copy costs one chunk and the list
/// of chunks.
@usableFromInline
final class SortedMembers: @unchecked Sendable {
    // Unchecked, because it is edited only by the one owner that holds the one reference (`isKnownUniquelyReferenced`), as
    // the buffers of the standard library are.
    /// Like its owner, it is edited only while it is not shared.
    final class Chunk {
        var members: [JSONObject.Member]

        init(_ members: [JSONObject.Member]) {
            self.members = members
        }
    }

    /// A chunk is split in two when it outgrows this; large enough to scan well, small enough to copy.
    static let chunkLimit = 64

    private(set) var chunks: [Chunk] = []
    private(set) var count: Int

    init(_ ascending: [JSONObject.Member]) {
        count = ascending.count
        let size = SortedMembers.chunkLimit / 2
        chunks.reserveCapacity(ascending.count / size + 1)
        for start in stride(from: 0, to: ascending.count, by: size) {
            chunks.append(Chunk(Array(ascending[start..<min(start + size, ascending.count)])))
        }
    }

    private init(chunks: [Chunk], count: Int) {
        self.chunks = chunks
        self.count = count
    }

    func copy() -> SortedMembers {
        SortedMembers(chunks: chunks, count: count)
    }

    var all: [JSONObject.Member] { chunks.flatMap(\.members) }
    var lastKey: String? { chunks.last?.members.last?.key }

    func contains(_ key: String) -> Bool { find(key).found }

    func place(of key: String) -> (chunk: Int, index: Int)? {
        let place = find(key)
        return place.found ? (place.chunk, place.index) : nil
    }

    func value(forKey key: String) -> JSONValue? {
        let place = find(key)
        // Not a conditional expression: there `nil` would be a JSON null.
        guard place.found else { return nil }
        return chunks[place.chunk].members[place.index].value
    }

    func modify<R, E: Error>(_ key: String, _ body: (inout JSONValue) throws(E) -> R) throws(E) -> R? {
        let place = find(key)
        guard place.found else { return nil }
        makeUnique(place.chunk)
        return try body(&chunks[place.chunk].members[place.index].value)
    }

    /// Inserts a member whose key is not there.
    func insert(_ member: JSONObject.Member) {
        let place = find(member.key)
        count += 1
        guard !chunks.isEmpty else {
            chunks = [Chunk([member])]
            return
        }
        makeUnique(place.chunk)
        chunks[place.chunk].members.insert(member, at: place.index)
        if chunks[place.chunk].members.count > SortedMembers.chunkLimit { split(place.chunk) }
    }

    func remove(_ key: String) -> JSONValue? {
        let place = find(key)
        guard place.found else { return nil }
        makeUnique(place.chunk)
        let removed = chunks[place.chunk].members.remove(at: place.index)
        if chunks[place.chunk].members.isEmpty { chunks.remove(at: place.chunk) }
        count -= 1
        return removed.value
    }

    /// Equality that does not compare chunks that both share.
    func equals(_ other: SortedMembers) -> Bool {
        guard count == other.count else { return false }
        if self === other { return true }
        if chunks.count == other.chunks.count, zip(chunks, other.chunks).allSatisfy({ SortedMembers.same($0, $1) }) {
            return true
        }
        let pairs = zip(chunks.lazy.flatMap(\.members), other.chunks.lazy.flatMap(\.members))
        return pairs.allSatisfy { UTF8Order.equal($0.key, $1.key) && $0.value == $1.value }
    }

    private static func same(_ a: Chunk, _ b: Chunk) -> Bool {
        if a === b { return true }
        guard a.members.count == b.members.count else { return false }
        return zip(a.members, b.members).allSatisfy { UTF8Order.equal($0.key, $1.key) && $0.value == $1.value }
    }

    private func split(_ index: Int) {
        let members = chunks[index].members
        let half = members.count / 2
        chunks[index].members = Array(members[..<half])
        chunks.insert(Chunk(Array(members[half...])), at: index + 1)
    }

    private func makeUnique(_ index: Int) {
        if !isKnownUniquelyReferenced(&chunks[index]) { chunks[index] = Chunk(chunks[index].members) }
    }

    private func find(_ key: String) -> (chunk: Int, index: Int, found: Bool) {
        guard !chunks.isEmpty else { return (0, 0, false) }
        let chunk = max(0, firstIndex(in: 0..<chunks.count) { UTF8Order.isLess(key, chunks[$0].members[0].key) } - 1)
        let members = chunks[chunk].members
        let index = firstIndex(in: 0..<members.count) { !UTF8Order.isLess(members[$0].key, key) }
        return (chunk, index, index < members.count && UTF8Order.equal(members[index].key, key))
    }

    /// The first index for which the predicate, false and then true over the range, is true.
    private func firstIndex(in range: Range<Int>, where predicate: (Int) -> Bool) -> Int {
        var (low, high) = (range.lowerBound, range.upperBound)
        while low < high {
            let middle = low + (high - low) / 2
            if predicate(middle) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
