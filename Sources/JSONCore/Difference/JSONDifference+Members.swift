extension JSONObject {
    /// The members of two objects, each in ascending order of their keys, without those that both share where that costs no
    /// comparison.
    ///
    /// - Complexity: O(1) for small ascending objects; of large ones O(*n*) in the chunks, and in the members of those that only one
    ///   of them has.
    static func apart(_ old: JSONObject, _ new: JSONObject) -> (old: [Member], new: [Member]) {
        switch (old.storage, new.storage) {
        case (.small(let x), .small(let y)) where areAscending(x) && areAscending(y): return (x, y)
        case (.sorted(let x), .sorted(let y)):
            let oldChunks = Set(x.chunks.map(ObjectIdentifier.init))
            let shared = Set(y.chunks.map(ObjectIdentifier.init)).intersection(oldChunks)
            func own(_ members: SortedMembers) -> [Member] {
                members.chunks.lazy.filter { !shared.contains(ObjectIdentifier($0)) }.flatMap(\.members)
            }
            return (own(x), own(y))
        default:
            return (old.ascending().map { Member($0.key, $0.value) }, new.ascending().map { Member($0.key, $0.value) })
        }
    }
}

extension JSONValue {
    /// Whether both are containers in the same memory, and so equal.
    ///
    /// Their contents are not compared.
    package func sharesStorage(with other: JSONValue) -> Bool {
        switch (self, other) {
        case (.array(let x), .array(let y)): x.sharesStorage(with: y)
        case (.object(let x), .object(let y)): x.sharesStorage(with: y)
        default: false
        }
    }

    /// Whether both are one scalar or share their storage: false also of equal containers apart, whose contents are not compared.
    @inline(__always)
    func isSameScalarOrStorage(_ other: JSONValue) -> Bool {
        switch self {
        case .array, .object: sharesStorage(with: other)
        default: self == other
        }
    }
}

extension JSONObject {
    /// Whether both are in the same memory, and so have the same members.
    public func sharesStorage(with other: JSONObject) -> Bool {
        switch (storage, other.storage) {
        case (.small(let x), .small(let y)): x.count == y.count && x.storageAddress == y.storageAddress
        case (.sorted(let x), .sorted(let y)): x === y
        case (.hashed(let x), .hashed(let y)): x === y
        default: false
        }
    }
}
