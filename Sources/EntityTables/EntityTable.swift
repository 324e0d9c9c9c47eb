/// Entities by their identity, as a value of which a copy costs nothing and an edit the logarithm of the size.
///
///     var users = EntityTable<User>()
///     users.upsert(User(id: 42, name: "Ann"))
///     users[42]?.name = "Ben"
///
/// A copy shares its structure with the original: a state that holds a table of a hundred thousand entities is copied, edited
/// and recorded in little more than the time that ten entities take, and keeping the version before is free. The difference of two versions
/// costs what differs, and so does a journaled commit; its paths are `/users/42/name`.
///
/// The order in which entities are iterated means nothing and is another one in each process. Keep an order that matters
/// apart, as identities (``OrderedIndex`` or `[ID]`), and read it by ``ordered(by:)``.
///
/// Not for a handful of values that are always read together: an array is smaller and has an order. Not for lookups in the
/// innermost loop of an algorithm that owns its table: a `Dictionary` finds an entity two to four times as fast.
public struct EntityTable<Entity: Identifiable & Encodable & Sendable>: Sendable
where Entity.ID: Codable & Sendable {
    /// What identifies an entity.
    public typealias ID = Entity.ID

    // Unsafe: a class that changes, but only while this version alone refers to it, so that no other thread can be
    // reading.
    @safe @usableFromInline nonisolated(unsafe) var root: TreeNode<Entity>?
    @usableFromInline var entityCount = 0
    /// For the indexes of a database; nothing else of the table depends on it.
    @usableFromInline var renames = EntityRenames<ID>()

    /// A table without entities.
    @inlinable
    public init() {}

    /// A table of some entities; of two with one identity the last counts.
    ///
    /// - Complexity: O(*n*) on average, a little more than a `Dictionary` takes.
    @inlinable
    public init(_ entities: some Sequence<Entity>) { upsert(contentsOf: entities) }

    /// How many entities there are.
    @inlinable public var count: Int { entityCount }

    /// Whether there are no entities.
    @inlinable public var isEmpty: Bool { count == 0 }

    /// The entity with an identity; nil where there is none.
    ///
    /// An edit such as `table[id]?.name = "x"` changes the entity in place where no other version shares it. What is set must
    /// have that identity, or it traps: ``rename(_:to:_:)`` gives an entity another one. Nil removes it.
    ///
    /// - Complexity: O(log *n*).
    @inlinable
    public subscript(id: ID) -> Entity? {
        get { withExtendedLifetime(root) { root?.find(id, TreeHash(of: id))?.entity } }
        _modify {
            let hash = TreeHash(of: id)
            let entry = uniqueEntry(id, hash)
            // Moved out, not copied: what the entity holds stays uniquely referenced while it is edited.
            var entity = entry?.move()
            defer { put(entity, back: entry, id, hash) }
            yield &entity
        }
    }

    /// The entity that an optional identity refers to; nil where there is none.
    ///
    /// For relations that may be missing, `library.authors[book.editorID]`. An identity that leads nowhere any more is nil
    /// too.
    @inlinable
    public subscript(id: ID?) -> Entity? { id.flatMap { self[$0] } }

    /// Whether there is an entity with an identity.
    ///
    /// - Complexity: O(log *n*).
    @inlinable
    public func contains(_ id: ID) -> Bool {
        withExtendedLifetime(root) { root?.find(id, TreeHash(of: id)) != nil }
    }

    /// Moves the root out, so that one version alone refers to it while it is edited.
    @inlinable
    mutating func takeRoot() -> TreeNode<Entity>? {
        // Not `root.take()`: once it is inlined into a loop of another module, Swift 6.3.1 moves the store of nil after the
        // loop, so that a release build loses every entity, or stops at an invalid lifetime in SemanticARCOpts. With
        // `-Xllvm -sil-disable-pass=loop-invariant-code-motion` it compiles, and rightly. Reduced, in a module `M`:
        //
        //     @usableFromInline final class Node: ManagedBuffer<Int, Int> {
        //         @inlinable static func make() -> Node { unsafeDowncast(create(minimumCapacity: 9) { _ in 0 }, to: Node.self) }
        //     }
        //     public struct Table {
        //         @usableFromInline var root: Node?
        //         @usableFromInline var count = 0
        //         @inlinable public init() {}
        //         @inlinable public mutating func insert() {
        //             var node = root.take() ?? Node.make()
        //             if !isKnownUniquelyReferenced(&node) { node = Node.make() }
        //             node.header += 1
        //             root = node
        //             count += 1
        //         }
        //         @inlinable public var found: Int { root?.header ?? 0 }
        //     }
        //
        // and in a function of a program, with -O: `var table = Table(); for _ in 0..<5 { table.insert() }; print(table.found)`.
        let node = root
        root = nil
        return node
    }

    /// Where an entity can be changed in place; nil if there is none, and then nothing was copied.
    @inlinable
    mutating func uniqueEntry(_ id: ID, _ hash: TreeHash) -> TreeNode<Entity>.EntryPlace? {
        guard var node = takeRoot() else { return nil }
        defer { root = node }
        return TreeNode.uniqueEntry(&node, id, hash, .root)
    }

    @inlinable
    mutating func put(_ entity: Entity?, back entry: TreeNode<Entity>.EntryPlace?, _ id: ID, _ hash: TreeHash) {
        guard let entity else {
            if let entry { closeGap(at: entry, hash) }
            return
        }
        if entity.id != id { Self.refuse(entity.id, for: id) }
        if let entry { entry.initialize(to: entity) } else { upsert(entity) }
    }

    @inlinable
    mutating func closeGap(at entry: TreeNode<Entity>.EntryPlace, _ hash: TreeHash) {
        guard var node = takeRoot() else { return }
        entityCount -= 1
        TreeNode.closeGap(&node, at: entry, hash, .root)
        if entityCount > 0 { root = node }
    }

    /// Removes the entity with an identity.
    ///
    /// - Returns: the entity; nil where there was none, and nothing changed.
    /// - Complexity: O(log *n*).
    @discardableResult
    @inlinable
    public mutating func remove(_ id: ID) -> Entity? {
        let hash = TreeHash(of: id)
        guard let entry = uniqueEntry(id, hash) else { return nil }
        let entity = entry.move()
        closeGap(at: entry, hash)
        return entity
    }

    /// Inserts an entity, or replaces the one with its identity.
    ///
    /// - Returns: the entity that it replaced.
    /// - Complexity: O(log *n*).
    @discardableResult
    @inlinable
    public mutating func upsert(_ entity: Entity) -> Entity? {
        var node = takeRoot() ?? TreeNode.make(capacity: 4)
        let old = TreeNode.upsert(&node, entity, TreeHash(of: entity.id), .root)
        root = node
        if old == nil { entityCount += 1 }
        return old
    }
}
