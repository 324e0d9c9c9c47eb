import JSONCore

/// Remembers what was made of the paths met last: a program writes the same few paths over and over.
struct PathCache<Value: Sendable>: Sendable {
    private struct Entry: Sendable {
        let path: [UInt8]
        let value: Value
    }

    /// A power of two; a path that falls on another's place takes it.
    private let capacity: Int
    /// Longer paths are not remembered.
    private static var lengthLimit: Int { 256 }

    private var entries: [Entry?] = []

    /// Remembers up to `capacity` paths, a power of two; none where it is 0.
    init(capacity: Int) { self.capacity = capacity }

    /// What was made of a path, now or before.
    ///
    /// - Complexity: O(the path's length).
    @inline(__always)
    mutating func value<Failure>(
        of path: UnsafeRawBufferPointer, orMake make: (UnsafeRawBufferPointer) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        guard capacity > 0, path.count <= PathCache.lengthLimit else { return try make(path) }
        let place = PathCache.hash(path) & (capacity &- 1)
        if entries.isEmpty { entries = Array(repeating: nil, count: capacity) }
        if let entry = entries[place], entry.path.withUnsafeBytes({ $0.hasSameBytes(as: path) }) { return entry.value }
        let value = try make(path)
        entries[place] = Entry(path: [UInt8](path), value: value)
        return value
    }

    /// FNV-1a (Fowler, Noll and Vo) a word at a time, its high bits mixed into those that count.
    @inline(__always)
    private static func hash(_ path: UnsafeRawBufferPointer) -> Int {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        var place = 0
        while place &+ 8 <= path.count {
            hash = (hash ^ path.loadUnaligned(fromByteOffset: place, as: UInt64.self)) &* 0x100_0000_01b3
            hash ^= hash &>> 29
            place &+= 8
        }
        while place < path.count {
            hash = (hash ^ UInt64(path[place])) &* 0x100_0000_01b3
            place &+= 1
        }
        return Int(truncatingIfNeeded: hash ^ hash &>> 32)
    }
}
