#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// The error numbers of the system that the program distinguishes, by the names of `swift-system`.
package enum Errno {
    package static var noSuchFileOrDirectory: Int32 { ENOENT }
    package static var notDirectory: Int32 { ENOTDIR }
    package static var isDirectory: Int32 { EISDIR }
    package static var fileExists: Int32 { EEXIST }
    package static var permissionDenied: Int32 { EACCES }
    package static var notPermitted: Int32 { EPERM }
    package static var readOnlyFileSystem: Int32 { EROFS }
    package static var noSpace: Int32 { ENOSPC }
    package static var diskQuotaExceeded: Int32 { EDQUOT }
    package static var fileTooLarge: Int32 { EFBIG }
    package static var badFileDescriptor: Int32 { EBADF }
    package static var brokenPipe: Int32 { EPIPE }
}
