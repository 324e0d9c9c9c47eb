#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// Whether memory is there, for callers that have a number that may be an address.
package enum MappedMemory {
    /// Whether some bytes lie in pages of this process.
    ///
    /// - Complexity: one call of the system; for what is asked once.
    package static func contains(_ start: UnsafeRawPointer, count: Int) -> Bool {
        let page = UInt(sysconf(Int32(_SC_PAGESIZE)))
        let first = UInt(bitPattern: start) / page * page
        let (end, overflows) = UInt(bitPattern: start).addingReportingOverflow(UInt(max(count, 1)))
        guard !overflows, let place = unsafe UnsafeMutableRawPointer(bitPattern: first) else { return false }
        // Of pages that are not there it says ENOMEM; of others it starts to write back what belongs to a file, which changes nothing.
        return unsafe msync(place, Int(end - first), Int32(MS_ASYNC)) == 0
    }
}
