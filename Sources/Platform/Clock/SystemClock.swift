#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// The system's wall clock, and time that passes.
package enum SystemClock {
    /// Microseconds since 1970, cut to whole ones.
    package static func microseconds() -> Int {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Int(time.tv_sec) * 1_000_000 + Int(time.tv_nsec) / 1000
    }

    /// Lets time pass, at most a day.
    package static func sleep(microseconds: Double) {
        let whole = Int(min(max(0, microseconds), 86_400e6))
        var rest = timespec(tv_sec: whole / 1_000_000, tv_nsec: whole % 1_000_000 * 1000)
        var left = timespec()
        while unsafe nanosleep(&rest, &left) != 0, errno == EINTR { rest = left }
    }
}
