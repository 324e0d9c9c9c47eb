package import JSONCore
package import JournalFormat
package import JournalReading
import QueryLanguage

/// A walk through a run in both directions: what every face of the debugger is made of.
///
/// It prints nothing, reads no input, and reads no file but the journal. It opens at the end of the run, where the
/// failure is. It belongs to one thread at a time; ``SessionCalls/isInterrupted`` may end a scan from another one.
///
/// A position has the commit that led to it. Going back, a session stops after the commit that met a stop too, so both
/// directions stop at the same places.
///
/// - Complexity: opening costs a seek, and a jump what a state of ``RunStates`` costs; a step, the records of one
///   commit; a scan, one pass over what lies between. Memory is that of a state, of what leads back to the keyframe
///   before, and of a window of a scan.
package final class Session {
    /// The journal as it was when it was read last.
    package internal(set) var journal: Journal
    /// The stops are in the order in which they were set.
    package internal(set) var breakpoints: [SessionBreakpoint] = []
    package internal(set) var displays: [SessionDisplay] = []
    package internal(set) var checkpoints: [(name: String, position: SessionPosition)] = []
    /// The stop reported last: at first, that of the opening.
    package internal(set) var lastStop: SessionStop

    var cursor: RunCursor
    var inside: InsideCommit?
    var history = SessionHistory()
    var breakpointCount = 0
    var displayCount = 0
    /// The motion of `last`, as long as nothing else moved: then the same goes on from there.
    var lastSubject: String?
    let reopen: (() throws(JournalError) -> Journal)?

    /// - Parameters:
    ///   - journal: one that can be read at any place.
    ///   - position: nil for the end. Where damage takes its state, the last one before that has one.
    ///   - reopen: opens the journal anew to see whether it has grown; nil where it cannot grow.
    /// - Throws: `JournalError` where there is no such position, or nothing of the run can be read.
    /// - Complexity: that of one seek.
    package init(
        _ journal: Journal, at position: CommitNumber? = nil, reopen: (() throws(JournalError) -> Journal)? = nil
    ) throws(JournalError) {
        let end = try journal.lastCommit
        let states = RunStates(journal)
        let found = if let position { position } else { try states.lastState(upTo: end).position }
        cursor = try RunCursor(states, at: found)
        self.journal = journal
        self.reopen = reopen
        let place = SessionPosition(found)
        lastStop = SessionStop(position: place, from: place, reasons: [.arrived])
        if position == nil, found < end {
            let hole = try hole(found.next...end, before: found, after: nil)
            lastStop = SessionStop(position: place, from: place, reasons: [.hole(hole)])
        }
    }

    // MARK: Where it stands

    package var position: SessionPosition {
        inside.map { SessionPosition($0.record.seq, changes: $0.made) } ?? SessionPosition(cursor.position)
    }

    /// The commits are ascending, each once.
    package var skipped: CommitList { states.skipped }
    var states: RunStates { cursor.states }

    /// The bounds are those of the run as it was read last.
    package var bounds: PositionRange { cursor.bounds }

    package var state: JSONValue { inside?.state ?? cursor.state.value }

    // MARK: Actions

    /// - Returns: what happened, at least the stop of a motion, also of one that did not move.
    /// - Throws: ``SessionError``; then the session stands where it stood.
    package func perform(_ action: SessionAction, _ calls: SessionCalls = SessionCalls()) throws(SessionError)
        -> [SessionEvent]
    {
        switch action {
        case .step(let direction, let count): try move { () throws(JournalError) in try step(direction, count, calls) }
        case .stepChange(let direction, let count):
            try move { () throws(JournalError) in try stepChange(direction, count, calls) }
        case .goTo(let position): try move { () throws(JournalError) in try go(to: SessionPosition(position)) }
        case .start: try move { () throws(JournalError) in try go(to: SessionPosition(bounds.lower)) }
        case .end: try move { () throws(JournalError) in try goToEnd() }
        case .resume(let direction, let count): try resume(direction, count, calls)
        case .change(let subject, let direction, let count):
            try move { () throws(JournalError) in try goToChange(of: subject, direction, count, calls) }
        case .until(let query, let direction): try until(query, direction, calls)
        case .last(let subject): try move { () throws(JournalError) in try goToLastChange(of: subject, calls) }
        case .back(let count): try go(.backward, count)
        case .forward(let count): try go(.forward, count)
        case .restart(let name): try restart(name)
        case .checkpoint(let name): [makeCheckpoint(name)]
        case .add(let stop): [add(stop)]
        case .remove(let id): [try remove(id)]
        case .removeAll: removeAll()
        case .setEnabled(let id, let isEnabled): [try change(id) { $0.isEnabled = isEnabled }]
        case .setCondition(let id, let condition): [try change(id) { $0.condition = condition }]
        case .ignore(let id, let count): [try change(id) { $0.ignoreCount = max(0, count) }]
        case .display(let query): add(query)
        case .removeDisplay(let id): try removeDisplay(id)
        case .skip(let list): try skip(list, calls)
        case .unskip(let list): try unskip(list, calls)
        case .refresh: try lookForGrowth()
        }
    }

    func add(_ stop: SessionBreakpoint) -> SessionEvent {
        var stop = stop
        breakpointCount += 1
        stop.id = breakpointCount
        breakpoints.append(stop)
        return .stopChanged(stop, .added)
    }

    func remove(_ id: Int) throws(SessionError) -> SessionEvent {
        guard let index = breakpoints.firstIndex(where: { $0.id == id }) else {
            throw .unknown(.breakpoint, String(id))
        }
        return .stopChanged(breakpoints.remove(at: index), .removed)
    }

    func removeAll() -> [SessionEvent] {
        defer { breakpoints = [] }
        return breakpoints.map { .stopChanged($0, .removed) }
    }

    func change(_ id: Int, _ body: (inout SessionBreakpoint) -> Void) throws(SessionError) -> SessionEvent {
        guard let index = breakpoints.firstIndex(where: { $0.id == id }) else {
            throw .unknown(.breakpoint, String(id))
        }
        body(&breakpoints[index])
        return .stopChanged(breakpoints[index], .changed)
    }

    func add(_ query: Query) -> [SessionEvent] {
        displayCount += 1
        let display = SessionDisplay(id: displayCount, query: query)
        displays.append(display)
        return [.displayed(display, outcome(of: query))]
    }

    func removeDisplay(_ id: Int?) throws(SessionError) -> [SessionEvent] {
        let left = displays.filter { id != nil && $0.id != id }
        if let id, left.count == displays.count { throw .unknown(.display, String(id)) }
        displays = left
        return []
    }

    func skip(_ list: CommitList, _ calls: SessionCalls) throws(SessionError) -> [SessionEvent] {
        do throws(PositionError) { try journal.check(list) } catch { throw .position(error) }
        return try change(skipped: skipped.joined(with: list, in: bounds))
    }

    func unskip(_ list: CommitList?, _ calls: SessionCalls) throws(SessionError) -> [SessionEvent] {
        try change(skipped: list.map(skipped.without) ?? CommitList())
    }

    private func change(skipped changed: CommitList) throws(SessionError) -> [SessionEvent] {
        let from = position
        inside = nil
        do throws(JournalError) { cursor = try RunCursor(states.without(changed), at: from.commit) } catch {
            throw .journal(error)
        }
        return [.skipping(skipped)] + stopped(from: from, [.arrived])
    }

    func lookForGrowth() throws(SessionError) -> [SessionEvent] {
        var events: [SessionEvent] = []
        do throws(JournalError) { _ = try refresh(&events) } catch { throw .journal(error) }
        return events
    }

    func isEnded() throws(JournalError) -> Bool {
        var records = try journal.recordsBackward()
        return try records.next()?.kind == .end
    }

    /// Returns whether there are commits after the end that was known.
    func refresh(_ events: inout [SessionEvent]) throws(JournalError) -> Bool {
        guard let reopen else { return false }
        let journal = try reopen()
        let (end, known) = (try journal.lastCommit, bounds.upper)
        guard end != known || journal.byteCount != self.journal.byteCount else { return false }
        let place = position
        let found = try journal.lastState(upTo: min(end, cursor.position)).position
        cursor = try RunCursor(RunStates(journal).without(skipped), at: found)
        self.journal = journal
        if inside != nil, found != self.cursor.position || place.commit > end { inside = nil }
        if end != known { events.append(.journalChanged(from: known, to: end)) }
        return end > known
    }
}
