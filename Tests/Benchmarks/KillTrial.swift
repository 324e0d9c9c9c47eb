import Foundation
import JSONCore
import JournalFormat
import StateStore

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

private func sendKill(to process: pid_t) { kill(process, SIGKILL) }

/// Kills programs in the middle of their commits, and looks whether each commit that had returned is in the journal.
///
/// The program notes the number of each commit that returned in memory that it shares with a file, which outlives it. Then
/// SIGKILL comes at a time that nobody chose.
struct KillTrial {
    let rounds: Int
    private let folder = FileManager.default.temporaryDirectory.appending(path: "kills-\(getpid())")

    func run() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var (returned, missing, unreadable, torn) = (0, 0, 0, 0)
        for round in 0..<rounds {
            let path = folder.appending(path: "\(round).jsonl").path
            try runAndKill(path, after: UInt32.random(in: 1_000...25_000))
            let noted = KillTrial.noted(path)
            returned += noted
            do {
                let journal = try Journal.open(path, access: .random)
                missing += max(0, noted - (try journal.lastCommit.rawValue))
                let text = try Data(contentsOf: URL(filePath: path))
                if text.last != UInt8(ascii: "\n") { torn += 1 }
            } catch {
                // Before its first line is there, no store was made and nothing was committed.
                unreadable += noted > 0 ? 1 : 0
            }
            try? FileManager.default.removeItem(atPath: path)
            try? FileManager.default.removeItem(atPath: path + ".noted")
        }
        print("\(rounds) kills, \(returned) commits that had returned: \(missing) missing, \(unreadable) journals that")
        print("cannot be read, \(torn) with a torn last line, which no commit had returned from")
    }

    /// Starts a program, lets it commit for a while, and kills it.
    private func runAndKill(_ path: String, after microseconds: UInt32) throws {
        let process = Process()
        process.executableURL = URL(filePath: CommandLine.arguments[0])
        process.arguments = ["killed", path]
        try process.run()
        while KillTrial.noted(path) == 0, process.isRunning { usleep(200) }
        usleep(microseconds)
        sendKill(to: process.processIdentifier)
        process.waitUntilExit()
    }

    /// How many commits a program noted.
    private static func noted(_ path: String) -> Int {
        guard let data = FileManager.default.contents(atPath: path + ".noted"), data.count >= 8 else { return 0 }
        return data.withUnsafeBytes { $0.loadUnaligned(as: Int.self) }
    }

    /// Commits, and notes what returned, until somebody kills this program.
    static func commitUntilKilled(_ path: String) throws {
        let file = open(path + ".noted", O_RDWR | O_CREAT, 0o600)
        guard file >= 0, ftruncate(file, 8) == 0,
            let memory = mmap(nil, 8, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0), memory != MAP_FAILED
        else { return }
        let recorder = try Recorder(path)
        let store = Store(DictionaryState(20), name: "store", recorder: recorder)
        nonisolated(unsafe) let place = memory.assumingMemoryBound(to: Int.self)
        while true {
            let commit = store.commit(at: SourceLocation(file: #fileID, line: #line, column: 1, function: #function)) {
                $0.count += 1
            }
            place.pointee = commit.number?.rawValue ?? 0
        }
    }
}
