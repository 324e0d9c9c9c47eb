import JSONCore
import JournalFormat
import JournalReading
import QueryLanguage

extension Run {
    func expectCommit(after line: RecordLine) {
        guard options.firstCommits, !options.everyCommit else { return }
        let isExpected = line.kind == .gap || line.resumed || wantsCommit && line.kind != .commit
        if isExpected == wantsCommit { return }
        wantsCommit = isExpected
        filter = options.filter(isExpected ? .everything : positionState.paths)
        if isExpected { reader.stopReadingAhead() } else { beginReadingAhead() }
    }

    /// Whole states follow where the record needs them, else the next keyframe, if the run may.
    func goOn(
        after error: JournalError, at line: RecordLine, lastPosition: CommitNumber
    ) throws(JournalError) {
        guard error.needsWholeState, !positionState.paths.isEverything else {
            ahead = try reader.recover(from: error, at: line)
            lastWhole = lastPosition
            return
        }
        if options.notesWayBack { throw error }
        guard let rest = PositionRange(max(lastPosition, range.lower), range.upper) else { throw error }
        let damages = damages
        try open(rest, reading: .everything)
        earlierDamages = damages
    }

    func notePlaces(_ line: RecordLine) {
        changed = nil
        let isWanted = questions.wantsPlaces || options.memos.contains(where: \.wantsPlaces)
        guard options.before || isWanted else { return }
        let replaced = closing == nil ? line.changedPlaces(in: nil) : nil
        if isWanted, closing == nil { changed = replaced ?? line.changedPlaces(in: state) }
        guard options.before else { return }
        let pointers = replaced?.compactMap { try? JSONPointer(parsing: String(decoding: $0.pointer, as: UTF8.self)) }
        if let pointers, pointers.count == replaced?.count {
            before = .values(pointers.map { ($0, $0.value(in: state)) })
        } else {
            before = line.kind == .commit && !line.resumed && chosen == nil ? nil : .state(state)
        }
    }

    /// Finds out which questions a line touches; a store that went away with it touches all.
    func noteTouched(by line: RecordLine) { touched = closing == nil ? interests?.touched(by: line) ?? .all : .all }

    func lastPosition(before line: RecordLine) throws(JournalError) -> CommitNumber {
        if line.resumed { return min(lastWhole ?? reader.lastBeforeDamage, line.seq.previous) }
        guard line.kind == .gap else { return line.seq.previous }
        let gap = try line.decode(GapRecord.init)
        // A foreign gap may claim to begin anywhere.
        return min(max(gap.first.previous, positionState.position), line.seq.previous)
    }

    /// Brings the state over a line; nil where that is of a commit that does not stay.
    func change(_ line: RecordLine) throws(JournalError) -> Bool? {
        if line.resumed { filter.forgetStores() }
        if line.resumed || line.kind == .gap { chosen?.openAll() }
        if line.resumed && line.kind == .keyframe {
            if options.notesWayBack { back?.note(.state(positionState)) }
            oldState.stopFollowing()
            try positionState.reset(to: line)
            return true
        }
        switch line.kind {
        case .commit where chosen != nil: return try applyChosen(line)
        case .store: return try applyStore(line)
        default: return try bring(over: line)
        }
    }

    func bring(over line: RecordLine) throws(JournalError) -> Bool {
        guard options.notesWayBack || asksOld || before == nil else {
            return try positionState.apply(line) != .none
        }
        var log = ApplyLog(keepsUndo: options.notesWayBack || before == nil)
        let effect: PositionState.Effect
        do throws(JournalError) { effect = try positionState.apply(line, &log) } catch {
            oldState.stopFollowing()
            throw error
        }
        oldState.follow(line)
        if options.notesWayBack { back?.note(log.undo) }
        if before == nil { before = log.undo.map(StateBefore.init) }
        return effect != .none
    }

    func close(_ line: RecordLine) throws(JournalError) {
        if try applyStore(line) != nil { back?.attach(line, nil, lost: nil) }
        if positionState.reads(try line.storeName()) { closing = line.seq.next }
    }

    /// Reads on to the next record that can change the state; returns false where none is there yet and lines are not waited for.
    func readOn(at seq: CommitNumber, isPatient: Bool) throws(JournalError) -> Bool {
        while true {
            var next: RecordLine?
            if isPatient || ahead != nil {
                next = try nextLine()
            } else {
                if !reader.hasWholeLine, journal.isWaiting { return false }
                // Each line is looked at by itself: the reader would wait for the next one that is wanted.
                guard let line = try reader.next() else { return true }
                next = filter.mayMatter(line) ? try compared(line) : nil
                if next == nil { continue }
            }
            guard let line = next else { return true }
            if line.seq == seq, line.kind == .close || isUnread(line) {
                // It leaves the position as it is: the record before it may be the last that changes it.
                do throws(JournalError) {
                    if line.kind == .close {
                        try close(line)
                    } else if try applyStore(line) != nil {
                        back?.attach(line, nil, lost: nil)
                    }
                } catch {
                    ahead = try reader.recover(from: error, at: line)
                    lastWhole = seq
                    return true
                }
            } else if RecordKinds.states.contains(line.kind) || line.resumed {
                ahead = line
                return true
            } else if line.seq == seq {
                companions.append(line.owned())
            }
        }
    }

    func isUnread(_ line: RecordLine) -> Bool {
        guard line.kind == .store, !line.resumed, let name = try? line.storeName() else { return false }
        return !positionState.reads(name)
    }

    /// Reports the commit that took away a closed store, and touched nothing else that is read.
    func endStores(with commit: CommitNumber) throws(JournalError) -> Step {
        closing = nil
        record = nil
        changed = nil
        if options.before { before = .state(state) }
        touched = .all
        places?.note(before: nil, positionState)
        if options.notesWayBack { back?.note(.state(positionState)) }
        oldState.stopFollowing()
        positionState.advance(to: commit)
        back?.attach(at: commit)
        return try completed(Step(kind: .commit, seq: commit, offset: nil, isComplete: false, before: commit.previous))
    }
}
