internal import JSONCore
internal import JournalFormat
internal import Platform

/// The full segment is ended, and the next one is made beside it with one write of all that it begins with.
///
/// It takes the full one's place, which gets a number. A crash leaves the old one or the new one in that place, whole,
/// and no commit in both. If the next one cannot be made, later records are lost, and it begins with a `gap`.
extension JournalComposer {
    /// Whether the segment is full and may be ended here: directly after a commit, or at least not between the `close`
    /// of a store and the commit that it takes effect with, since the next segment would not know that store.
    var isSegmentDue: Bool {
        guard let segments else { return false }
        let size = writer.byteCount
        return size >= segments.segmentSize && (pendingCloses == 0 || size >= 2 * segments.segmentSize)
    }

    /// Whether lines fit into the limit beside the newest segment.
    func fit(_ bytes: Int) -> Bool { segments.map { writer.byteCount + bytes <= $0.effectiveLimit } ?? true }

    mutating func makeRoom(for bytes: Int) {
        guard let limit = segments?.effectiveLimit else { return }
        files.makeRoom(for: writer.byteCount + bytes, limit: limit)
    }

    mutating func loseOversized() {
        lossReason = "\(lines.bytes.count) bytes of lines are longer than the limit of the segments"
        lines.removeAll()
        postponed.restore()
        endSegment()
    }

    mutating func startSegment() {
        endSegment()
        openSegment()
    }

    // MARK: A file that something else moved, deleted or truncated

    /// Looks, once a second at most, whether the file is where it was made, and has all that was written: otherwise it is
    /// begun anew, which is reported once.
    ///
    /// - Complexity: a comparison, and each second one lstat(2).
    /// - Parameter isEnd: whether the run ends, with a look at any time; then a file that was deleted stays so.
    mutating func lookForFile(at time: Timestamp, isEnd: Bool = false) {
        guard isEnd || abs(time.microseconds - lastLook.microseconds) >= 1_000_000 else { return }
        guard lossReason == nil, !isBetweenSegments else { return }
        lastLook = time
        // An encoding may have forked the process.
        if writer.isForkedChild { return }
        do throws(SystemFailure) {
            let status = try FileStatus(notFollowing: files.path)
            if let identity = writer.identity, status.identity != identity {
                // Another file has the name: the lines go on to the one that was moved.
                reportFile(.missing(path: writer.path))
            } else if status.byteCount < writer.byteCount {
                reportFile(.truncated(path: writer.path))
                beginAnew(isTruncated: true)
            }
        } catch {
            guard !isEnd, error.code == Errno.noSuchFileOrDirectory || error.code == Errno.notDirectory else { return }
            reportFile(.missing(path: writer.path))
            beginAnew(isTruncated: false)
        }
    }

    private mutating func reportFile(_ problem: RecorderError) {
        if !hasReportedFile { report(problem) }
        hasReportedFile = true
    }

    private mutating func beginAnew(isTruncated: Bool) {
        if isTruncated { truncation = Truncation(files.path, last: position) }
        endSegment()
        openSegment()
    }

    private mutating func endSegment() {
        makeRoom(for: SegmentLimit.endReserve)
        do throws(JournalWriteError) {
            try writer.close(at: lastTime)
        } catch {
            handleFailure(error)
        }
        isBetweenSegments = true
    }

    mutating func openSegment() {
        let after = truncation?.after ?? writer.lastCommit
        let reason = lossReason ?? (truncation == nil ? "the segment could not be made" : "the file was truncated")
        guard composeContinuation(of: Totals(), after: after, reason) else { return abandonRecovery() }
        declarations.beginFile()
        if position == after {
            var totals = Totals(marks: lines.count(of: .mark))
            totals.open = tracks.filter(\.isEncoded).map(\.name)
            for declaration in declarations.inOrder { totals.count(derived: declaration.name) }
            guard composeKeyframe(totals) else { return abandonRecovery() }
        }
        make(after: after)
    }

    private mutating func make(after: CommitNumber) {
        let size = lines.bytes.count
        if segments?.begin(openingSize: size) ?? false, let limit = segments?.limit {
            report(.limit(opening: size, limit: limit))
        }
        makeRoom(for: plan.headerSize(after: after, time: lastTime) + size)
        do throws(JournalWriteError) {
            let next = try plan.make(
                at: JournalPath.escaped(files.path), temporaryPath: files.nextPath, after: after, time: lastTime,
                opening: lines)
            if let truncation, !truncation.keepsFile {
                try files.replaceNewest()
            } else {
                try files.advance(byteCount: writer.byteCount)
            }
            writer = next
            truncation = nil
            // A single segment may leave no room for the next one: it is kept until that one has taken its place.
            makeRoom(for: 0)
            lines.removeAll()
            isBetweenSegments = false
            isKeyframeDue = false
            lossReason = nil
            postponed.confirmWritten()
            postponed.forgetLosses()
        } catch {
            lines.removeAll()
            handleFailure(error)
        }
    }
}

struct Truncation: Sendable {
    /// The last commit before the truncation, as far as that is known.
    var after: CommitNumber
    /// Whether a first line is left, and so something to read; otherwise the next file is put in its place.
    var keepsFile: Bool

    init(_ path: String, last: CommitNumber) {
        (after, keepsFile) = (last, false)
        var head = [UInt8](repeating: 0, count: 256)
        var room = head.mutableSpan
        let count = try? FileDescriptor.existing(path).read(into: &room)
        let words = String(decoding: head.prefix(count ?? 0), as: UTF8.self).split(separator: "\"", maxSplits: 6)
        // {"seq":N,"kind":"K"
        guard words.count > 5, words[0] == "{", words[1] == "seq", let seq = Int(words[2].dropFirst().dropLast()),
            (0...last.rawValue).contains(seq)
        else { return }
        switch words[5] {
        case "journal": keepsFile = true
        case "commit": after = CommitNumber(max(0, seq - 1))
        default: after = CommitNumber(seq)
        }
    }
}

/// How a flight recorder divides its bytes: a quarter to each segment, so that at least half of them always hold the
/// newest commits, and never so little that a segment is mostly what it begins with.
struct SegmentLimit: Sendable {
    /// The bytes that are kept free for the `end` of a segment.
    static let endReserve = 1024

    /// The limit of all segments together, in bytes, as requested.
    let limit: Int
    /// The size of the newest segment's opening lines.
    private(set) var openingSize = 0

    init(_ limit: Int) { self.limit = max(limit, 4 * SegmentLimit.endReserve) }

    /// The limit of all segments together; more than requested only if four openings do not fit into that.
    var effectiveLimit: Int { max(limit, 4 * openingSize) }

    var segmentSize: Int { max(limit / 4, 2 * openingSize) - SegmentLimit.endReserve }

    /// The size of the pieces in which lines are written, which fit a segment.
    var pieceSize: Int { limit / 16 }

    /// - Returns: whether the limit has become too small for the first time.
    mutating func begin(openingSize: Int) -> Bool {
        let wasEnough = effectiveLimit == limit
        self.openingSize = openingSize
        return wasEnough && effectiveLimit > limit
    }
}

struct JournalPlan: Sendable {
    /// The header of each file, except for the time and the commit before it.
    var header: JournalHeader
    var options: JournalWriter.Options
    var calls: SystemCalls

    /// - Parameters:
    ///   - path: where; `%p` and `%t` in it are filled in.
    ///   - after: the last commit before it; nil for the first file of a run.
    func make(
        at path: String, temporaryPath: String? = nil, after: CommitNumber? = nil, time: Timestamp? = nil,
        opening: LineBuilder = LineBuilder()
    ) throws(JournalWriteError) -> JournalWriter {
        // The recorder's own hook runs first at the exit, and would find the file ended.
        return try JournalWriter(
            path: path, temporaryPath: temporaryPath, header: header(after: after, time: time), options: options,
            calls: calls, opening: opening, endsAtExit: false)
    }

    func headerSize(after: CommitNumber?, time: Timestamp?) -> Int {
        var line = LineBuilder()
        line.journal(header(after: after, time: time))
        return line.bytes.count
    }

    private func header(after: CommitNumber?, time: Timestamp?) -> JournalHeader {
        var header = header
        header.after = after
        header.time = time ?? header.time
        return header
    }
}
