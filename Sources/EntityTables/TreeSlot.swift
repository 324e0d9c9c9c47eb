/// The hash of an identity, of which each level of a tree reads four bits.
///
/// Swift's hashes differ from process to process, so the place of an entity in a tree means nothing and reaches no
/// output.
@usableFromInline
struct TreeHash {
    @usableFromInline let bits: UInt

    @inlinable
    @inline(__always)
    init(of id: some Hashable) {
        // What `hashValue` and the standard library's tables call; a type may have a faster implementation of it.
        bits = UInt(bitPattern: id._rawHashValue(seed: 0))
    }
}

/// How far down a tree a node is, counted in the bits of the hash that its ancestors have read.
@usableFromInline
struct TreeLevel {
    /// Bits that a level reads.
    ///
    /// Copying a node counts up the references to all of its children, most of which are in no cache. With 16 slots an edit
    /// touches half of what it does with 32, at the price of one more step in four on the way down.
    @inlinable static var width: UInt { 4 }
    @inlinable static var slots: UInt { 1 << width }

    @usableFromInline let shift: UInt

    @inlinable
    init(shift: UInt) { self.shift = shift }

    @inlinable static var root: TreeLevel { TreeLevel(shift: 0) }
    @inlinable var next: TreeLevel { TreeLevel(shift: shift + Self.width) }

    /// Whether the hash is used up: all entries of a node down here have the same one.
    @inlinable var isBelowHash: Bool { shift >= UInt(UInt.bitWidth) }
}

/// One of the 16 slots of a node, as a bit.
@usableFromInline
struct TreeSlot: Equatable {
    @usableFromInline let bit: UInt16

    @inlinable
    @inline(__always)
    init(_ hash: TreeHash, _ level: TreeLevel) {
        bit = 1 &<< UInt16(truncatingIfNeeded: (hash.bits &>> level.shift) & (TreeLevel.slots - 1))
    }

    init(bit: UInt16) { self.bit = bit }
}

/// Which slots of a node are taken; what they hold lies packed, in their order.
///
/// Phil Bagwell, "Ideal Hash Trees", 2001.
@usableFromInline
struct TreeSlotMap: Equatable {
    @usableFromInline var bits: UInt16 = 0

    @inlinable
    init() {}

    @inlinable var count: Int { bits.nonzeroBitCount }

    @inlinable
    @inline(__always)
    func contains(_ slot: TreeSlot) -> Bool { bits & slot.bit != 0 }

    /// How many taken slots are before one.
    @inlinable
    @inline(__always)
    func rank(_ slot: TreeSlot) -> Int { (bits & (slot.bit &- 1)).nonzeroBitCount }

    @inlinable
    mutating func insert(_ slot: TreeSlot) { bits |= slot.bit }

    @inlinable
    mutating func remove(_ slot: TreeSlot) { bits &= ~slot.bit }
}
