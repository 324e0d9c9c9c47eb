import JSONCore
package import Platform

/// The files of a flight recorder: the newest segment at the path that was asked for, the ones before it beside that under
/// numbers that rise, `run.1.jsonl`, `run.2.jsonl`.
///
/// The next segment is made under a name of its own, takes the place of the newest in one step when all that it begins with is
/// in it, and the one before it gets a number. So a reader finds the newest segment at one place at any time, whole, also
/// after a kill. Only files that this object renamed itself, and that are still the same file, are deleted.
package struct SegmentFiles: Sendable {
    /// Where the newest segment is.
    package let path: String
    private var kept: [Segment] = []
    private var nextNumber = 1

    /// A segment before the newest.
    private struct Segment: Sendable {
        var path: String
        /// What distinguishes it from a file that has taken its name since, and perhaps its number too.
        var status: FileStatus
    }

    private let calls: SystemCalls

    /// Begins with the first segment, which is made at `path` by someone else.
    package init(path: String, calls: SystemCalls = unsafe SystemCalls()) {
        self.path = path
        self.calls = calls
    }

    /// How many bytes the number of a segment, and the name of the next one, add to a file's name at most.
    package static let suffixLength = 16

    package var nextPath: String { SegmentFiles.nextPath(path) }

    /// Where a file is made that is to take the place of another one: beside that, under a name that fits the file system.
    static func nextPath(_ path: String) -> String {
        let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
        return folder + FileSystem.fitting(String(path.dropFirst(folder.count)), suffix: ".next")
    }

    /// How many bytes the segments before the newest have together.
    package var byteCount: Int { kept.reduce(0) { $0 + $1.status.byteCount } }

    /// Puts the segment at ``nextPath`` in the place of the newest, which is closed and gets a number.
    ///
    /// A file of another size is not the recorder's own: it gets a number too, and is never deleted.
    ///
    /// - Parameter byteCount: the size of the one that is closed.
    package mutating func advance(byteCount: Int) throws(JournalWriteError) {
        do throws(SystemFailure) {
            while true {
                // The newest may have been taken away.
                if status(path) == nil, try FileSystem.moveToFreeName(nextPath, path, calls) { return }
                let name = SegmentFiles.name(path, number: nextNumber)
                let isFree = try FileSystem.replace(path, by: nextPath, keepingAs: name, calls)
                nextNumber += 1
                guard isFree else { continue }
                if let status = status(name), status.byteCount == byteCount {
                    kept.append(Segment(path: name, status: status))
                }
                return
            }
        } catch {
            _ = calls.changeNames(.remove(nextPath))
            throw JournalWriteError(path: path, error, lastKept: .zero)
        }
    }

    /// Puts the segment at ``nextPath`` in the place of the newest, of which nothing is kept.
    package func replaceNewest() throws(JournalWriteError) {
        do throws(SystemFailure) { try FileSystem.rename(nextPath, path, calls) } catch {
            _ = calls.changeNames(.remove(nextPath))
            throw JournalWriteError(path: path, error, lastKept: .zero)
        }
    }

    /// Deletes the oldest segments until all of them together, with what is to come, fit into a limit.
    ///
    /// - Parameter bytes: the newest segment, with what is to be written.
    package mutating func makeRoom(for bytes: Int, limit: Int) {
        while !kept.isEmpty, byteCount + bytes > limit {
            let oldest = kept.removeFirst()
            if status(oldest.path) == oldest.status { _ = calls.changeNames(.remove(oldest.path)) }
        }
    }

    /// The name of a numbered segment: the number stands before the last `.jsonl`.
    package static func name(_ path: String, number: Int) -> String {
        let (stem, suffix) = parts(path)
        return "\(stem).\(number)\(suffix)"
    }

    /// The number in the name of a segment; nil for a file that is not a segment of the journal at a path.
    package static func number(ofName name: String, at path: String) -> Int? {
        let (stem, suffix) = parts(path)
        guard UTF8Order.begins(name, with: stem + "."), UTF8Order.ends(name, with: suffix) else { return nil }
        let digits = Substring(name.utf8.dropFirst(stem.utf8.count + 1).dropLast(suffix.utf8.count))
        return Int(digits).flatMap {
            $0 > 0 && UTF8Order.equal(SegmentFiles.name(path, number: $0), name) ? $0 : nil
        }
    }

    private static func parts(_ path: String) -> (stem: Substring, suffix: String) {
        let suffix = ".jsonl"
        let isNamed = path.utf8.count > suffix.utf8.count && UTF8Order.ends(path, with: suffix)
        return isNamed ? (Substring(path.utf8.dropLast(suffix.utf8.count)), suffix) : (path[...], "")
    }

    private func status(_ path: String) -> FileStatus? { try? FileStatus(notFollowing: path) }
}
