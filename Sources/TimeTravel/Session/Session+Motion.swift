import JSONCore
import JournalFormat
import JournalReading

extension Session {
    struct Arrival {
        var reasons: [SessionStop.Reason]
        var events: [SessionEvent] = []
    }

    /// Carries out a motion; what it threw leaves the session where it was.
    func move(_ motion: () throws(JournalError) -> Arrival) throws(SessionError) -> [SessionEvent] {
        let from = position
        let arrival: Arrival
        do throws(JournalError) { arrival = try motion() } catch {
            try? stand(at: from)
            throw .journal(error)
        }
        if position != from { history.leave(from) }
        return arrival.events + stopped(from: from, arrival.reasons)
    }

    func stopped(from: SessionPosition, _ reasons: [SessionStop.Reason]) -> [SessionEvent] {
        var isLast = false
        for case .lastChange(let subject, _) in reasons {
            lastSubject = subject.text
            isLast = true
        }
        if !isLast, position != from { lastSubject = nil }
        lastStop = SessionStop(position: position, from: from, reasons: reasons.isEmpty ? [.arrived] : reasons)
        return states.takeConflicts().map { .conflict($0) } + [.stopped(lastStop)]
            + displays.map { .displayed($0, outcome(of: $0.query)) }
    }

    // MARK: Steps

    /// Does not cross a hole, unless it stands before it.
    func step(_ direction: SessionDirection, _ count: Int, _ calls: SessionCalls) throws(JournalError) -> Arrival {
        var events: [SessionEvent] = []
        let origin = position.commit
        for done in 0..<max(count, 1) {
            if done > 0, calls.isInterrupted() { return Arrival(reasons: [.interrupted], events: events) }
            if done & 0xFF == 0xFF { reportProgress(origin, direction, calls) }
            if let reasons = try stepOnce(direction, mayCrossHole: done == 0, &events) {
                return Arrival(reasons: reasons, events: events)
            }
        }
        return Arrival(reasons: [.arrived], events: events)
    }

    /// Goes one position; why it cannot, or what it met, where the motion ends with that.
    private func stepOnce(
        _ direction: SessionDirection, mayCrossHole: Bool, _ events: inout [SessionEvent]
    ) throws(JournalError) -> [SessionStop.Reason]? {
        if inside != nil {
            inside = nil
            // What is begun lies after the cursor.
            if direction == .backward { return nil }
        }
        let before = cursor.position
        switch try cursor.step(direction) {
        case .atEnd:
            if direction == .forward, let hole = try holeAtEnd() { return [.hole(hole)] }
            if direction == .forward, try refresh(&events) {
                return try stepOnce(direction, mayCrossHole: mayCrossHole, &events)
            }
            return [direction == .forward ? .end : .start]
        case .moved(nil): return nil
        case .moved(let lost?):
            let (low, high) = direction == .forward ? (before, cursor.position) : (cursor.position, before)
            let hole = try hole(lost, before: low, after: high)
            if !mayCrossHole { try cursor.move(to: before) }
            return [.hole(hole)]
        }
    }

    func stepChange(_ direction: SessionDirection, _ count: Int, _ calls: SessionCalls) throws(JournalError) -> Arrival
    {
        var events: [SessionEvent] = []
        for done in 0..<max(count, 1) {
            if done > 0, calls.isInterrupted() { return Arrival(reasons: [.interrupted], events: events) }
            let place = position
            if let reasons = try stepOverChange(direction, mayCrossHole: done == 0, &events) {
                return Arrival(reasons: reasons, events: events)
            }
            if position == place { break }
        }
        return Arrival(reasons: [.arrived], events: events)
    }

    private func stepOverChange(
        _ direction: SessionDirection, mayCrossHole: Bool, _ events: inout [SessionEvent]
    ) throws(JournalError) -> [SessionStop.Reason]? {
        if let inside {
            let commit = try inside.record.decode(CommitRecord.init)
            let made = inside.made + (direction == .forward ? 1 : -1)
            if made == 0 {
                self.inside = nil
            } else if made < commit.patch.operations.count {
                self.inside = try InsideCommit(inside.record, commit, made: made, from: cursor.state)
            } else {
                return try stepOnce(.forward, mayCrossHole: true, &events)
            }
            return nil
        }
        let passed = direction == .backward ? try commitRecord() : nil
        if let reasons = try stepOnce(direction, mayCrossHole: mayCrossHole, &events) { return reasons }
        guard let record = direction == .forward ? try commitRecord() : passed else { return nil }
        let commit = try record.decode(CommitRecord.init)
        let count = commit.patch.operations.count
        guard count > 1 else { return nil }
        if direction == .forward { _ = try cursor.step(.backward) }
        inside = try InsideCommit(record, commit, made: direction == .forward ? 1 : count - 1, from: cursor.state)
        return nil
    }

    private func reportProgress(_ origin: CommitNumber, _ direction: SessionDirection, _ calls: SessionCalls) {
        let limit = direction == .forward ? bounds.upper : bounds.lower
        calls.progress(SessionProgress(position: position.commit, origin: origin, limit: limit))
    }

    // MARK: Places

    func stand(at place: SessionPosition) throws(JournalError) {
        inside = nil
        guard let made = place.changes else { return try cursor.move(to: place.commit) }
        try cursor.move(to: place.commit)
        let record = try journal.record(of: place.commit)
        let commit = try record.decode(CommitRecord.init)
        _ = try cursor.step(.backward)
        guard made < commit.patch.operations.count else { return }
        inside = try InsideCommit(record, commit, made: made, from: cursor.state)
    }

    func go(to place: SessionPosition) throws(JournalError) -> Arrival {
        var events: [SessionEvent] = []
        if place.commit > bounds.upper { _ = try refresh(&events) }
        try stand(at: place)
        return Arrival(reasons: [.arrived], events: events)
    }

    func goToEnd() throws(JournalError) -> Arrival {
        var events: [SessionEvent] = []
        _ = try refresh(&events)
        let end = bounds.upper
        try stand(at: SessionPosition(try states.lastState(upTo: end).position))
        return Arrival(reasons: [try holeAtEnd().map(SessionStop.Reason.hole) ?? .end], events: events)
    }

    func go(_ direction: SessionDirection, _ count: Int) throws(SessionError) -> [SessionEvent] {
        guard let place = history.place(direction, count) else { throw .noHistory(direction) }
        let from = position
        do throws(JournalError) { try stand(at: place) } catch {
            try? stand(at: from)
            throw .journal(error)
        }
        history.go(direction, count, from: from)
        return stopped(from: from, [.arrived])
    }

    // MARK: Checkpoints

    func makeCheckpoint(_ name: String?) -> SessionEvent {
        var number = checkpoints.count + 1
        while checkpoints.contains(where: { $0.name == String(number) }) { number += 1 }
        let name = name ?? String(number)
        checkpoints.removeAll { UTF8Order.equal($0.name, name) }
        checkpoints.append((name, position))
        return .checkpointMade(name, position)
    }

    func restart(_ name: String) throws(SessionError) -> [SessionEvent] {
        guard let place = checkpoints.first(where: { UTF8Order.equal($0.name, name) })?.position else {
            throw .unknown(.checkpoint, name)
        }
        return try move { () throws(JournalError) in try go(to: place) }
    }

    // MARK: Holes

    func hole(
        _ lost: ClosedRange<CommitNumber>, before: CommitNumber, after: CommitNumber?
    ) throws(JournalError) -> SessionHole {
        do throws(JournalError) {
            _ = try journal.state(at: lost.lowerBound, pruning: .nothing)
            _ = try journal.state(at: lost.lowerBound)
        } catch {
            switch error.fact {
            case .insideGap: break
            case .damage: return SessionHole(lost: lost, before: before, after: after, damage: error)
            default: throw error
            }
        }
        return SessionHole(lost: lost, before: before, after: after, damage: nil)
    }

    /// The damage after the cursor, up to the end of the journal; where it loses no position that is known, the next.
    func holeAtEnd(_ damage: JournalError?) throws(JournalError) -> SessionHole {
        let (before, next) = (cursor.position, cursor.position.next)
        var lost = next...max(next, bounds.upper)
        if let known = try cursor.lostEnd() { lost = known }
        guard let damage else { return try hole(lost, before: before, after: nil) }
        return SessionHole(lost: lost, before: before, after: nil, damage: damage)
    }

    func holeAtEnd() throws(JournalError) -> SessionHole? {
        try cursor.lostEnd().map { (lost) throws(JournalError) in try hole(lost, before: cursor.position, after: nil) }
    }
}
