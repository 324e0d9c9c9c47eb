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
