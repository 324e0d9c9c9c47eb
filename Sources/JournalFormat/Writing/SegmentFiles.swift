import Platform

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
        /// What tells it from a file that has taken its name since, and perhaps its number too.
        var status: FileStatus
    }

    /// Begins with the first segment, which is made at `path` by someone else.
    package init(path: String) { self.path = path }

    /// How many bytes the segments before the newest have together.
    package var byteCount: Int { kept.reduce(0) { $0 + $1.status.byteCount } }

    /// Gives the newest segment, which is closed, a number, so that its name is free.
    ///
    /// A file of another size is somebody else's: it is renamed too, and never deleted.
    ///
    /// - Parameter byteCount: its size.
    package mutating func retire(byteCount: Int) throws(JournalWriteError) {
        guard SegmentFiles.status(path) != nil else { return }  // somebody took it away, or the folder
        while true {
            let name = SegmentFiles.name(path, number: nextNumber)
            nextNumber += 1
            do throws(SystemFailure) {
                guard try FileSystem.moveToFreeName(path, name) else { continue }
            } catch {
                throw JournalWriteError(path: path, error, lastKept: .zero)
            }
            if let status = SegmentFiles.status(name), status.byteCount == byteCount {
                kept.append(Segment(path: name, status: status))
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
            if SegmentFiles.status(oldest.path) == oldest.status { FileSystem.remove(oldest.path) }
        }
        return byteCount + bytes <= limit
    }

    /// The name of a numbered segment: the number stands before the last `.jsonl`.
    static func name(_ path: String, number: Int) -> String {
        let suffix = ".jsonl"
        guard path.utf8.count > suffix.utf8.count, path.hasSuffix(suffix) else { return "\(path).\(number)" }
        return "\(path.dropLast(suffix.count)).\(number)\(suffix)"
    }

    private static func status(_ path: String) -> FileStatus? { try? FileStatus(notFollowing: path) }
}
