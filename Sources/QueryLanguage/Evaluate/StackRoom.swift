internal import Platform

/// Where the present thread's stack ends, so that recursion can be refused before it gets there.
enum StackRoom {
    /// The lowest address of this thread's stack, asked of the system once per thread.
    static var lowestAddress: UInt {
        guard let known else { return ask() }
        if let low = known.pointer { return UInt(bitPattern: low) }
        let low = ask()
        known.set(UnsafeRawPointer(bitPattern: low))
        return low
    }

    /// What recursion over a value or a program's text leaves free.
    private static let smallReserve: UInt = 96 * 1024

    /// Whether a recursion may go one level deeper.
    static var hasRoom: Bool { Machine.stackPointer() > lowestAddress + smallReserve }

    /// Each thread's lowest address, once it was asked.
    private static let known = ThreadLocal()

    /// Where the system does not tell: a quarter of a megabyte is on every thread's stack.
    private static func ask() -> UInt { ThreadStack.lowestAddress() ?? Machine.stackPointer() - 256 * 1024 }
}
