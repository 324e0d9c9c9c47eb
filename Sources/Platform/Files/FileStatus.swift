#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

package struct FileStatus: Sendable, Equatable {
    package enum Kind: Sendable, Equatable {
        case regular
        case directory
        /// A pipe, a device, a socket or, where links are not followed, a symbolic link.
        case other
    }

    /// What distinguishes a file from every other one that is there, whatever names lead to it.
    package struct Identity: Sendable, Hashable {
        private let device: UInt64
        private let number: UInt64

        fileprivate init(_ status: stat) {
            device = UInt64(truncatingIfNeeded: status.st_dev)
            number = UInt64(truncatingIfNeeded: status.st_ino)
        }
    }

    package let kind: Kind
    package let byteCount: Int
    package let permissions: UInt16
    package let identity: Identity
    /// When it was last written, in microseconds since 1970.
    package var modificationTime: Int { seconds * 1_000_000 + nanoseconds / 1000 }
    private let seconds: Int
    private let nanoseconds: Int

    /// The status of what a path leads to.
    package init(_ path: String) throws(SystemFailure) {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { throw SystemFailure("stat") }
        self.init(status)
    }

    /// The status of a path itself, also where it is a symbolic link.
    package init(notFollowing path: String) throws(SystemFailure) {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { throw SystemFailure("lstat") }
        self.init(status)
    }

    package init(descriptor: Int32) throws(SystemFailure) {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw SystemFailure("fstat") }
        self.init(status)
    }

    private init(_ status: stat) {
        switch status.st_mode & S_IFMT {
        case S_IFREG: kind = .regular
        case S_IFDIR: kind = .directory
        default: kind = .other
        }
        byteCount = Int(status.st_size)
        permissions = UInt16(truncatingIfNeeded: status.st_mode & 0o777)
        identity = Identity(status)
        #if canImport(Darwin)
        let written = status.st_mtimespec
        #else
        let written = status.st_mtim
        #endif
        (seconds, nanoseconds) = (Int(written.tv_sec), Int(written.tv_nsec))
    }
}
