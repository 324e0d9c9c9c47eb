#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The calls by which a journal's file is changed.
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
        #if canImport(Glibc)
        Glibc.write(file, bytes, count)
        #elseif canImport(Musl)
        Musl.write(file, bytes, count)
        #else
        Darwin.write(file, bytes, count)
        #endif
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

/// A system call that failed.
struct SystemFailure: Error, Sendable, Equatable {
    /// The call's name.
    var operation: String
    /// What it left in `errno`.
    var code: Int32

    init(_ operation: String, code: Int32 = errno) {
        self.operation = operation
        self.code = code
    }

    /// The system's own words for an error number.
    static func text(of code: Int32) -> String {
        guard let words = strerror(code) else { return "error \(code)" }
        var text = String(cString: words)
        // The system begins with a capital letter; these words follow others.
        if let first = text.first, first.isUppercase, !text.dropFirst().prefix(1).allSatisfy(\.isUppercase) {
            text = first.lowercased() + text.dropFirst()
        }
        return text
    }
}
