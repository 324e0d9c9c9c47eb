import JSONCore
import JournalFormat
import QueryLanguage

/// Motions that look for a place.
extension Session {
    /// What a scan looks for, besides the ends of the run and holes.
    struct Search {
        /// What is asked; the first ones are those of ``stops``.
        var items: [StopJudge.Item] = []
        /// The numbers of the stops that are asked.
        var stops: [Int] = []
        /// What it means that a question behind those is met.
        var reason: (_ finding: StopHit.Finding) -> SessionStop.Reason? = { _ in nil }
        /// Whether holes end it.
        var stopsAtHoles = true
        /// The positions at which it has no answer.
        var unanswered = Unanswered()

        /// Nothing but the ends of the run and holes.
        init() {}

        /// Where what is watched differs from what it was.
        init(forChangesOf subject: WatchSubject) {
            items = [StopJudge.Item(question: .changed(subject.subject), condition: nil)]
            reason = { finding in
                guard case .met(let changes) = finding else { return nil }
                return .lastChange(subject, changes)
            }
        }
    }

    // MARK: Motions

    /// Goes to the place that is looked for, so many times.
    func resume(
        _ direction: SessionDirection, _ count: Int, _ calls: SessionCalls, looking makeSearch: () -> Search
    ) throws(SessionError) -> [SessionEvent] {
        var changed: [SessionEvent] = []
        let events = try move { () throws(JournalError) in
            var arrival = Arrival(reasons: [])
            for _ in 0..<max(count, 1) where arrival.reasons.allSatisfy(\.isMet) {
                var search = makeSearch()
                let next = try scan(direction, &search, calls, &changed)
                arrival = Arrival(reasons: next.reasons, events: arrival.events + next.events)
            }
            return arrival
        }
        return events + changed
    }

    func until(
        _ query: Query, _ direction: SessionDirection, _ calls: SessionCalls
    ) throws(SessionError) -> [SessionEvent] {
        var changed: [SessionEvent] = []
        let events = try move { () throws(JournalError) in
            var search = armed()
            search.items.append(StopJudge.Item(question: .holds(query), condition: nil))
            search.reason = { if case .met = $0 { .holds } else { nil } }
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
        let isFirst = lastSubject != subject.text
        if isFirst, inside == nil, let changes = try changes(of: search.items[0], at: cursor.position) {
            return Arrival(reasons: [.lastChange(subject, changes)])
        }
        if isFirst, let inside {
            let old = Snapshot(subject.subject, cursor.state.value, try contextBefore(subject.subject))
            let new = Snapshot(subject.subject, inside.state, context(for: subject))
            if old != new {
                return Arrival(reasons: [.lastChange(subject, old.changes(to: new, by: inside.record))])
            }
        }
        var changed: [SessionEvent] = []
        var arrival = try scan(.backward, &search, calls, &changed)
        if arrival.reasons.contains(where: { if case .start = $0 { true } else { false } }) {
            try stand(at: from)
            arrival.reasons = [.noChange(subject)]
        }
        return arrival
    }

    /// What a commit changed of something; nil where it did not.
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
            oldReading: footprint.usesOld ? footprint.paths : nil)
    }

    // MARK: Scans

    /// The stops that count.
    func armed() -> Search {
        var search = Search()
        for stop in breakpoints where stop.isEnabled {
            search.items.append(StopJudge.Item(question: StopQuestion(stop.trigger), condition: stop.condition))
            search.stops.append(stop.id)
        }
        return search
    }

    /// Goes on to the nearest place that is looked for.
    ///
    /// - Parameter changed: takes what became of stops on the way.
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
                if try hasMore(calls, &events) { continue }
                let hole = try arriveBeforeHole(at: lower).map(SessionStop.Reason.hole)
                return Arrival(reasons: [calls.isInterrupted() ? .interrupted : hole ?? .end], events: events)
            }
            let upper = size.end(after: lower, bounds.upper)
            guard let range = PositionRange(lower, upper) else { break }
            let window = try size.measured { () throws(JournalError) in
                try cursor.window(range, StopJudge(search.items), isInterrupted: calls.isInterrupted)
            }
            var places = window.hits.filter { $0.position > origin }.map { Place($0.position, $0.hits) }
            if search.stopsAtHoles {
                for hole in window.holes where hole.before > origin { places.add(hole, at: hole.before) }
                places.sort { $0.position < $1.position }
            }
            if let reasons = try meet(places, .forward, behind: origin, &search, &changed) {
                return Arrival(reasons: reasons, events: events)
            }
            if window.endsInDamage, upper == bounds.upper {
                try arrive(at: window.last)
                let hole = try hole(window.last.next...upper, before: window.last, after: nil)
                return Arrival(reasons: [.hole(hole)], events: events)
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
                try cursor.window(range, StopJudge(search.items), isInterrupted: calls.isInterrupted)
            }
            if window.isInterrupted || calls.isInterrupted() {
                let hole = try arriveBeforeHole(at: upper).map(SessionStop.Reason.hole)
                return Arrival(reasons: [.interrupted] + [hole].compactMap(\.self))
            }
            var places = window.hits.filter { $0.position < limit }.map { Place($0.position, $0.hits) }
            if search.stopsAtHoles {
                for hole in window.holes where hole.after < limit { places.add(hole, at: hole.after) }
                places.sort { $0.position < $1.position }
            }
            if let reasons = try meet(places.reversed(), .backward, behind: limit, &search, &changed) {
                return Arrival(reasons: reasons)
            }
            upper = window.lower
            calls.progress(SessionProgress(position: upper, origin: origin, limit: bounds.lower))
        }
        try arrive(at: bounds.lower)
        return Arrival(reasons: [.start])
    }

    /// Looks whether a journal at whose end a scan is has more, and waits for it where it is followed.
    private func hasMore(_ calls: SessionCalls, _ events: inout [SessionEvent]) throws(JournalError) -> Bool {
        while try !refresh(&events) {
            guard let wait = calls.wait, !calls.isInterrupted(), wait() else { return false }
        }
        return true
    }

    private func arrive(at position: CommitNumber) throws(JournalError) {
        inside = nil
        try cursor.move(to: position)
    }

    /// Goes to a position, or where damage has its state to the last one before that has one.
    ///
    /// A scan may pass damage in what it does not read.
    ///
    /// - Returns: the hole in the way; nil where the session stands at the position.
    private func arriveBeforeHole(at position: CommitNumber) throws(JournalError) -> SessionHole? {
        do throws(JournalError) { try arrive(at: position) } catch {
            guard error.isDamage else { throw error }
            let before = try journal.lastState(upTo: position, pruning: .everything).position
            try arrive(at: before)
            let after: CommitNumber? = try cursor.step(.forward) == .atEnd ? nil : cursor.position
            try arrive(at: before)
            return try hole(before.next...(after?.previous ?? bounds.upper), before: before, after: after)
        }
        return nil
    }

    // MARK: What is met

    /// A position at which a scan may end.
    fileprivate struct Place {
        let position: CommitNumber
        var hits: [StopHit]
        var hole: (lost: ClosedRange<CommitNumber>, before: CommitNumber, after: CommitNumber)?

        init(_ position: CommitNumber, _ hits: [StopHit]) {
            self.position = position
            self.hits = hits
        }
    }

    /// Goes to the first place that counts, and tells why it does; nil where none does.
    ///
    /// - Parameter edge: what lies there is met by no scan in that direction.
    private func meet(
        _ places: [Place], _ direction: SessionDirection, behind edge: CommitNumber, _ search: inout Search,
        _ changed: inout [SessionEvent]
    ) throws(JournalError) -> [SessionStop.Reason]? {
        var passed: ClosedRange<CommitNumber>?
        for place in places where passed?.contains(place.position) != true {
            let known = breakpoints
            let counted = place.hits.filter { counts($0, at: place.position, &search, &changed) }.map(\.question)
            guard !counted.isEmpty || place.hole != nil else { continue }
            if let hole = try arriveBeforeHole(at: place.position) {
                // What is met lies in damage that the scan did not read: nothing is known of its state.
                breakpoints = known
                let side = direction == .forward ? hole.before : hole.after ?? edge
                if direction == .forward ? side > edge : side < edge {
                    try arrive(at: side)
                    return [.hole(hole)]
                }
                passed = hole.lost
                continue
            }
            var reasons: [SessionStop.Reason] = []
            if !counted.isEmpty {
                for hit in try findings(search.items, at: place.position) where counted.contains(hit.question) {
                    if let reason = reason(of: hit, search) { reasons.append(reason) }
                }
            }
            if let found = place.hole {
                reasons.append(.hole(try hole(found.lost, before: found.before, after: found.after)))
            }
            for question in counted where question < search.stops.count { spend(search.stops[question], &changed) }
            return reasons
        }
        return nil
    }

    /// Whether a hit ends the scan; its stop is told of it either way.
    private func counts(
        _ hit: StopHit, at position: CommitNumber, _ search: inout Search, _ changed: inout [SessionEvent]
    ) -> Bool {
        guard hit.question < search.stops.count else {
            if case .failed(let error) = hit.finding {
                search.unanswered.fail(error, at: position)
                return false
            }
            return true
        }
        guard let index = breakpoints.firstIndex(where: { $0.id == search.stops[hit.question] }) else { return false }
        if case .failed = hit.finding { return true }
        breakpoints[index].hitCount += 1
        guard breakpoints[index].ignoreCount > 0 else { return true }
        breakpoints[index].ignoreCount -= 1
        return false
    }

    /// What is met at a position, with what differs there.
    private func findings(_ items: [StopJudge.Item], at position: CommitNumber) throws(JournalError) -> [StopHit] {
        guard position > bounds.lower, let range = PositionRange(position.previous, position) else { return [] }
        let window = try cursor.window(range, StopJudge(items, keepsValues: true)) { false }
        return window.hits.first { $0.position == position }?.hits ?? []
    }

    private func reason(of hit: StopHit, _ search: Search) -> SessionStop.Reason? {
        guard hit.question < search.stops.count else { return search.reason(hit.finding) }
        guard let stop = breakpoints.first(where: { $0.id == search.stops[hit.question] }) else { return nil }
        switch (hit.finding, stop.trigger) {
        case (.failed(let error), _): return .conditionFailed(stop, error)
        case (_, .source), (_, .function): return .breakpoint(stop)
        case (.met(let changes), .watch), (.met(let changes), .derived): return .changed(stop, changes)
        case (.told(let text), _): return .caught(stop, text)
        case (.met, _): return .caught(stop, nil)
        }
    }

    /// Takes a temporary stop away that has stopped.
    private func spend(_ id: Int, _ changed: inout [SessionEvent]) {
        guard let index = breakpoints.firstIndex(where: { $0.id == id }), breakpoints[index].isTemporary else { return }
        changed.append(.stopChanged(breakpoints.remove(at: index), .removed))
    }
}

extension [Session.Place] {
    /// Adds a hole at a position, where something may be met too.
    fileprivate mutating func add(
        _ hole: (lost: ClosedRange<CommitNumber>, before: CommitNumber, after: CommitNumber), at position: CommitNumber
    ) {
        if let index = firstIndex(where: { $0.position == position }) {
            self[index].hole = hole
        } else {
            var place = Session.Place(position, [])
            place.hole = hole
            append(place)
        }
    }
}

extension SessionStop.Reason {
    /// Whether it is a stop that was asked for, not one that ends the motion.
    fileprivate var isMet: Bool {
        switch self {
        case .breakpoint, .changed, .caught, .lastChange: true
        default: false
        }
    }
}
