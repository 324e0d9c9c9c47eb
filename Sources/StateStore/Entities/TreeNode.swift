/// A node of a persistent hash tree: 16 slots, each empty, with an entry, or with a child.
///
/// The tree is a compressed hash-array mapped prefix tree: Michael J. Steindorfer and Jurgen J. Vinju, "Optimizing
/// Hash-Array Mapped Tries for Fast and Lean Immutable JVM Collections", OOPSLA 2015. Entries lie in the node itself, two
/// maps of bits say which slots hold entries and which children, and a removal leaves no node below the root with a single
/// entry. So the same entries always make the same tree, whatever road led there, and two trees are compared slot by slot.
///
/// Versions share nodes. A node is changed in place where one version alone refers to it, else copied first, which is what
/// makes it safe to be read by any thread. Below the last bits of the hash a node is a plain list of entries whose hashes are
/// equal.
///
/// The entries are behind the header, in one allocation; only nodes with children, few of them, have a second one.
@usableFromInline
final class TreeNode<Entity: Identifiable>: ManagedBuffer<TreeNodeHeader<Entity>, Entity> {
    @usableFromInline typealias ID = Entity.ID

    deinit {
        _ = withUnsafeMutablePointers { header, entries in entries.deinitialize(count: header.pointee.count) }
    }
}

/// What a node knows of its slots.
@usableFromInline
struct TreeNodeHeader<Entity: Identifiable> {
    /// The slots with an entry; none in a list of colliding entries.
    @usableFromInline var entryMap = TreeSlotMap()
    /// The slots with a child.
    @usableFromInline var childMap = TreeSlotMap()
    /// How many entries there are, and for how many there is room.
    @usableFromInline var entryCount: UInt32 = 0
    @usableFromInline let entryCapacity: UInt32
    @usableFromInline var children: ContiguousArray<TreeNode<Entity>> = []

    @inlinable
    init(capacity: Int) { entryCapacity = UInt32(truncatingIfNeeded: capacity) }

    @inlinable var count: Int { Int(entryCount) }
    @inlinable var capacity: Int { Int(entryCapacity) }
}

extension TreeNode {
    /// An empty node with room for so many entries.
    @inlinable
    static func make(capacity: Int) -> TreeNode {
        let node = create(minimumCapacity: capacity) { _ in TreeNodeHeader(capacity: capacity) }
        return unsafeDowncast(node, to: TreeNode.self)
    }

    /// Where the entries are, for as long as the node lives.
    @inlinable
    @inline(__always)
    var entries: UnsafeMutablePointer<Entity> { withUnsafeMutablePointerToElements { $0 } }

    /// The entries and children, as one node: with a single entry and no child it has to go up into its parent.
    @inlinable var isSingle: Bool { header.entryCount == 1 && header.childMap.bits == 0 }

    /// Has `node` be referred to by one version only, with room for some more entries.
    @inlinable
    static func makeUnique(_ node: inout TreeNode, room: Int = 0) {
        let isUnique = isKnownUniquelyReferenced(&node)
        let count = node.header.count + room
        if isUnique && count <= node.header.capacity { return }
        // More than needed where a large node grows in place: a table is mostly filled in one go, and most nodes stay small.
        node = isUnique ? node.moved(capacity: count < 6 ? count : count * 2) : node.copied(capacity: count)
    }

    @inlinable
    func copied(capacity: Int) -> TreeNode {
        touchChildren()
        let copy = TreeNode.make(capacity: capacity)
        copy.entries.initialize(from: entries, count: header.count)
        copy.takeMaps(header)
        return copy
    }

    /// Reads a word of each child, all of which will be referred to once more.
    ///
    /// Most are in no cache. Plain reads wait for memory together, while the counting of references waits for each in turn.
    @inlinable
    func touchChildren() {
        var types: UInt = 0
        for child in header.children { types |= Unmanaged.passUnretained(child).toOpaque().load(as: UInt.self) }
        precondition(types != 0 || header.children.isEmpty, "a child that is no object")
    }

    /// A node with the entries of this one, which is left empty.
    @inlinable
    func moved(capacity: Int) -> TreeNode {
        let node = TreeNode.make(capacity: capacity)
        node.entries.moveInitialize(from: entries, count: header.count)
        node.takeMaps(header)
        header.entryCount = 0
        header.children = []
        return node
    }

    @inlinable
    func takeMaps(_ other: TreeNodeHeader<Entity>) {
        header.entryMap = other.entryMap
        header.childMap = other.childMap
        header.entryCount = other.entryCount
        header.children = other.children
    }
}
