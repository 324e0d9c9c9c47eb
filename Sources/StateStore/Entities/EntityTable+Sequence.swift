extension EntityTable: Sequence {
    /// Goes through the entities of the version that it was made from.
    public struct Iterator: IteratorProtocol, Sendable {
        /// The nodes on the way down, each with the child to go to next.
        @usableFromInline nonisolated(unsafe) var path: [(node: TreeNode<Entity>, child: Int)] = []
        /// The next entry of the last node of the way.
        @usableFromInline var entry = 0

        @inlinable
        init(_ root: TreeNode<Entity>?) {
            if let root { path.append((root, 0)) }
        }

        /// The next entity; nil at the end.
        @inlinable
        public mutating func next() -> Entity? {
            while let (node, child) = path.last {
                if entry < node.header.count {
                    defer { entry += 1 }
                    return node.entries[entry]
                }
                if child < node.header.children.count {
                    path[path.count - 1].child += 1
                    path.append((node.header.children[child], 0))
                    entry = 0
                } else {
                    path.removeLast()
                    entry = .max  // The entries of the node above were before its children.
                }
            }
            return nil
        }
    }

    /// Goes through the entities, in no order that means anything: it is another one in each process.
    @inlinable
    public func makeIterator() -> Iterator { Iterator(root) }

    /// The number of entities.
    @inlinable public var underestimatedCount: Int { count }

    /// The identities, in no order that means anything: it is another one in each process.
    @inlinable public var ids: some Sequence<ID> { lazy.map(\.id) }

    /// The entities with some identities, in their order.
    ///
    /// An identity without an entity is left out.
    ///
    ///     let page = library.books.ordered(by: library.shelf)
    @inlinable
    public func ordered(by ids: some Sequence<ID>) -> [Entity] { ids.compactMap { self[$0] } }

    /// The entities in ascending order of a property; where it is equal, of their identities' texts.
    ///
    /// The order is the same in each process, which that of a sort of the table itself is not.
    ///
    /// - Complexity: O(*n* log *n*). For a list that is shown often, keep the identities in their order.
    public func sorted<Key: Comparable>(by key: (Entity) -> Key) -> [Entity] {
        sorted(by: key) { $0 < $1 }
    }

    /// The entities in an order that a comparison of a property gives; where it is equal, of their identities' texts.
    ///
    /// - Parameters:
    ///   - key: what is compared.
    ///   - areInOrder: whether one comes before another, as for the standard library's `sorted(by:)`.
    public func sorted<Key>(by key: (Entity) -> Key, _ areInOrder: (Key, Key) -> Bool) -> [Entity] {
        let ids = IdentityOrder.sorted(map { (id: $0.id, entity: $0) }, by: \.id)
        return ids.map { (key: key($0.entity), entity: $0.entity) }.sorted { areInOrder($0.key, $1.key) }
            .map(\.entity)
    }
}
