import JSONCore
import JournalFormat
import JournalReading
import QueryLanguage

extension Session {
    struct Search {
        /// What is asked; the first ones are those of ``stops``.
        var items: [StopJudge.Item] = []
        var stops: [Int] = []
        /// What it means that a question after those of the stops is met.
        var reason: (_ finding: StopHit.Observation) -> SessionStop.Reason? = { _ in nil }
        var stopsAtHoles = true
        var unanswered = Unanswered()

        init() {}

        init(forChangesOf subject: WatchSubject) {
            items = [StopJudge.Item(question: .changed(subject.subject), condition: nil)]
            reason = { finding in
                guard case .met(let changes) = finding else { return nil }
                return .lastChange(subject, changes)
            }
        }
    }

    // MARK: Motions

    func resume(
        _ direction: SessionDirection, _ count: Int, _ calls: SessionCalls
    ) throws(SessionError) -> [SessionEvent] {
        var changed: [SessionEvent] = []
        let events = try move { () throws(JournalError) in
            try scan(direction, count, calls, &changed) { armed() }.arrival
        }
        return events + changed
    }

    private func scan(
        _ direction: SessionDirection, _ count: Int, _ calls: SessionCalls, _ changed: inout [SessionEvent],
        for search: () -> Search
    ) throws(JournalError) -> (arrival: Arrival, origin: SessionPosition) {
        var (place, arrival) = (position, Arrival(reasons: []))
        for _ in 0..<max(count, 1) {
            place = position
            var search = search()
            let next = try scan(direction, &search, calls, &changed)
            arrival = Arrival(reasons: next.reasons, events: arrival.events + next.events)
            if !arrival.reasons.allSatisfy(\.isMet) { break }
        }
        return (arrival, place)
    }

    /// Goes to where something changes, so many times; where nothing does, it stays at the last place that was found.
    func goToChange(
        of subject: WatchSubject, _ direction: SessionDirection, _ count: Int, _ calls: SessionCalls
    ) throws(JournalError) -> Arrival {
        var changed: [SessionEvent] = []
        var (arrival, place) = try scan(direction, count, calls, &changed) { Search(forChangesOf: subject) }
        if arrival.reasons.contains(where: \.isEnd) {
            try stand(at: place)
            arrival.reasons = [.noChange(subject, direction)]
        }
        return arrival
    }

    func until(
        _ query: Query, _ direction: SessionDirection, _ calls: SessionCalls
    ) throws(SessionError) -> [SessionEvent] {
        var changed: [SessionEvent] = []
        let events = try move { () throws(JournalError) in
            var search = armed()
            search.items.append(StopJudge.Item(question: .holds(query), condition: nil))
            search.reason = { if case .met = $0 { .holds(query) } else { nil } }
            var arrival = try scan(direction, &search, calls, &changed)
            if search.unanswered.count > 0 { arrival.reasons.append(.unanswered(search.unanswered)) }
            return arrival
        }
        return events + changed
    }

    /// Goes back to the commit that made what is watched what it is; it stays where it is if that is the one it stands at.
    func goToLastChange(of subject: WatchSubject, _ calls: SessionCalls) throws(JournalError) -> Arrival {
        var search = Search(forChangesOf: subject)
        search.stopsAtHoles = false
        let from = position
        let isFirst = !(lastSubject.map { UTF8Order.equal($0, subject.text) } ?? false)
        if isFirst, inside == nil, let changes = try changes(of: search.items[0], at: cursor.position) {
            return Arrival(reasons: [.lastChange(subject, changes)])
        }
        if isFirst, let inside {
            let old = Snapshot(subject.subject, cursor.state.value, try contextBefore(subject.subject))
            let new = Snapshot(subject.subject, inside.state, context(for: subject))
            if old != new { return Arrival(reasons: [.lastChange(subject, old.changes(to: new, by: inside.record))]) }
        }
        var changed: [SessionEvent] = []
        var arrival = try scan(.backward, &search, calls, &changed)
        if arrival.reasons.contains(where: \.isEnd) {
            try stand(at: from)
            arrival.reasons = [.noChange(subject, .backward)]
        }
        return arrival
    }

    private func changes(
        of item: StopJudge.Item, at position: CommitNumber
    ) throws(JournalError) -> [ValueChange]? {
        guard position > bounds.lower, case .met(let changes)? = try findings([item], at: position).first?.finding
        else { return nil }
        return changes
    }

    private func context(for subject: WatchSubject) -> QueryContext {
        subject.subject.query.flatMap { try? context(for: $0.footprint) } ?? QueryContext(seq: position.commit.rawValue)
    }

    private func contextBefore(_ subject: HistorySubject) throws(JournalError) -> QueryContext {
        guard let footprint = subject.query?.footprint, footprint.usesOld || footprint.usesCommit else {
            return QueryContext(seq: cursor.position.rawValue)
        }
        return try QueryContext(
            at: cursor.position, in: journal, usesCommit: footprint.usesCommit,
            oldReading: footprint.usesOld ? footprint.paths : nil, from: states)
    }

    // MARK: Scans

    func armed() -> Search {
        var search = Search()
        for stop in breakpoints where stop.isEnabled {
            search.items.append(StopJudge.Item(question: StopQuestion(stop.trigger), condition: stop.condition))
            search.stops.append(stop.id)
        }
        return search
    }

    private func scan(
        _ direction: SessionDirection, _ search: inout Search, _ calls: SessionCalls, _ changed: inout [SessionEvent]
    ) throws(JournalError) -> Arrival {
        switch direction {
        case .forward: try scanForward(&search, calls, &changed)
        case .backward: try scanBackward(&search, calls, &changed)
        }
    }

    private func scanForward(
        _ search: inout Search, _ calls: SessionCalls, _ changed: inout [SessionEvent]
    ) throws(JournalError) -> Arrival {
        var events: [SessionEvent] = []
        let origin = cursor.position
        var (lower, size) = (origin, WindowSize())
        while true {
            guard lower < bounds.upper else {
                guard let reason = try reasonToEnd(at: lower, calls, &events) else { continue }
                let hole = try arriveBeforeHole(at: lower).map(SessionStop.Reason.hole)
                return Arrival(reasons: [hole ?? reason], events: events)
            }
            let upper = size.end(after: lower, bounds.upper)
            guard let range = PositionRange(lower, upper) else { break }
            let window = try size.measured { () throws(JournalError) in
                try states.window(range, StopJudge(search.items), isInterrupted: calls.isInterrupted)
            }
            var places = window.places { $0 > origin }
            if search.stopsAtHoles {
                for hole in window.holes where hole.before > origin { places.add(hole, at: hole.before) }
                places.sort { $0.position < $1.position }
            }
            if let reasons = try meet(places, .forward, after: origin, &search, calls, &changed) {
                return Arrival(reasons: reasons, events: events)
            }
            if window.endsInDamage, upper == bounds.upper {
                try arrive(at: window.last)
                return Arrival(reasons: [.hole(try holeAtEnd(window.damage))], events: events)
            }
            if window.isInterrupted || calls.isInterrupted() {
                let hole = try arriveBeforeHole(at: max(window.last, lower)).map(SessionStop.Reason.hole)
                return Arrival(reasons: [.interrupted] + [hole].compactMap(\.self), events: events)
            }
            size.hasMoved(window.last > lower)
            lower = max(window.last, lower)
            calls.progress(SessionProgress(position: lower, origin: origin, limit: bounds.upper))
        }
        return Arrival(reasons: [.end], events: events)
    }

    private func scanBackward(
        _ search: inout Search, _ calls: SessionCalls, _ changed: inout [SessionEvent]
    ) throws(JournalError) -> Arrival {
        // Inside a commit the position before it is the first that is asked.
        let limit = inside == nil ? cursor.position : cursor.position.next
        let origin = cursor.position
        var (upper, size) = (origin, WindowSize())
        while upper > bounds.lower {
            guard let range = PositionRange(size.start(before: upper, bounds.lower), upper) else { break }
            let window = try size.measured { () throws(JournalError) in
                try states.window(range, StopJudge(search.items), isInterrupted: calls.isInterrupted)
            }
            if window.isInterrupted || calls.isInterrupted() {
                // What lies at the edge of the window is not asked yet, so that the next motion has to meet it.
                let hole = try arriveBeforeHole(at: min(upper.next, origin)).map(SessionStop.Reason.hole)
                return Arrival(reasons: [.interrupted] + [hole].compactMap(\.self))
            }
            var places = window.places { $0 < limit }
            if search.stopsAtHoles {
                for hole in window.holes where hole.after < limit { places.add(hole, at: hole.after) }
                places.sort { $0.position < $1.position }
            }
            if let reasons = try meet(places.reversed(), .backward, after: limit, &search, calls, &changed) {
                return Arrival(reasons: reasons)
            }
            upper = window.lower
            calls.progress(SessionProgress(position: upper, origin: origin, limit: bounds.lower))
        }
        try arrive(at: bounds.lower)
        return Arrival(reasons: [.start])
    }

    private func reasonToEnd(
        at end: CommitNumber, _ calls: SessionCalls, _ events: inout [SessionEvent]
    ) throws(JournalError) -> SessionStop.Reason? {
        while try !refresh(&events) {
            guard let wait = calls.wait, (try? isEnded()) != true else { return .end }
            try arrive(at: end)
            if calls.isInterrupted() || !wait() { return .interrupted }
        }
        calls.grown()
        guard calls.isInterrupted() else { return nil }
        try arrive(at: end)
        return .interrupted
    }

    func arrive(at position: CommitNumber) throws(JournalError) {
        inside = nil
        try cursor.move(to: position)
    }

    /// Goes to a position, or where damage has its state to the last one before that has one; returns the hole in the way.
    func arriveBeforeHole(at position: CommitNumber) throws(JournalError) -> SessionHole? {
        do throws(JournalError) { try arrive(at: position) } catch {
            guard error.isDamage else { throw error }
            try arrive(at: try journal.lastState(upTo: position).position)
            return try stepBeforeHole(upTo: position, error)
        }
        return nil
    }

    /// Steps up to a position to which damage hides the way by a seek; returns the hole that it stops before.
    private func stepBeforeHole(
        upTo position: CommitNumber, _ damage: JournalError
    ) throws(JournalError) -> SessionHole? {
        while cursor.position < position {
            let before = cursor.position
            switch try cursor.step(.forward) {
            case .atEnd: return try holeAtEnd(damage)
            case .moved(nil): continue
            case .moved(let lost?):
                let after = cursor.position
                try arrive(at: before)
                return try hole(lost, before: before, after: after)
            }
        }
        return nil
    }
}

extension SessionStop.Reason {
    fileprivate var isEnd: Bool {
        switch self {
        case .start, .end: true
        default: false
        }
    }

    fileprivate var isMet: Bool {
        switch self {
        case .breakpoint, .changed, .caught, .lastChange: true
        default: false
        }
    }
}
