internal import JournalFormat

/// The segments of a flight recorder.
///
/// A segment is ended, the next one is made beside it with one write of all that it begins with, and takes its place; then
/// the old one gets a number. A crash leaves the old one or the new one in that place, whole, and no commit in both. Where
/// the next one cannot be made, what comes is lost, and it begins with a `gap`.
extension WritingDesk {
    /// Whether the segment is full and may be ended here: directly behind a commit, or at least not between the `close` of a
    /// store and the commit that it takes effect with, since the next segment would not know that store.
    var isSegmentDue: Bool {
        guard let flight else { return false }
        let size = writer.byteCount
        return size >= flight.segmentSize && (pendingCloses == 0 || size >= 2 * flight.segmentSize)
    }

    /// Deletes what is oldest, so that lines fit into the limit.
    ///
    /// - Returns: false where they are too long for that.
    mutating func makeRoom(for bytes: Int) -> Bool {
        guard let limit = flight?.effectiveLimit else { return true }
        return flight?.files.makeRoom(for: writer.byteCount + bytes, limit: limit) ?? true
    }

    /// Leaves out lines that are longer than all segments may be.
    mutating func loseOversized() {
        lossReason = "\(lines.bytes.count) bytes of lines are longer than the limit of the segments"
        lines.removeAll()
        held.noteLoss(writer.totals)
        endSegment()
    }

    /// Ends the segment and begins the next one.
    mutating func startSegment() {
        do throws(JournalWriteError) { try writer.flush() } catch { return noteFailure(error) }
        endSegment()
        openSegment()
    }

    private mutating func endSegment() {
        do throws(JournalWriteError) {
            try writer.close(at: lastTime)
        } catch {
            noteFailure(error)
        }
        isBetweenSegments = true
    }

    /// Makes the next segment, beginning with all that its readers need.
    mutating func openSegment() {
        lines.removeAll()
        let after = writer.lastCommit
        let lost = position.rawValue - after.rawValue
        held.beginFile()
        let waiting = composeWaiting(open: [])
        if lost > 0, !composeGap(lost, lossReason ?? "the segment could not be made", states: []) {
            return giveUp(waiting)
        }
        for track in tracks where track.isEncoded {
            guard composeOpening(of: track) else { return giveUp(waiting) }
        }
        declarations.beginFile()
        for declaration in declarations.inOrder { compose(declaration) }
        if lost == 0 {
            composeLossMark(lossReason ?? "")
            guard composeFirstKeyframe() else { return giveUp(waiting) }
        }
        make(after: after)
    }

    private mutating func composeFirstKeyframe() -> Bool {
        lines.beginKeyframe(seq: position)
        guard composeStates(of: tracks) else { return false }
        var totals = Totals(marks: lines.count(of: .mark))
        totals.open = tracks.filter(\.isEncoded).map(\.name)
        for declaration in declarations.inOrder { totals.note(derived: declaration.name) }
        lines.endKeyframe(totals: totals)
        return true
    }

    private mutating func make(after: CommitNumber) {
        let size = lines.bytes.count
        if flight?.begin(openingSize: size) ?? false, let limit = flight?.limit {
            report(.limit(opening: size, limit: limit))
        }
        _ = makeRoom(for: size)
        do throws(JournalWriteError) {
            let next = try plan.make(
                at: JournalPath.escaped(writer.path), temporaryPath: flight?.files.nextPath, after: after,
                time: lastTime,
                opening: lines)
            try flight?.files.advance(byteCount: writer.byteCount)
            writer = next
            // A single segment may leave no room for the next one: it is kept until that has taken its place.
            _ = makeRoom(for: 0)
            lines.removeAll()
            isBetweenSegments = false
            isKeyframeDue = false
            lossReason = nil
            held.noteHandedOver()
            held.noteTold()
        } catch {
            lines.removeAll()
            noteFailure(error)
        }
    }
}
