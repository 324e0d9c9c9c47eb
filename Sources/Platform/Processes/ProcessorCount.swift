#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// How many processors the system has at work.
package enum ProcessorCount {
    /// One at least.
    package static let available = max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
}
