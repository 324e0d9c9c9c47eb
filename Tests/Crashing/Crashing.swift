import Foundation
import JournalFormat
import StateStore
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A program that commits from two threads until a third one ends it, at a time that nobody chose.
///
/// `crashing PATH END DURABILITY LIMIT MICROSECONDS`: it notes the number of each commit that returned in memory that it shares
/// with the file `PATH.noted`, which outlives it.
@main
struct Crashing {
    /// How a process ends.
    enum End: String { case kill, trap, abort, exit }

    /// What is recorded: something that grows, so that segments fill and keyframes come.
    struct Shelf: Encodable, Equatable, Sendable {
        var count = 0
        var titles: [String] = []
    }

    private let path: String
    private let end: End
    private let durability: Recorder.Durability
    private let limit: Int?
    private let delay: UInt32

    static func main() throws {
        let words = CommandLine.arguments
        guard words.count == 6, let end = End(rawValue: words[2]), let delay = UInt32(words[5]) else {
            Foundation.exit(2)
        }
        var cores = rlimit()
        setrlimit(coreLimit, &cores)
        try Crashing(
            path: words[1], end: end,
            durability: words[3] == "synchronous" ? .synchronous : .background, limit: Int(words[4]),
            delay: delay
        ).run()
    }

    private func run() throws {
        let noted = try Noted(path + ".noted")
        // The program may be ended before there is a journal at all.
        Thread.detachNewThread {
            usleep(delay)
            finish()
        }
        let recorder = try Recorder(path, durability: durability, limit: limit)
        let store = Store(Shelf(), name: "shelf", recorder: recorder)
        let place = CommitLocation(file: #fileID, line: #line, column: 1, function: #function)
        for thread in 0..<2 {
            Thread.detachNewThread {
                while true {
                    let commit = store.commit(at: place) { shelf in
                        shelf.count += 1
                        shelf.titles.append("title \(shelf.count)")
                        if shelf.titles.count > 40 { shelf.titles.removeFirst(20) }
                    }
                    // At an exit the recorder is closed first; what comes then has no number.
                    if let number = commit.number { noted.note(number.rawValue, of: thread) }
                }
            }
        }
        while true { sleep(10) }
    }

    private func finish() {
        switch end {
        case .kill: raise(SIGKILL)
        case .trap: fatalError("ended")
        case .abort: abort()
        case .exit: Foundation.exit(0)
        }
    }
}

#if canImport(Glibc)
private let coreLimit = __rlimit_resource_t(RLIMIT_CORE.rawValue)
#else
private let coreLimit = RLIMIT_CORE
#endif

/// The last numbers that returned, a word for each thread.
private struct Noted: @unchecked Sendable {
    // Unchecked: each thread writes a word of its own, and the file is read when the process is gone.
    private let words: UnsafeMutablePointer<Int>

    struct Failure: Error {}

    init(_ path: String) throws {
        let file = open(path, O_RDWR | O_CREAT, 0o600)
        guard file >= 0, ftruncate(file, 16) == 0,
            let memory = mmap(nil, 16, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0), memory != MAP_FAILED
        else { throw Failure() }
        words = memory.assumingMemoryBound(to: Int.self)
    }

    func note(_ number: Int, of thread: Int) { words[thread] = number }
}
