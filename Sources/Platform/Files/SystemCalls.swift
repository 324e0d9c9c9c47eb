#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// The calls by which a file that grows, and its names, are changed.
///
/// Tests put failing ones in their place: a full disk, a closed descriptor, a write that takes in only a part. Each returns a
/// negative number and leaves the reason in `errno` where it fails, as the calls themselves do.
///
/// Each reads at most as many bytes as it is given.
@safe
package struct SystemCalls: Sendable {
    package var write: @Sendable (Int32, UnsafeRawPointer, Int) -> Int
    package var truncate: @Sendable (Int32, Int) -> Int
    package var sync: @Sendable (Int32) -> Int
    package var changeNames: @Sendable (NameChange) -> Int

    /// A change of the names of files, which is made at once or not at all.
    package enum NameChange: Sendable {
        /// Gives a file a second name, which must be free.
        case link(String, String)
        /// Gives a file another name in the place of its own, and of the file that has that name.
        case rename(String, String)
        /// Gives each of two files the name of the other one; not every file system can.
        case exchange(String, String)
        case remove(String)
    }

    package init(
        write: @escaping @Sendable (Int32, UnsafeRawPointer, Int) -> Int = unsafe SystemCalls.plainWrite,
        truncate: @escaping @Sendable (Int32, Int) -> Int = SystemCalls.plainTruncate,
        sync: @escaping @Sendable (Int32) -> Int = SystemCalls.plainSync,
        changeNames: @escaping @Sendable (NameChange) -> Int = SystemCalls.plainChangeNames
    ) {
        unsafe self.write = unsafe write
        self.truncate = truncate
        self.sync = sync
        self.changeNames = changeNames
    }

    @Sendable package static func plainWrite(_ file: Int32, _ bytes: UnsafeRawPointer, _ count: Int) -> Int {
        unsafe systemWrite(file, bytes, count)
    }

    @Sendable package static func plainTruncate(_ file: Int32, _ size: Int) -> Int {
        Int(ftruncate(file, off_t(size)))
    }

    /// The system's fsync(2); on Apple platforms the drive's own cache is flushed too.
    @Sendable package static func plainSync(_ file: Int32) -> Int {
        #if canImport(Darwin)
        let result = fcntl(file, F_FULLFSYNC)
        // Network file systems do not know it.
        return Int(result < 0 ? fsync(file) : result)
        #else
        return Int(fdatasync(file))
        #endif
    }

    /// The system's link(2), rename(2), renameat2(2) and unlink(2).
    @Sendable package static func plainChangeNames(_ change: NameChange) -> Int {
        switch change {
        case .link(let path, let name): unsafe Int(link(path, name))
        case .rename(let path, let name): unsafe Int(rename(path, name))
        case .exchange(let one, let other): Int(systemExchange(one, other))
        case .remove(let path): unsafe Int(unlink(path))
        }
    }
}

#if canImport(Darwin)
private func systemExchange(_ one: String, _ other: String) -> Int32 {
    unsafe renamex_np(one, other, UInt32(RENAME_SWAP))
}
#else
private func systemExchange(_ one: String, _ other: String) -> Int32 {
    guard let renameAt = unsafe renameAt else {
        errno = ENOSYS
        return -1
    }
    return unsafe renameAt(AT_FDCWD, one, AT_FDCWD, other, exchangeFlag)
}

private typealias RenameAt =
    @convention(c) (
        Int32, UnsafePointer<CChar>, Int32, UnsafePointer<CChar>, UInt32
    ) -> Int32

/// `RENAME_EXCHANGE` of renameat2(2), which the header shows to GNU sources only, as it does the function.
private let exchangeFlag: UInt32 = 2
private let renameAt = unsafe dlsym(nil, "renameat2").map { unsafe unsafeBitCast($0, to: RenameAt.self) }
#endif

private func systemWrite(_ file: Int32, _ bytes: UnsafeRawPointer, _ count: Int) -> Int {
    unsafe write(file, bytes, count)
}
