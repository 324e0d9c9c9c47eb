#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Processor time of this thread and of programs that are run: a machine in use lengthens wall time, hardly this.
enum ProcessorTime {
    /// What this thread has used, in seconds.
    static var ofThread: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// The time that a closure takes in this thread, the best of several rounds, each of at least `span` seconds.
    static func best(of rounds: Int, span: Double, _ body: () throws -> Void) rethrows -> Double {
        var repeats = 1
        var best = Double.infinity
        for _ in 0..<rounds {
            while true {
                let start = ofThread
                for _ in 0..<repeats { try body() }
                let used = ofThread - start
                best = min(best, used / Double(repeats))
                if used >= span || repeats >= 1 << 30 { break }
                repeats *= used < span / 8 ? 8 : 2
            }
        }
        return best
    }

    /// What a program uses from its start to its end, user and system, in seconds, its output thrown away; nil where it does
    /// not run or fails.
    static func ofProgram(_ words: [String]) -> Double? {
        #if canImport(Darwin)
        var actions: posix_spawn_file_actions_t?
        #else
        var actions = posix_spawn_file_actions_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        var arguments = words.map { strdup($0) }
        arguments.append(nil)
        defer { for argument in arguments { free(argument) } }
        var process: pid_t = 0
        guard posix_spawnp(&process, words[0], &actions, nil, arguments, environ) == 0 else { return nil }
        var status: Int32 = 0
        var usage = rusage()
        guard wait4(process, &status, 0, &usage) == process, status == 0 else { return nil }
        return seconds(usage.ru_utime) + seconds(usage.ru_stime)
    }

    private static func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
}
