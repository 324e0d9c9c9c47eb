#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// The process that something belongs to: a child that was forked off is another one.
package enum ProcessIdentity {
    /// The number of the process that asks.
    package static var current: Int { Int(getpid()) }
}
