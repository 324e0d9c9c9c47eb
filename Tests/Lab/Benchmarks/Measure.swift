import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Durations of one thing, measured many times.
struct Samples {
    private var nanoseconds: [Double] = []

    /// Measures a closure.
    ///
    /// - Parameter batch: how many times it does the thing; the clock costs as much as the shortest of them.
    mutating func measure(batch: Int = 1, _ body: () throws -> Void) rethrows {
        let duration = try ContinuousClock().measure(body)
        let (seconds, attoseconds) = duration.components
        nanoseconds.append((Double(seconds) * 1e9 + Double(attoseconds) / 1e9) / Double(batch))
    }

    /// Adds what was measured elsewhere.
    mutating func append(_ other: Samples) { nanoseconds += other.nanoseconds }

    /// The duration below which a share of them lie, in nanoseconds; 0 of none.
    func percentile(_ share: Double) -> Double {
        let sorted = nanoseconds.sorted()
        guard !sorted.isEmpty else { return 0 }
        return sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))]
    }

    /// The median, in nanoseconds.
    var median: Double { percentile(0.5) }
    var count: Int { nanoseconds.count }
}

/// What the system says of this process.
enum ProcessUsage {
    /// The most memory that it ever held, in bytes.
    static var peakMemory: Int { peakMemory(in: usage) }

    /// The most memory that a process held, by what the system says of it.
    static func peakMemory(in usage: rusage) -> Int {
        let value = Int(usage.ru_maxrss)
        #if canImport(Darwin)
        return value
        #else
        return value << 10
        #endif
    }

    /// The memory that it holds now, in bytes; 0 where that cannot be told.
    static var residentMemory: Int {
        #if os(Linux)
        // The second number of this file is the resident pages.
        guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return 0 }
        let fields = text.split(separator: " ")
        return fields.count > 1 ? (Int(fields[1]) ?? 0) * Int(getpagesize()) : 0
        #else
        return 0
        #endif
    }

    /// How long it has kept processors busy, in seconds.
    static var processorTime: Double { processorTime(in: usage) }

    /// How long a process kept processors busy, in seconds, by what the system says of it.
    static func processorTime(in usage: rusage) -> Double {
        func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
        return seconds(usage.ru_utime) + seconds(usage.ru_stime)
    }

    private static var usage: rusage {
        var usage = rusage()
        #if canImport(Glibc)
        _ = getrusage(Int32(RUSAGE_SELF.rawValue), &usage)
        #else
        _ = getrusage(RUSAGE_SELF, &usage)
        #endif
        return usage
    }
}

/// Figures as they are printed.
enum Figure {
    /// With as many decimals as make three digits or so.
    static func text(_ value: Double) -> String {
        let decimals = value >= 100 ? 0 : value >= 10 ? 1 : value >= 1 ? 2 : 3
        var scale = 1.0
        for _ in 0..<decimals { scale *= 10 }
        guard value.isFinite, value < 1e15 else { return "\(value)" }
        let scaled = Int((value * scale).rounded())
        let whole = scaled / Int(scale)
        if decimals == 0 { return "\(whole)" }
        let fraction = String(scaled % Int(scale))
        return "\(whole)." + String(repeating: "0", count: decimals - fraction.utf8.count) + fraction
    }

    /// A text in a column.
    static func column(_ text: String, _ width: Int, right: Bool = true) -> String {
        let space = String(repeating: " ", count: max(0, width - text.utf8.count))
        return right ? space + text : text + space
    }

    static func microseconds(_ nanoseconds: Double) -> String { text(nanoseconds / 1e3) + " µs" }
    static func milliseconds(_ nanoseconds: Double) -> String { text(nanoseconds / 1e6) + " ms" }
    static func megabytes(_ bytes: Int) -> String { text(Double(bytes) / 1e6) + " MB" }
    /// Megabytes in a second.
    static func rate(_ bytes: Int, _ nanoseconds: Double) -> String {
        text(Double(bytes) * 1e3 / max(nanoseconds, 1)) + " MB/s"
    }
}

/// Ends the program; a function of its own, because `exit` is a different import on each system.
func exitProgram(_ status: Int32) -> Never { exit(status) }
