#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// The process that something belongs to: a child that was forked off is another one.
package enum ProcessIdentity {
    package static var current: Int { Int(getpid()) }
}

/// The descriptors 0, 1 and 2, which a program takes for granted.
package enum StandardDescriptors {
    /// Takes the numbers of those that the starting process left closed, so that no other file gets them.
    ///
    /// Each is opened the wrong way round: reading from 0 and writing to 1 or 2 fails as if it were closed, and is
    /// reported.
    package static func fill() {
        for number in Int32(0)...2 where fcntl(number, F_GETFD) < 0 && errno == EBADF {
            // The lowest free number is given out, which is this one: those below it are taken.
            _ = unsafe open("/dev/null", number == 0 ? O_WRONLY : O_RDONLY)
        }
    }
}
