/// A value where its owner holds it: nothing is copied and no reference is counted.
///
/// It is valid while the owner keeps the value in its place: one that a closure is given during the call.
@frozen @safe
public struct Borrowed<Value: ~Copyable> {
    /// A value is here: the call that makes this answers for that.
    public let pointer: UnsafePointer<Value>

    /// The value at an address.
    @unsafe @inlinable @inline(__always)
    public init(_ pointer: UnsafePointer<Value>) { unsafe self.pointer = pointer }

    /// The value as one of a type that has the layout of its beginning.
    @unsafe @inlinable @inline(__always)
    public func assuming<Part: ~Copyable>(_ type: Part.Type) -> Borrowed<Part> {
        unsafe Borrowed<Part>(UnsafeRawPointer(pointer).assumingMemoryBound(to: Part.self))
    }

    /// The value.
    @inlinable
    public var value: Value {
        @inline(__always) unsafeAddress { unsafe pointer }
    }
}

/// Calls a closure with a value where it is, valid during the call.
@inlinable @inline(__always)
public func withBorrowed<Value: ~Copyable, Result, Failure: Error>(
    _ value: borrowing Value, _ body: (Borrowed<Value>) throws(Failure) -> Result
) throws(Failure) -> Result {
    unsafe try withUnsafePointer(to: value) { (pointer) throws(Failure) in unsafe try body(Borrowed(pointer)) }
}

extension Borrowed where Value: Copyable {
    /// A stored property where it is.
    ///
    /// It is unsafe because the property may be named as another type that has the layout of its beginning.
    @unsafe @inline(__always)
    func place<Whole, Part>(of property: KeyPath<Value, Whole>) -> Borrowed<Part> {
        // A key path is a literal here, and its offset a constant.
        let offset = unsafe MemoryLayout<Value>.offset(of: property).unsafelyUnwrapped
        return unsafe Borrowed<Part>((UnsafeRawPointer(pointer) + offset).assumingMemoryBound(to: Part.self))
    }
}

extension Array {
    /// Calls a closure with the elements where they are, valid during the call.
    @inlinable @inline(__always)
    public func withBorrowedElements<Result, Failure: Error>(
        _ body: (BorrowedElements<Element>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        unsafe try withUnsafeBufferPointer { (elements) throws(Failure) in
            // Of nothing no element is read, so any address does.
            let base = unsafe elements.baseAddress ?? UnsafePointer(bitPattern: 1).unsafelyUnwrapped
            return unsafe try body(BorrowedElements(base, count: elements.count))
        }
    }

    /// Passes the places of the elements to a closure until it returns false; no reference is counted.
    ///
    /// - Returns: false where the walk was ended.
    @inlinable @inline(__always)
    public func forEachPlace<Failure: Error>(
        _ body: (Borrowed<Element>) throws(Failure) -> Bool
    ) throws(Failure) -> Bool {
        try withBorrowedElements { (elements) throws(Failure) in
            for index in 0..<elements.count {
                guard try body(elements.place(of: index)) else { return false }
            }
            return true
        }
    }

    /// Where the elements are: the same of two arrays that share their storage.
    @inlinable @inline(__always)
    public var storageAddress: UInt { unsafe withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) } }
}

/// Elements where their owner holds them: nothing is copied and no reference is counted.
///
/// They are valid while the owner keeps them in their places.
@frozen @safe
public struct BorrowedElements<Element>: RandomAccessCollection {
    /// From here `count` elements are: the call that makes this answers for that.
    @usableFromInline let base: UnsafePointer<Element>
    /// How many elements there are.
    public let count: Int

    /// Elements at an address.
    @unsafe @inlinable @inline(__always)
    public init(_ base: UnsafePointer<Element>, count: Int) {
        unsafe self.base = base
        self.count = count
    }

    /// Where the first element is: always 0.
    @inlinable @inline(__always)
    public var startIndex: Int { 0 }

    /// How many elements there are.
    @inlinable @inline(__always)
    public var endIndex: Int { count }

    /// An element.
    @inlinable
    public subscript(index: Int) -> Element {
        @inline(__always) unsafeAddress {
            precondition(UInt(bitPattern: index) < UInt(bitPattern: count), "no element is at that index")
            return unsafe base + index
        }
    }

    /// An element whose index is one of them.
    @unsafe @inlinable
    public subscript(unchecked index: Int) -> Element {
        @inline(__always) unsafeAddress {
            assert(index >= 0 && index < count)
            return unsafe base + index
        }
    }

    /// Where an element is.
    @inlinable @inline(__always)
    public func place(of index: Int) -> Borrowed<Element> {
        precondition(UInt(bitPattern: index) < UInt(bitPattern: count), "no element is at that index")
        return unsafe Borrowed(base + index)
    }
}
