#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// The calls by which a file that grows is changed.
///
/// Tests put failing ones in their place: a full disk, a closed descriptor, a write that takes in only a part. Each returns a
/// negative number and leaves the reason in `errno` where it fails, as the calls themselves do.
package struct SystemCalls: Sendable {
    package var write: @Sendable (Int32, UnsafeRawPointer, Int) -> Int
    package var truncate: @Sendable (Int32, Int) -> Int
    package var sync: @Sendable (Int32) -> Int

    package init(
        write: @escaping @Sendable (Int32, UnsafeRawPointer, Int) -> Int = SystemCalls.plainWrite,
        truncate: @escaping @Sendable (Int32, Int) -> Int = SystemCalls.plainTruncate,
        sync: @escaping @Sendable (Int32) -> Int = SystemCalls.plainSync
    ) {
        self.write = write
        self.truncate = truncate
        self.sync = sync
    }

    /// The system's write(2).
    @Sendable package static func plainWrite(_ file: Int32, _ bytes: UnsafeRawPointer, _ count: Int) -> Int {
        systemWrite(file, bytes, count)
    }

    /// The system's ftruncate(2).
    @Sendable package static func plainTruncate(_ file: Int32, _ size: Int) -> Int {
        Int(ftruncate(file, off_t(size)))
    }

    /// The system's fsync(2); on Apple platforms the drive's own cache is flushed too.
    @Sendable package static func plainSync(_ file: Int32) -> Int {
        #if canImport(Darwin)
        Int(fcntl(file, F_FULLFSYNC))
        #else
        Int(fdatasync(file))
        #endif
    }
}

private func systemWrite(_ file: Int32, _ bytes: UnsafeRawPointer, _ count: Int) -> Int { write(file, bytes, count) }
