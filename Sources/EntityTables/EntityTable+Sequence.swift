extension EntityTable: Sequence {
    /// Goes through the entities of the version that it was made from.
    @safe
    public struct Iterator: IteratorProtocol, Sendable {
        // Unsafe: nodes change only where one version alone refers to them, and this one is held here: it keeps those that wait, and
        // the places in them.
        @safe @usableFromInline nonisolated(unsafe) let root: TreeNode<Entity>?
        /// Children that are not visited yet, of the nodes on the way down.
        @usableFromInline nonisolated(unsafe) var waiting: [Unmanaged<TreeNode<Entity>>] = unsafe []
        /// The entries of the current node that are still to come.
        @safe @usableFromInline nonisolated(unsafe) var upcoming: TreeNode<Entity>.EntryPlace?
        @usableFromInline var rest = 0

        @inlinable
        init(_ root: TreeNode<Entity>?) {
            self.root = root
            if let root { unsafe waiting.append(Unmanaged.passUnretained(root)) }
        }

        /// The next entity; nil at the end.
        @inlinable
        public mutating func next() -> Entity? {
            while rest == 0 {
                guard let node = unsafe waiting.popLast() else { return nil }
                unsafe node.reading { enter($0) }
            }
            guard let entry = upcoming else { return nil }
            rest -= 1
            unsafe upcoming = entry.advanced(by: 1)
            return entry.entity
        }

        @inlinable
        mutating func enter(_ node: TreeNode<Entity>) {
            upcoming = node.place(0)
            rest = node.header.count
            for index in 0..<node.header.childMap.count { unsafe waiting.append(node.uncountedChild(index)) }
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
    /// - Complexity: O(*n* log *n*). For a list that is shown often, have an index keep the order:
    ///   ``IndexRule/sorted(_:of:by:)``.
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
