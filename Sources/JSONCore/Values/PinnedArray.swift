/// Elements in memory of their own, which has one owner: they stay in their places until it grows, and are moved out of it without
/// counting a reference.
///
/// An `Array` counts a reference of each element that is taken off it and of itself where it is read, and its elements have no place
/// that may be kept.
@frozen @safe
public struct PinnedArray<Element>: ~Copyable {
    /// Room for `capacity` elements, of which the first `used` are there.
    @usableFromInline var base: UnsafeMutablePointer<Element>
    @usableFromInline var capacity: Int
    @usableFromInline var used: Int

    /// How many elements there are.
    @inlinable @inline(__always)
    public var count: Int { used }

    /// No elements yet.
    @inlinable
    public init(capacity: Int = 32) {
        self.capacity = max(1, capacity)
        unsafe base = .allocate(capacity: self.capacity)
        used = 0
    }

    /// So many elements that are the same.
    @inlinable
    public init(repeating element: Element, count: Int) {
        self.init(capacity: count)
        unsafe base.initialize(repeating: element, count: count)
        used = count
    }

    /// The elements of an array.
    @inlinable
    public init(_ elements: [Element]) {
        self.init(capacity: elements.count)
        for element in elements { append(element) }
    }

    @inlinable
    deinit {
        // As many as are there.
        unsafe base.deinitialize(count: count)
        unsafe base.deallocate()
    }

    /// Adds an element at the end.
    @inlinable @inline(__always)
    public mutating func append(_ element: consuming Element) {
        if count == capacity { grow() }
        unsafe (base + count).initialize(to: element)
        used &+= 1
    }

    @usableFromInline @inline(never)
    mutating func grow() {
        // At most `capacity` elements are there.
        let larger = UnsafeMutablePointer<Element>.allocate(capacity: 2 * capacity)
        unsafe larger.moveInitialize(from: base, count: count)
        unsafe base.deallocate()
        unsafe base = larger
        capacity *= 2
    }

    /// Takes the last element off, or nil where there is none.
    @inlinable @inline(__always)
    public mutating func popLast() -> Element? {
        guard count > 0 else { return nil }
        used &-= 1
        return unsafe (base + count).move()
    }

    /// Removes all elements and keeps their room.
    @inlinable @inline(__always)
    public mutating func removeAll() {
        unsafe base.deinitialize(count: count)
        used = 0
    }

    /// Puts an element into every place.
    @inlinable @inline(__always)
    public mutating func fill(with element: Element) { unsafe base.update(repeating: element, count: count) }

    /// An element.
    @inlinable
    public subscript(index: Int) -> Element {
        @inline(__always) unsafeAddress {
            precondition(UInt(bitPattern: index) < UInt(bitPattern: count), "no element is at that index")
            return unsafe UnsafePointer(base + index)
        }
        @inline(__always) unsafeMutableAddress {
            precondition(UInt(bitPattern: index) < UInt(bitPattern: count), "no element is at that index")
            return unsafe base + index
        }
    }

    /// An element whose index is one of them.
    @unsafe @inlinable
    public subscript(unchecked index: Int) -> Element {
        @inline(__always) unsafeAddress {
            assert(index >= 0 && index < count)
            return unsafe UnsafePointer(base + index)
        }
        @inline(__always) unsafeMutableAddress {
            assert(index >= 0 && index < count)
            return unsafe base + index
        }
    }

    /// The elements, valid until the array is edited.
    @inlinable @inline(__always)
    public var elements: BorrowedElements<Element> { unsafe BorrowedElements(base, count: count) }
}

extension PinnedArray<UInt8> {
    /// The bytes of a range, valid until they are written over.
    @inlinable @inline(__always)
    public func bytes(_ range: Range<Int>) -> ByteView {
        precondition(range.lowerBound >= 0 && range.upperBound <= count, "a range of bytes reaches beyond them")
        return unsafe ByteView(base: base + range.lowerBound, count: range.count)
    }

    /// The bytes between two indexes that are in order and within them, valid until they are written over.
    @unsafe @inlinable @inline(__always)
    public func bytes(unchecked start: Int, to end: Int) -> ByteView {
        assert(start >= 0 && start <= end && end <= count)
        return unsafe ByteView(base: base + start, count: end &- start)
    }

    /// Copies bytes to a place.
    public mutating func copy(_ bytes: ByteView, to place: Int) {
        precondition(place >= 0 && place <= count - bytes.count, "bytes are copied beyond their array")
        unsafe UnsafeMutableRawPointer(base + place).copyMemory(from: bytes.base, byteCount: bytes.count)
    }

    /// Lets a call write the bytes of a range.
    @inlinable @inline(__always)
    public mutating func write<Result, Failure: Error>(
        _ range: Range<Int>, _ body: (inout MutableSpan<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        precondition(range.lowerBound >= 0 && range.upperBound <= count, "a range of bytes reaches beyond them")
        var room = unsafe MutableSpan(_unsafeStart: base + range.lowerBound, count: range.count)
        return try body(&room)
    }

    /// Moves the bytes of a range to a place, which they may overlap, in memory of another size where one is given.
    public mutating func move(_ range: Range<Int>, to place: Int, count newCount: Int? = nil) {
        var target = newCount.map { PinnedArray(repeating: 0, count: $0) } ?? PinnedArray(capacity: 1)
        let room = newCount == nil ? count : target.count
        precondition(range.upperBound <= count && place + range.count <= room, "bytes are moved beyond their array")
        let destination = unsafe newCount == nil ? base : target.base
        unsafe (destination + place).update(from: base + range.lowerBound, count: range.count)
        if newCount != nil { swap(&self, &target) }
    }
}

// Unchecked: the memory has one owner, as an array's has.
extension PinnedArray: @unchecked Sendable where Element: Sendable {}
