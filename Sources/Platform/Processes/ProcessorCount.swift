#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// How many processors this process may keep busy.
package enum ProcessorCount {
    /// One at least: those that the system has at work, or as many of them as the process is bound to, or its container is
    /// given time of.
    package static let available = max(1, min(online, bound.map { max(1, $0) } ?? online, shared ?? online))

    private static var online: Int { Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

    /// How many processors the process is bound to, as by `taskset`; nil where that is not known.
    private static var bound: Int? {
        line(of: "/proc/self/status", beginning: "Cpus_allowed:").map { mask in
            mask.reduce(0) { $0 + ($1.hexDigitValue?.nonzeroBitCount ?? 0) }
        }
    }

    /// Of how many processors the container is given time; nil where there is no limit, or none is known.
    ///
    /// The file of Linux's control groups (version 2) has the time in a period, or `max`, and the period.
    private static var shared: Int? { line(of: "/sys/fs/cgroup/cpu.max", beginning: "").flatMap(share) }

    /// The rest of the first line of a file that begins with a text; nil where there is none, as on other systems than Linux.
    private static func line(of path: String, beginning prefix: String) -> Substring? {
        guard let file = unsafe fopen(path, "r") else { return nil }
        defer { unsafe fclose(file) }
        var buffer = [CChar](repeating: 0, count: 4096)
        while unsafe fgets(&buffer, Int32(buffer.count), file) != nil {
            let line = String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            if line.hasPrefix(prefix) { return line.dropFirst(prefix.count) }
        }
        return nil
    }

    /// How many processors the text of `cpu.max` gives, rounded up; nil for no limit.
    static func share(_ text: Substring) -> Int? {
        let parts = text.split(whereSeparator: \.isWhitespace).map { Int($0) }
        guard parts.count == 2, let time = parts[0], let period = parts[1], time > 0, period > 0 else { return nil }
        return (time - 1) / period + 1
    }
}
