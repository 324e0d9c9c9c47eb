internal import Diagnostics
internal import JSONCore
internal import JournalFormat
internal import Platform

extension JournalComposer {
    /// Passes the lines to the file, and a keyframe if one is due and the last line is a commit's.
    mutating func flush() {
        guard !lines.isEmpty else { return }
        append()
        guard lossReason == nil else { return }
        if isSegmentDue { return startSegment() }
        isKeyframeDue = isKeyframeDue || writer.needsKeyframe
        if isKeyframeDue && endsWithCommit { writeKeyframe() }
    }

    mutating func append() {
        // Nothing is deleted for lines that do not fit even then.
        if !fit(lines.bytes.count) { return loseOversized() }
        makeRoom(for: lines.bytes.count)
        do throws(JournalWriteError) {
            try writer.append(&lines)
            postponed.confirmWritten()
        } catch {
            handleFailure(error)
        }
    }

    private mutating func writeKeyframe() {
        isKeyframeDue = false
        if composeKeyframe(writer.totals) { append() }
    }

    /// - Returns: false if a state cannot be encoded.
    mutating func composeKeyframe(_ totals: Totals) -> Bool {
        lines.beginKeyframe(seq: position)
        guard composeStates(of: tracks) else {
            lines.abandonRecord()
            return false
        }
        lines.endKeyframe(totals: totals)
        return true
    }

    /// Appends the states of some stores; false if one of them could not be encoded.
    private mutating func composeStates(of tracks: [StoreTrack]) -> Bool {
        for track in tracks where track.isEncoded {
            lines.stateKey(track.name)
            do {
                try track.appendState(to: &lines.bytes)
            } catch {
                report(error, of: track)
                return false
            }
        }
        return true
    }

    mutating func composeOpening(of track: StoreTrack) -> Bool {
        lines.beginStore(
            seq: position, store: track.name, type: track.typeName, time: lastTime, at: track.location.source)
        do {
            try track.appendState(to: &lines.bytes)
            lines.endRecord()
            return true
        } catch {
            lines.abandonRecord()
            report(error, of: track)
            return false
        }
    }

    // MARK: Recovery

    /// Recovers what was lost, if there is anything, and if it is time to try again.
    ///
    /// - Returns: whether a line may be composed.
    mutating func recoverIfPossible() -> Bool {
        guard lossReason != nil else { return true }
        if let lastAttempt, lastAttempt.duration(to: .now) < retryInterval { return false }
        recover()
        return lossReason == nil
    }

    /// Writes what a reader needs to continue after a loss.
    mutating func recover() {
        guard let reason = lossReason else { return }
        if isBetweenSegments { return openSegment() }
        guard composeContinuation(of: writer.totals, after: writer.lastCommit, reason) else { return abandonRecovery() }
        lossReason = nil
        append()
        guard lossReason == nil else { return }
        declarations.confirmLines()
        postponed.forgetLosses()
    }

    /// Composes what a reader of a file needs to continue: the postponed records, the closes, a `gap` with the state of every
    /// open store, and the births and declarations that are not in the file.
    ///
    /// - Parameters:
    ///   - totals: what the file has.
    ///   - last: the last commit that it has, or that is before it.
    /// - Returns: false if a state cannot be encoded.
    /// - Complexity: O(all states).
    mutating func composeContinuation(of totals: Totals, after last: CommitNumber, _ reason: String) -> Bool {
        lines.removeAll()
        let lost = position.rawValue - last.rawValue
        // If no commit is lost, births and closes may be: all stores are closed and opened again.
        let openNames = NameTable(totals.open, true)
        let known = lost > 0 ? tracks.filter { $0.isEncoded && openNames[$0.name] != nil } : []
        forgetTimes()
        composePostponed(open: openNames, at: last)
        composeClock(lastTime, at: last)
        for name in totals.open where !known.contains(where: { UTF8Order.equal($0.name, name) }) {
            lines.close(seq: last, store: name, time: lastTime)
        }
        if lost > 0, !composeGap(after: last, reason, states: known) { return false }
        for track in tracks where track.isEncoded && !known.contains(where: { $0 === track }) {
            guard composeOpening(of: track) else { return false }
        }
        let declared = NameTable(totals.derived, true)
        for declaration in declarations.inOrder where declared[declaration.name] == nil { compose(declaration) }
        if lost == 0 { composeLossMark() }
        return true
    }

    /// Composes the postponed marks and aborts; an abort of a store that the file does not know is lost.
    private mutating func composePostponed(open: NameTable<Bool>, at last: CommitNumber) {
        let now = position
        position = last
        defer { position = now }
        for record in postponed.takeWaiting() {
            if let time = record.time { composeClock(time, at: last) }
            if case .abort(let track, _, _, _, _) = record, open[track.name] == nil {
                postponed.countLost(record)
            } else {
                composeMarkOrAbort(record)
            }
        }
    }

    /// Forgets what was composed: all of it waits for the next attempt.
    mutating func abandonRecovery() {
        lines.removeAll()
        postponed.restore()
        forgetTimes()
    }

    private mutating func composeGap(after last: CommitNumber, _ reason: String, states: [StoreTrack]) -> Bool {
        let also = postponed.words.map { "; also lost: \($0)" } ?? ""
        lines.beginGap(
            first: last.next, lost: position.rawValue - last.rawValue, time: lastTime, reason: reason + also)
        guard composeStates(of: states) else { return false }
        lines.endGap()
        return true
    }

    /// Reports lost marks, aborts and outcomes in a mark, if no commit was lost with them.
    private mutating func composeLossMark() {
        guard let words = postponed.words else { return }
        let reason = lossReason.map { ": \($0)" } ?? ""
        lines.mark(seq: position, time: lastTime, at: nil, text: "the recorder lost \(words)\(reason)", level: .warning)
    }

    /// Brings what is written to the disk, in the background while nothing is committed.
    mutating func sync() {
        guard lossReason == nil, !isBetweenSegments else { return }
        do throws(JournalWriteError) { try writer.sync() } catch { handleFailure(error) }
    }

    mutating func end(at time: Timestamp) {
        moveClock(to: time)
        reportUnmatched()
        flush()
        lookForFile(at: time, isEnd: true)
        if lossReason != nil { recover() }
        makeRoom(for: SegmentLimit.endReserve)
        do throws(JournalWriteError) { try writer.close(at: lastTime) } catch { handleFailure(error) }
    }
}
