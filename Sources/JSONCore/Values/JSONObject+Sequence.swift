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
        _ body: (UnsafePointer<String>, UnsafePointer<JSONValue>) throws(E) -> Bool
    ) throws(E) -> Bool {
        switch storage {
        case .small(let members): return try JSONObject.forEachPlace(in: members, body)
        case .sorted(let sorted):
            for chunk in sorted.chunks where try !JSONObject.forEachPlace(in: chunk.members, body) { return false }
        case .hashed(let hashed):
            return try hashed.table.entries.withUnsafeBufferPointer { (entries) throws(E) -> Bool in
                guard let first = entries.baseAddress else { return true }
                for place in entries.indices where entries[place].value != nil {
                    // A value that is there lies at the beginning of its optional.
                    guard let key = UnsafePointer<String>(first + place, to: \.name),
                        let value = UnsafePointer<JSONValue>(first + place, to: \.value)
                    else { return true }
                    if try !body(key, value) { return false }
                }
                return true
            }
        }
        return true
    }

    @inline(__always)
    private static func forEachPlace<E: Error>(
        in members: [Member], _ body: (UnsafePointer<String>, UnsafePointer<JSONValue>) throws(E) -> Bool
    ) throws(E) -> Bool {
        try members.withUnsafeBufferPointer { (members) throws(E) -> Bool in
            guard let first = members.baseAddress else { return true }
            for place in members.indices where try !hand(first + place, to: body) { return false }
            return true
        }
    }

    @inline(__always)
    private static func hand<E: Error>(
        _ member: UnsafePointer<Member>, to body: (UnsafePointer<String>, UnsafePointer<JSONValue>) throws(E) -> Bool
    ) throws(E) -> Bool {
        guard let key = UnsafePointer<String>(member, to: \.key),
            let value = UnsafePointer<JSONValue>(member, to: \.value)
        else { return true }
        return try body(key, value)
    }
}

extension UnsafePointer {
    /// Where a stored property of what lies at another place lies.
    @inline(__always)
    init?<Whole>(_ whole: UnsafePointer<Whole>, to property: PartialKeyPath<Whole>) {
        guard let offset = MemoryLayout<Whole>.offset(of: property) else { return nil }
        self = (UnsafeRawPointer(whole) + offset).assumingMemoryBound(to: Pointee.self)
    }
}
