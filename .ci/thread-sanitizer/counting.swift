// Four threads and a count: with a contended Mutex around it, which is right, and without, which is a race.
import Synchronization

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

enum Tally {
    static let locked = Mutex<[Int]>([0])
    nonisolated(unsafe) static var bare = [0]
    static let isLocked = CommandLine.arguments.last == "locked"

    static func count() {
        for number in 0..<20_000 {
            if isLocked { locked.withLock { $0[0] += number } } else { bare[0] &+= number }
        }
    }
}

@main
enum Counting {
    static func main() {
        var threads = (0..<4).map { _ in start() }
        while let thread = threads.popLast() { pthread_join(thread, nil) }
    }

    nonisolated static func start() -> pthread_t {
        #if canImport(Glibc)
        var thread = pthread_t()
        pthread_create(&thread, nil, { _ in Tally.count(); return nil }, nil)
        return thread
        #else
        var thread: pthread_t?
        pthread_create(&thread, nil, { _ in Tally.count(); return nil }, nil)
        return thread!
        #endif
    }
}
