extension JSONObject: Sequence {
    /// Walks the members in their order.
    public struct Iterator: IteratorProtocol {
        private var members: [Member]
        private var next_ = 0
        private var chunks: SortedMembers?
        private var nextChunk = 0
        /// Members with holes between them.
        private var sparse: [NameTable<JSONValue>.Entry] = []
        private var nextSparse = 0

        fileprivate init(_ storage: Storage) {
            switch storage {
            case .small(let members): self.members = members
            case .hashed(let hashed):
                members = []
                sparse = hashed.table.entries
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
                    if let value = sparse[nextSparse - 1].value { return (sparse[nextSparse - 1].name, value) }
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

extension JSONObject {
    /// Passes the places of every key and value to a closure, in the members' order, until it returns false; no reference is counted.
    ///
    /// - Parameter body: called with the addresses of a key and its value, valid until the object is edited; false ends
    ///   the walk.
    /// - Returns: false where the walk was ended.
    /// - Throws: what the body throws.
    /// - Complexity: O(*n*).
    public func forEachPlace<E: Error>(
        _ body: (Borrowed<String>, Borrowed<JSONValue>) throws(E) -> Bool
    ) throws(E) -> Bool {
        switch storage {
        case .small(let members): return try members.forEachPlace { (member) throws(E) in try member.pass(to: body) }
        case .sorted(let sorted):
            for chunk in sorted.chunks {
                guard try chunk.members.forEachPlace({ (member) throws(E) in try member.pass(to: body) }) else {
                    return false
                }
            }
            return true
        case .hashed(let hashed):
            return try hashed.table.entries.forEachPlace { (entry) throws(E) in
                guard entry.value.value != nil else { return true }
                // A value that is there lies at the beginning of its optional.
                return try unsafe body(entry.place(of: \.name), entry.place(of: \.value))
            }
        }
    }

    /// Where the value of one of a few members is, valid while the object is held and not edited.
    @inline(__always)
    static func place(ofValueAt index: Int, in members: [Member]) -> Borrowed<JSONValue> {
        // It stays where it is while the array is held.
        unsafe members.withBorrowedElements { $0.place(of: index) }.place(of: \.value)
    }
}

extension Borrowed<JSONObject.Member> {
    /// Each property is named as what it is.
    @inline(__always)
    fileprivate func pass<E: Error>(
        to body: (Borrowed<String>, Borrowed<JSONValue>) throws(E) -> Bool
    ) throws(E) -> Bool { try unsafe body(place(of: \.key), place(of: \.value)) }
}
