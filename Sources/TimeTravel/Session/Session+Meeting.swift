import JSONCore
import JournalFormat
import JournalReading
import QueryLanguage

extension Session {
    struct MetPlace {
        let position: CommitNumber
        var hits: [StopHit]
        var hole: (lost: ClosedRange<CommitNumber>, before: CommitNumber, after: CommitNumber)?
    }

    /// Goes to the first place that counts, and returns the reasons; what lies at `edge` is met by no scan in that direction.
    func meet(
        _ places: [MetPlace], _ direction: SessionDirection, after edge: CommitNumber, _ search: inout Search,
        _ calls: SessionCalls, _ changed: inout [SessionEvent]
    ) throws(JournalError) -> [SessionStop.Reason]? {
        var passed: ClosedRange<CommitNumber>?
        for place in places where passed?.contains(place.position) != true {
            let known = breakpoints
            var counted = place.hits.filter { counts($0, at: place.position, &search, &changed) }.map(\.question)
            let hasLogged = log(&counted, at: place.position, search, calls)
            if hasLogged, counted.isEmpty, place.hole == nil, calls.isInterrupted() {
                let hole = try arriveBeforeHole(at: place.position).map(SessionStop.Reason.hole)
                return [.interrupted] + [hole].compactMap(\.self)
            }
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

    /// Whether a hit ends the scan; its stop counts it either way.
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
        if breakpoints[index].hits?.includes(breakpoints[index].hitCount) == false { return false }
        guard breakpoints[index].ignoreCount > 0 else { return true }
        breakpoints[index].ignoreCount -= 1
        return false
    }

    /// None in damage, whose state is not known; takes the hits out, and returns whether one was logged.
    private func log(
        _ counted: inout [Int], at position: CommitNumber, _ search: Search, _ calls: SessionCalls
    ) -> Bool {
        guard breakpoints.contains(where: { $0.log != nil }) else { return false }
        let before = counted.count
        lazy var isKnown = (try? cursor.state(at: position, reading: .everything)) != nil
        counted.removeAll { question in
            guard question < search.stops.count,
                let stop = breakpoints.first(where: { $0.id == search.stops[question] }), let queries = stop.log
            else { return false }
            if isKnown { calls.log(stop, position, queries.map { outcome(of: $0, at: position) }) }
            return true
        }
        return counted.count < before
    }

    func findings(_ items: [StopJudge.Item], at position: CommitNumber) throws(JournalError) -> [StopHit] {
        guard position > bounds.lower, let range = PositionRange(position.previous, position) else { return [] }
        let window = try states.window(range, StopJudge(items, keepsValues: true)) { false }
        return window.hits.first { $0.position == position }?.hits ?? []
    }

    private func reason(of hit: StopHit, _ search: Search) -> SessionStop.Reason? {
        guard hit.question < search.stops.count else { return search.reason(hit.finding) }
        guard let stop = breakpoints.first(where: { $0.id == search.stops[hit.question] }) else { return nil }
        switch (hit.finding, stop.trigger) {
        case (.failed(let error), _): return .conditionFailed(stop, error)
        case (_, .source), (_, .function): return .breakpoint(stop)
        case (.met(let changes), .watch), (.met(let changes), .derived): return .changed(stop, changes)
        case (.reported(let text), _): return .caught(stop, text)
        case (.met, _): return .caught(stop, nil)
        }
    }

    private func spend(_ id: Int, _ changed: inout [SessionEvent]) {
        guard let index = breakpoints.firstIndex(where: { $0.id == id }), breakpoints[index].isTemporary else { return }
        changed.append(.stopChanged(breakpoints.remove(at: index), .removed))
    }
}

extension StopWindow {
    func places(_ isWanted: (CommitNumber) -> Bool) -> [Session.MetPlace] {
        hits.filter { isWanted($0.position) }.map { Session.MetPlace(position: $0.position, hits: $0.hits) }
    }
}

extension [Session.MetPlace] {
    mutating func add(
        _ hole: (lost: ClosedRange<CommitNumber>, before: CommitNumber, after: CommitNumber), at position: CommitNumber
    ) {
        if let index = firstIndex(where: { $0.position == position }) {
            self[index].hole = hole
        } else {
            append(Session.MetPlace(position: position, hits: [], hole: hole))
        }
    }
}
