internal import StateEncoding

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
/// The header, the entries and the references to the children lie in this order in one allocation: copying the nodes on the
/// way to an entry is most of what an edit costs.
@usableFromInline
final class TreeNode<Entity: Identifiable>: ManagedBuffer<TreeNodeHeader<Entity>, Entity> {
    @usableFromInline typealias ID = Entity.ID

    deinit {
        // As many as the header says are there.
        unsafe entries.deinitialize(count: header.count)
        unsafe firstChild.deinitialize(count: header.childMap.count)
    }
}

@usableFromInline
struct TreeNodeHeader<Entity: Identifiable> {
    /// The slots with an entry; none in a list of colliding entries.
    @usableFromInline var entryMap = TreeSlotMap()
    @usableFromInline var childMap = TreeSlotMap()
    /// How many entries there are, and for how many there is room.
    @usableFromInline var entryCount: UInt32 = 0
    @usableFromInline let entryCapacity: UInt32
    /// For how many children there is room; there are as many as their map says.
    @usableFromInline let childCapacity: UInt32

    @inlinable
    init(capacity: Int, childCapacity: Int) {
        entryCapacity = UInt32(truncatingIfNeeded: capacity)
        self.childCapacity = UInt32(truncatingIfNeeded: childCapacity)
    }

    @inlinable var count: Int { Int(entryCount) }
    @inlinable var capacity: Int { Int(entryCapacity) }
}

extension TreeNode {
    @inlinable
    static func make(capacity: Int, childCapacity: Int = 0) -> TreeNode {
        // In entries, because the room of a managed buffer is counted in them; one word more where they leave a gap.
        let bytes = childCapacity == 0 ? 0 : (childCapacity + 1) * MemoryLayout<UInt>.stride
        let stride = MemoryLayout<Entity>.stride
        let room = capacity + (bytes + stride - 1) / stride
        let node = create(minimumCapacity: room) { _ in
            TreeNodeHeader(capacity: capacity, childCapacity: childCapacity)
        }
        // `create` is asked of this class.
        return unsafe unsafeDowncast(node, to: TreeNode.self)
    }

    /// Where an entry is, valid while its node lives and nothing else is inserted or removed there.
    @frozen @usableFromInline @safe
    struct EntryPlace {
        /// An entry of a node, or the gap that one left: ``TreeNode/place(_:)`` makes these alone.
        @usableFromInline let pointer: UnsafeMutablePointer<Entity>

        @inlinable @inline(__always)
        init(_ pointer: UnsafeMutablePointer<Entity>) { unsafe self.pointer = pointer }

        @inlinable
        var entity: Entity {
            @inline(__always) unsafeAddress { unsafe UnsafePointer(pointer) }
            @inline(__always) nonmutating unsafeMutableAddress { unsafe pointer }
        }

        @unsafe @inlinable @inline(__always)
        func advanced(by count: Int) -> EntryPlace { unsafe EntryPlace(pointer + count) }

        /// Moves the entry out, so that its place is a gap.
        @inlinable @inline(__always)
        func move() -> Entity { unsafe pointer.move() }

        /// Fills a gap.
        @inlinable @inline(__always)
        func initialize(to entity: consuming Entity) { unsafe pointer.initialize(to: entity) }
    }

    /// Where the entry of an index is, which the header counts or for which it has room.
    @inlinable @inline(__always)
    func place(_ index: Int) -> EntryPlace { unsafe EntryPlace(entries + index) }

    /// Where the entries are, for as long as the node lives.
    @inlinable
    @inline(__always)
    var entries: UnsafeMutablePointer<Entity> { unsafe withUnsafeMutablePointerToElements { unsafe $0 } }

    /// The word that refers to a child: in code that is generic over the entity the reference itself would be counted up and down.
    func childWord(_ index: Int) -> UInt { unsafe UInt(bitPattern: uncountedChild(index).toOpaque()) }

    /// The child of an index, without counting references: counting each up and down slows a walk over all of them down by half.
    @inlinable @inline(__always)
    func uncountedChild(_ index: Int) -> Unmanaged<TreeNode> {
        unsafe UnsafeRawPointer(firstChild).assumingMemoryBound(to: Unmanaged<TreeNode>.self)[index]
    }

    /// A child whose index is one of those that the header counts.
    @inlinable
    subscript(child index: Int) -> TreeNode {
        @inline(__always) unsafeAddress { unsafe UnsafePointer(firstChild + index) }
        @inline(__always) unsafeMutableAddress { unsafe firstChild + index }
    }

    @inlinable
    @inline(__always)
    var firstChild: UnsafeMutablePointer<TreeNode> {
        unsafe UnsafeMutableRawPointer(entries + header.capacity).alignedUp(for: UInt.self)
            .assumingMemoryBound(to: TreeNode.self)
    }

    /// Whether it has a single entry and no child, and so has to move up into its parent.
    @inlinable var isSingle: Bool { header.entryCount == 1 && header.childMap.bits == 0 }

    /// Makes `node` belong to one version only, with room for some more entries.
    @inlinable
    static func makeUnique(_ node: inout TreeNode, room: Int = 0, childRoom: Int = 0) {
        let isUnique = isKnownUniquelyReferenced(&node)
        let (count, childCount) = (node.header.count + room, node.header.childMap.count + childRoom)
        if !isUnique {
            node.touchChildren()
            node = node.copied(capacity: count, childCapacity: childCount)
        } else if count > node.header.capacity || childCount > Int(node.header.childCapacity) {
            node = node.moved(
                capacity: grown(node.header.capacity, for: count, small: 6),
                childCapacity: grown(Int(node.header.childCapacity), for: childCount, small: 4))
        }
    }

    /// The capacity for some entries: more than needed where a large node grows, since a table is mostly filled in one
    /// go, and most nodes stay small.
    @inlinable
    static func grown(_ capacity: Int, for count: Int, small: Int) -> Int {
        if count <= capacity { return capacity }
        return count < small ? count : count * 2
    }

    @inlinable
    func copied(capacity: Int, childCapacity: Int) -> TreeNode {
        // The caller asks for room for all that is here.
        let copy = TreeNode.make(capacity: capacity, childCapacity: childCapacity)
        unsafe copy.entries.initialize(from: entries, count: header.count)
        unsafe copy.firstChild.initialize(from: firstChild, count: header.childMap.count)
        copy.takeMaps(header)
        return copy
    }

    /// Reads a word of each child, all of which are about to be retained.
    ///
    /// Most are in no cache. Plain reads wait for memory together, while the counting of references waits for each in turn.
    @inlinable
    func touchChildren() {
        var types: UInt = 0
        let count = header.childMap.count
        unsafe firstChild.withMemoryRebound(to: UnsafePointer<UInt>.self, capacity: count) { children in
            for place in 0..<count { unsafe types |= children[place].pointee }
        }
        precondition(types != 0 || count == 0, "a child is not an object")
    }

    /// A node with the entries and children of this one, which is left empty.
    @inlinable
    func moved(capacity: Int, childCapacity: Int) -> TreeNode {
        // As in a copy; what is moved out is not counted here any more.
        let node = TreeNode.make(capacity: capacity, childCapacity: childCapacity)
        unsafe node.entries.moveInitialize(from: entries, count: header.count)
        unsafe node.firstChild.moveInitialize(from: firstChild, count: header.childMap.count)
        node.takeMaps(header)
        header.entryCount = 0
        header.childMap = TreeSlotMap()
        return node
    }

    @inlinable
    func takeMaps(_ other: TreeNodeHeader<Entity>) {
        header.entryMap = other.entryMap
        header.childMap = other.childMap
        header.entryCount = other.entryCount
    }
}

extension TreeNode.EntryPlace {
    var address: Address { unsafe Address(pointer) }
}
