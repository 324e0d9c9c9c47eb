#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// The process that something belongs to: a child that was forked off is another one.
enum ProcessIdentity {
    static var current: Int { Int(getpid()) }
}
