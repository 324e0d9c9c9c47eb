public import Platform

/// Bytes that something else owns, not copied: the text of a value, a line in a buffer.
///
/// Every access is checked but those that are named `unchecked`. A view is valid while its owner keeps the bytes: one that a closure is
/// given during the call, one of a reader's line until the next line.
@frozen @safe
public struct ByteView {
    /// From here `count` bytes can be read: the call that makes a view answers for that.
    @usableFromInline let base: UnsafeRawPointer
    /// How many bytes there are.
    public let count: Int

    /// Bytes at an address, which are there as long as the view is used.
    @unsafe @inlinable @inline(__always)
    package init(base: UnsafeRawPointer, count: Int) {
        unsafe self.base = base
        self.count = count
    }

    /// Bytes of a buffer, which is there as long as the view is used.
    @unsafe @inlinable @inline(__always)
    public init(_ buffer: UnsafeRawBufferPointer) {
        // Of nothing no byte is read, so any address does.
        unsafe base = buffer.baseAddress ?? UnsafeRawPointer(bitPattern: 1).unsafelyUnwrapped
        count = buffer.count
    }

    /// The bytes of a literal, which are always there.
    @inlinable @inline(__always)
    public init(_ literal: StaticString) {
        unsafe base = UnsafeRawPointer(literal.utf8Start)
        count = literal.utf8CodeUnitCount
    }

    /// The bytes as the standard library takes them.
    @unsafe @inlinable @inline(__always)
    var buffer: UnsafeRawBufferPointer { unsafe UnsafeRawBufferPointer(start: base, count: count) }

    /// Writes bytes on the stack, then calls a closure with them, valid during the call.
    ///
    /// - Parameters:
    ///   - count: how many there may be.
    ///   - write: writes some of them, which are zero before, and returns which.
    @inlinable @inline(__always)
    public static func withTemporaryBytes<Result>(
        _ count: Int, _ write: (inout MutableSpan<UInt8>) -> Range<Int>, _ body: (ByteView) -> Result
    ) -> Result {
        unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: count) { buffer in
            unsafe buffer.initialize(repeating: 0)
            var span = unsafe buffer.mutableSpan
            let written = write(&span)
            return unsafe body(ByteView(UnsafeRawBufferPointer(buffer)).extracting(written))
        }
    }

    /// The bytes as elements, for what is generic over these.
    @inlinable @inline(__always)
    public var elements: BorrowedElements<UInt8> {
        unsafe BorrowedElements(base.assumingMemoryBound(to: UInt8.self), count: count)
    }

    // MARK: Parts

    /// The bytes of a range.
    @inlinable @inline(__always)
    public func extracting(_ range: some RangeExpression<Int>) -> ByteView {
        let range = range.relative(to: 0..<count)
        precondition(range.lowerBound >= 0 && range.upperBound <= count, "a range of bytes reaches beyond them")
        return unsafe ByteView(base: base + range.lowerBound, count: range.count)
    }

    /// So many bytes from an index on, which lie within them.
    @unsafe @inlinable @inline(__always)
    public func extracting(unchecked start: Int, count newCount: Int) -> ByteView {
        assert(start >= 0 && newCount >= 0 && start + newCount <= count)
        return unsafe ByteView(base: base + start, count: newCount)
    }

    /// A byte whose index lies within them.
    @unsafe @inlinable @inline(__always)
    public subscript(unchecked index: Int) -> UInt8 {
        assert(index >= 0 && index < count)
        return unsafe base.load(fromByteOffset: index, as: UInt8.self)
    }

    /// The number that the bytes from an index on are, the first one lowest; at least as many as it has lie there.
    @unsafe @inlinable @inline(__always)
    public func load<Number: FixedWidthInteger & BitwiseCopyable>(unchecked index: Int, as type: Number.Type) -> Number
    {
        assert(index >= 0 && index + MemoryLayout<Number>.size <= count)
        return unsafe Number(littleEndian: base.loadUnaligned(fromByteOffset: index, as: type))
    }

    /// The number that the bytes from an index on are, the first one lowest.
    @inlinable @inline(__always)
    public func load<Number: FixedWidthInteger & BitwiseCopyable>(at index: Int, as type: Number.Type) -> Number {
        precondition(index >= 0 && index <= count &- MemoryLayout<Number>.size, "a number reaches beyond the bytes")
        return unsafe load(unchecked: index, as: type)
    }

    /// The sixteen bytes from an index on; as many lie there.
    @unsafe @inlinable @inline(__always)
    public func vector(unchecked index: Int) -> SIMD16<UInt8> {
        assert(index >= 0 && index + 16 <= count)
        return unsafe base.loadUnaligned(fromByteOffset: index, as: SIMD16<UInt8>.self)
    }

    /// Where the bytes begin in others of which they are a part.
    @inlinable @inline(__always)
    public func index(in whole: ByteView) -> Int { unsafe base - whole.base }

    // MARK: Search and comparison

    /// The first index from one on that has a byte.
    @inlinable @inline(__always)
    public func firstIndex(of byte: UInt8, from start: Int) -> Int? {
        precondition(start >= 0 && start <= count, "a search begins beyond the bytes")
        return unsafe RawMemory.firstOffset(of: byte, in: base + start, count: count &- start).map { $0 &+ start }
    }

    /// The first index that has a byte.
    @inlinable @inline(__always)
    public func firstIndex(of byte: UInt8) -> Int? {
        unsafe RawMemory.firstOffset(of: byte, in: base, count: count)
    }

    /// The last index that has a byte.
    @inlinable @inline(__always)
    public func lastIndex(of byte: UInt8) -> Int? { unsafe RawMemory.lastOffset(of: byte, in: base, count: count) }

    /// Whether both have the same bytes.
    @inlinable @inline(__always)
    public func hasSameBytes(as other: ByteView) -> Bool {
        unsafe count == other.count && RawMemory.same(base, other.base, count: count)
    }

    /// Feeds the bytes to a hasher.
    @inlinable @inline(__always)
    public func hash(into hasher: inout Hasher) {
        unsafe hasher.combine(bytes: buffer)
    }

    /// Negative, zero or positive as the bytes come before, equal or after others, of which a beginning comes first.
    @inlinable @inline(__always)
    public func order(beside other: ByteView) -> Int {
        let order = unsafe RawMemory.compare(base, other.base, count: Swift.min(count, other.count))
        return order != 0 ? order : count &- other.count
    }
}

extension ByteView: RandomAccessCollection {
    /// Where the first byte is: always 0.
    @inlinable @inline(__always)
    public var startIndex: Int { 0 }

    /// How many bytes there are.
    @inlinable @inline(__always)
    public var endIndex: Int { count }

    /// A byte.
    @inlinable @inline(__always)
    public subscript(index: Int) -> UInt8 {
        precondition(UInt(bitPattern: index) < UInt(bitPattern: count), "no byte is at that index")
        return unsafe base.load(fromByteOffset: index, as: UInt8.self)
    }

    /// Walks over the bytes.
    @frozen
    public struct Iterator: IteratorProtocol {
        @usableFromInline let bytes: ByteView
        @usableFromInline var place = 0

        @inlinable @inline(__always)
        init(_ bytes: ByteView) { self.bytes = bytes }

        /// The next byte.
        @inlinable @inline(__always)
        public mutating func next() -> UInt8? {
            guard place < bytes.count else { return nil }
            defer { place &+= 1 }
            return unsafe bytes[unchecked: place]
        }
    }

    /// Walks over the bytes.
    @inlinable @inline(__always)
    public func makeIterator() -> Iterator { Iterator(self) }

    /// Calls a closure with the bytes as a buffer, as the standard library does to copy them at once.
    @inlinable @inline(__always)
    public func withContiguousStorageIfAvailable<Result>(
        _ body: (UnsafeBufferPointer<UInt8>) throws -> Result
    ) rethrows -> Result? {
        unsafe try body(UnsafeBufferPointer(start: base.assumingMemoryBound(to: UInt8.self), count: count))
    }
}

extension [UInt8] {
    /// Calls a closure with the bytes, valid during the call.
    @inlinable @inline(__always)
    public func withBytes<Result, Failure: Error>(
        _ body: (ByteView) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        unsafe try withUnsafeBufferPointer { (buffer) throws(Failure) in
            unsafe try body(ByteView(UnsafeRawBufferPointer(buffer)))
        }
    }

    /// The bytes of a view.
    @inlinable @inline(__always)
    public init(_ bytes: ByteView) { self = unsafe Array(bytes.buffer) }

    /// Appends the bytes of a view, all at once.
    @inlinable @inline(__always)
    public mutating func append(contentsOf bytes: ByteView) {
        unsafe append(contentsOf: bytes.buffer)
    }
}

extension String {
    /// Calls a closure with the bytes of UTF-8, valid during the call.
    @inlinable @inline(__always)
    public func withBytes<Result, Failure: Error>(
        _ body: (ByteView) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let result = unsafe utf8.withContiguousStorageIfAvailable { buffer in
            Swift.Result { () throws(Failure) in unsafe try body(ByteView(UnsafeRawBufferPointer(buffer))) }
        }
        if let result { return try result.get() }
        // A text that another language holds is copied.
        return try Array(utf8).withBytes(body)
    }
}

extension FileDescriptor {
    /// Writes every byte to a descriptor that is owned elsewhere.
    package static func write(_ bytes: ByteView, to number: Int32) throws(SystemFailure) {
        unsafe try write(bytes.buffer, to: number)
    }
}
