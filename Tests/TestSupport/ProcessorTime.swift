import Foundation

/// What the current thread spends of a processor: unlike the clock on the wall, it does not run while others have the processor.
public enum ProcessorTime {
    /// The seconds that some work takes on this thread.
    public static func seconds<Failure: Error>(_ work: () throws(Failure) -> Void) throws(Failure) -> Double {
        let start = now
        try work()
        return now - start
    }

    private static var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
