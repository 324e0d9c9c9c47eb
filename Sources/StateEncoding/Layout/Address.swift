package import JSONCore
internal import Platform

/// Where a value is whose type is known elsewhere, or something that the runtime keeps.
///
/// It is valid while the value is held and not edited. Nothing is read through it but what a call names, which is unsafe unless it is
/// known from the layout of a type.
@safe
package struct Address {
    let pointer: UnsafeRawPointer

    /// The caller answers for what is there.
    @unsafe package init(_ pointer: UnsafeRawPointer) { unsafe self.pointer = pointer }

    init?(bitPattern number: UInt) {
        guard let pointer = unsafe UnsafeRawPointer(bitPattern: number) else { return nil }
        unsafe self.pointer = pointer
    }

    package init<Value>(_ place: Borrowed<Value>) { unsafe pointer = UnsafeRawPointer(place.pointer) }

    /// The value, which has to be of this type.
    @inline(__always)
    package func value<Value>(as type: Value.Type) -> Value { unsafe pointer.assumingMemoryBound(to: type).pointee }

    @inline(__always)
    func load<Value>(_ offset: Int = 0, as type: Value.Type = Value.self) -> Value {
        unsafe pointer.load(fromByteOffset: offset, as: type)
    }

    /// The word of eight bytes at an index, wherever it lies.
    @inline(__always)
    func word(_ index: Int) -> UInt64 { unsafe pointer.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self) }

    @inline(__always)
    func hasSameBytes(as other: Address, count: Int) -> Bool {
        unsafe RawMemory.same(pointer, other.pointer, count: count)
    }

    func isReadable(count: Int) -> Bool { unsafe MappedMemory.contains(pointer, count: count) }

    /// Whether a multiple of four.
    var isAligned: Bool { unsafe UInt(bitPattern: pointer) % 4 == 0 }

    @inline(__always)
    package static func + (place: Address, offset: Int) -> Address { unsafe Address(place.pointer + offset) }

    static func == (a: Address, b: Address) -> Bool { unsafe a.pointer == b.pointer }

    static func - (place: Address, other: Address) -> Int { unsafe place.pointer - other.pointer }
}

/// Calls a closure with the address of a value, valid during the call.
@inline(__always)
package func withAddress<Value, Result>(of value: borrowing Value, _ body: (Address) -> Result) -> Result {
    withBorrowed(value) { body(Address($0)) }
}

/// Calls a closure with the address of a variable, of which no copy is made, valid during the call.
@inline(__always)
func withAddress<Value, Result>(ofVariable value: inout Value, _ body: (Address) -> Result) -> Result {
    unsafe withUnsafePointer(to: &value) { unsafe body(Address($0)) }
}

/// A value of a type that generic code knows by another name.
@inline(__always)
package func identical<Value, Known>(_ value: Value, as type: Known.Type) -> Known {
    precondition(Value.self == type, "a value is of another type")
    return unsafe unsafeBitCast(value, to: type)
}
