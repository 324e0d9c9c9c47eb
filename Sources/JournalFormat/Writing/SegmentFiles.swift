#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The files of a flight recorder: the newest segment at the path that was asked for, the ones before it beside that under
/// numbers that rise, `run.1.jsonl`, `run.2.jsonl`.
///
/// A segment is renamed when the next one is begun, so whoever wants the newest always finds it at one place. Only files that
/// this object renamed itself, and that are still the same file, are deleted.
package struct SegmentFiles: Sendable {
    /// Where the newest segment is.
    package let path: String
    private var kept: [Segment] = []
    private var nextNumber = 1

    /// A segment before the newest.
    private struct Segment: Sendable {
        var path: String
        var identity: FileIdentity
    }

    /// Begins with the first segment, which is made at `path` by someone else.
    package init(path: String) { self.path = path }

    /// How many bytes the segments before the newest have together.
    package var byteCount: Int { kept.reduce(0) { $0 + $1.identity.byteCount } }

    /// Gives the newest segment, which is closed, a number, so that its name is free.
    ///
    /// A file of another size is somebody else's: it is renamed too, and never deleted.
    ///
    /// - Parameter byteCount: its size.
    package mutating func retire(byteCount: Int) throws(JournalWriteError) {
        guard FileIdentity(path) != nil else { return }  // somebody took it away, or the folder
        while true {
            let name = SegmentFiles.name(path, number: nextNumber)
            nextNumber += 1
            // A link is never made over another file, as a renamed one is.
            if link(path, name) == 0 {
                unlink(path)
            } else if errno == EEXIST {
                continue
            } else if FileIdentity(name) != nil {
                continue
            } else if rename(path, name) != 0 {
                throw JournalWriteError(path: path, SystemFailure("rename"), lastKept: .zero)
            }
            if let identity = FileIdentity(name), identity.byteCount == byteCount {
                kept.append(Segment(path: name, identity: identity))
            }
            return
        }
    }

    /// Deletes the oldest segments until all of them together, with what is to come, fit into a limit.
    ///
    /// - Parameter bytes: the newest segment, with what is to be written.
    /// - Returns: whether it fits now.
    package mutating func makeRoom(for bytes: Int, limit: Int) -> Bool {
        while !kept.isEmpty, byteCount + bytes > limit {
            let oldest = kept.removeFirst()
            if FileIdentity(oldest.path) == oldest.identity { unlink(oldest.path) }
        }
        return byteCount + bytes <= limit
    }

    /// The name of a numbered segment: the number stands before the last `.jsonl`.
    static func name(_ path: String, number: Int) -> String {
        let suffix = ".jsonl"
        guard path.utf8.count > suffix.utf8.count, path.hasSuffix(suffix) else { return "\(path).\(number)" }
        return "\(path.dropLast(suffix.count)).\(number)\(suffix)"
    }
}

/// What tells a file from another one that has taken its name, and perhaps its number too.
private struct FileIdentity: Sendable, Equatable {
    let byteCount: Int
    private let device: UInt64
    private let number: UInt64
    private let seconds: Int
    private let nanoseconds: Int

    init?(_ path: String) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        device = UInt64(truncatingIfNeeded: status.st_dev)
        number = UInt64(truncatingIfNeeded: status.st_ino)
        byteCount = Int(status.st_size)
        #if canImport(Darwin)
        let written = status.st_mtimespec
        #else
        let written = status.st_mtim
        #endif
        (seconds, nanoseconds) = (Int(written.tv_sec), Int(written.tv_nsec))
    }
}
