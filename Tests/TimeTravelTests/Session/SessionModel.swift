import JSONCore
import JournalFormat
import JournalReading
import QueryLanguage
import Testing
import TimeTravel

/// What a session must do, said plainly: every state of the run is held, and each motion looks at one position after another.
struct SessionModel {
    let journal: Journal
    let states: [Int: JSONValue]
    /// The positions that have a state, ascending.
    let positions: [Int]
    /// The last number of the journal, which damage may have taken the state of.
    let end: Int
    private let commits: [Int: CommitRecord]
    private let marks: [Int: [String]]
    /// The commits of the file that are left out of the run.
    private let leftOut: Set<Int>

    var place: SessionPosition
    var stops: [ModelStop] = []
    var nextStop = 1
    private var past: [SessionPosition] = []
    private var future: [SessionPosition] = []
    private var lastSubject: String?

    struct ModelStop {
        let id: Int
        let trigger: StopTrigger
        let isTemporary: Bool
        var condition: Query?
        var isEnabled = true
        var ignoreCount = 0
    }

    init(_ run: RandomRun, without skipped: Set<Int> = []) throws {
        journal = run.journal
        (states, leftOut) = skipped.isEmpty ? (run.states, []) : try PlainRun(run).states(without: skipped)
        positions = states.keys.sorted()
        end = run.range.upper.rawValue
        var commits: [Int: CommitRecord] = [:]
        var marks: [Int: [String]] = [:]
        var reader = run.journal.records(recover: true)
        while let line = try reader.next() {
            if line.kind == .commit {
                commits[line.seq.rawValue] = try line.decode { (object) throws(RecordFault) in try CommitRecord(object)
                }
            } else if line.kind == .mark {
                let mark = try line.decode { (object) throws(RecordFault) in try MarkRecord(object) }
                marks[line.seq.rawValue, default: []].append(mark.text)
            }
        }
        self.commits = commits
        self.marks = marks
        place = SessionPosition(CommitNumber(positions.last ?? 0))
    }

    // MARK: Positions

    private var start: Int { positions[0] }
    private var last: Int { positions[positions.count - 1] }
    /// Where the session stands, or the position before the commit that it is inside.
    private var base: Int { place.isInside ? before(place.commit.rawValue) : place.commit.rawValue }

    private func before(_ position: Int) -> Int { positions.last { $0 < position } ?? start }
    private func after(_ position: Int) -> Int? { positions.first { $0 > position } }

    private func hole(_ before: Int, _ after: Int) -> String? {
        (before + 1..<after).first { !leftOut.contains($0) }.map { "hole \($0)...\(after - 1)" }
    }
    private var holeAtEnd: String? { hole(last, end + 1) }

    private mutating func arrive(_ to: SessionPosition, _ reasons: [String]) -> [String] {
        if to != place {
            past.append(place)
            future = []
            lastSubject = nil
        }
        place = to
        return reasons
    }

    private mutating func arrive(_ to: Int, _ reasons: [String]) -> [String] {
        arrive(SessionPosition(CommitNumber(to)), reasons)
    }

    // MARK: Steps

    mutating func step(_ direction: SessionDirection, _ count: Int) -> [String] {
        var here = base
        var isInside = place.isInside
        for done in 0..<count {
            if direction == .backward {
                if isInside {
                    isInside = false
                    continue
                }
                if here == start { return arrive(here, ["start"]) }
                let next = before(here)
                if let hole = hole(next, here) { return arrive(done == 0 ? next : here, [hole]) }
                here = next
            } else {
                isInside = false
                guard let next = after(here) else { return arrive(here, [holeAtEnd ?? "end"]) }
                if let hole = hole(here, next) { return arrive(done == 0 ? next : here, [hole]) }
                here = next
            }
        }
        return arrive(here, ["arrived"])
    }

    mutating func stepChange(_ direction: SessionDirection) -> [String] {
        let commit = place.commit.rawValue
        if let made = place.changes {
            let count = commits[commit]?.patch.operations.count ?? 0
            let next = made + (direction == .forward ? 1 : -1)
            if next == 0 { return arrive(before(commit), ["arrived"]) }
            return arrive(SessionPosition(place.commit, changes: next == count ? nil : next), ["arrived"])
        }
        let passed = direction == .forward ? after(commit) : commit
        guard let passed, passed > start, hole(before(passed), passed) == nil,
            let count = commits[passed]?.patch.operations.count, count > 1
        else { return step(direction, 1) }
        let made = direction == .forward ? 1 : count - 1
        return arrive(SessionPosition(CommitNumber(passed), changes: made), ["arrived"])
    }

    mutating func go(to position: Int) -> [String]? {
        if states[position] != nil { return arrive(position, ["arrived"]) }
        let before = before(position)
        return leftOut.isEmpty || hole(before, position + 1) != nil ? nil : arrive(before, ["arrived"])
    }
    mutating func goToEnd() -> [String] { arrive(last, [holeAtEnd ?? "end"]) }

    mutating func go(_ direction: SessionDirection, _ count: Int) -> [String]? {
        let places = direction == .backward ? past : future
        guard count <= places.count else { return nil }
        var here = place
        for _ in 0..<count {
            if direction == .backward {
                future.append(here)
                here = past.removeLast()
            } else {
                past.append(here)
                here = future.removeLast()
            }
        }
        if here != place { lastSubject = nil }
        place = here
        return ["arrived"]
    }

    // MARK: Scans

    mutating func resume(_ direction: SessionDirection, _ count: Int) -> [String] {
        let from = place
        var reasons: [String] = []
        for _ in 0..<count {
            (place, reasons) = scan(direction, until: nil)
            if reasons.contains(where: Self.ends) { break }
        }
        let to = place
        place = from
        return arrive(to, reasons)
    }

    private static func ends(_ reason: String) -> Bool {
        ["start", "end", "hole", "failed"].contains { reason.hasPrefix($0) }
    }

    mutating func until(_ query: Query, _ direction: SessionDirection) -> [String] {
        let (to, reasons) = scan(direction, until: query)
        return arrive(to, reasons)
    }

    private mutating func scan(
        _ direction: SessionDirection, until query: Query?
    ) -> (SessionPosition, [String]) {
        var here = base
        var failures = 0
        func done(_ reasons: [String]) -> (SessionPosition, [String]) {
            (SessionPosition(CommitNumber(here)), reasons + (failures > 0 ? ["unanswered \(failures)"] : []))
        }
        let isInside = place.isInside
        var isFirst = true
        while true {
            let next: Int
            if direction == .forward {
                guard let following = after(here) else { return done([holeAtEnd ?? "end"]) }
                next = following
            } else if isInside, isFirst {
                // The position before the commit has not been at yet.
                next = here
                if next == start { return done(["start"]) }
            } else {
                guard here > start else { return done(["start"]) }
                next = before(here)
            }
            isFirst = false
            here = next
            if here == start, direction == .backward { return done(["start"]) }
            var reasons = meet(at: here)
            if let query {
                switch verdict(query, here) {
                case true?: reasons.append("holds")
                case nil: failures += 1
                case false?: break
                }
            }
            let other = direction == .forward ? after(here) : before(here)
            if let other, let hole = direction == .forward ? hole(here, other) : hole(other, here) {
                reasons.append(hole)
            }
            if !reasons.isEmpty { return done(reasons) }
        }
    }

    /// What is met at a position, and what becomes of the stops for it.
    private mutating func meet(at position: Int) -> [String] {
        var reasons: [String] = []
        for index in stops.indices where stops[index].isEnabled {
            guard var reason = met(stops[index], at: position) else { continue }
            if !reason.hasPrefix("failed"), let condition = stops[index].condition {
                switch verdict(condition, position) {
                case false?: continue
                case true?: break
                case nil: reason = "failed \(stops[index].id)"
                }
            }
            if !reason.hasPrefix("failed"), stops[index].ignoreCount > 0 {
                stops[index].ignoreCount -= 1
                continue
            }
            reasons.append(reason)
        }
        let spent = Set(reasons.compactMap { Int($0.split(separator: " ")[1]) })
        stops.removeAll { $0.isTemporary && spent.contains($0.id) }
        return reasons
    }

    private func met(_ stop: ModelStop, at position: Int) -> String? {
        let old = before(position)
        switch stop.trigger {
        case .watch(let watch): return changes(watch, position).map { "changed \(stop.id) \($0)" }
        case .violation(let query):
            let (before, now) = (good(query, old), good(query, position))
            if now == false, before != false { return "caught \(stop.id)" }
            return now == nil && before == true ? "failed \(stop.id)" : nil
        case .mark:
            // What was said after a commit that is left out is met at the next position.
            return (old + 1...position).compactMap { marks[$0]?.first }.first.map { "caught \(stop.id) \($0)" }
        case .source(let file, let line):
            let isMet = commits[position].map { $0.at.file.hasSuffix(file) && $0.at.line == line ?? $0.at.line }
            return hole(old, position) == nil && isMet == true ? "break \(stop.id)" : nil
        case .function(let name):
            let isMet = commits[position].map { $0.at.function.hasPrefix(name) || $0.name == name }
            return hole(old, position) == nil && isMet == true ? "break \(stop.id)" : nil
        case .derived, .abort: return nil
        }
    }

    mutating func last(_ watch: WatchSubject) -> [String] {
        var here = base
        if lastSubject != watch.text, case .places(let matcher) = watch.subject, let inner = stateInside,
            let changes = Self.changes(matcher, states[base] ?? .null, inner)
        {
            defer { lastSubject = watch.text }
            return arrive(place, ["last \(changes)"])
        }
        if place.isInside || lastSubject == watch.text {
            if !place.isInside { here = here == start ? start : before(here) }
        }
        while here > start {
            if let changes = changes(watch, here) {
                defer { lastSubject = watch.text }
                return arrive(here, ["last \(changes)"])
            }
            here = before(here)
        }
        return ["noChange"]
    }

    // MARK: Queries

    private func context(_ position: Int) -> QueryContext {
        QueryContext(old: position == start ? .null : states[before(position)] ?? .null, seq: position)
    }

    private func verdict(_ query: Query, _ position: Int) -> Bool? {
        Condition(bad: query).verdict(on: states[position] ?? .null, context: context(position)).isBad
    }

    private func good(_ query: Query, _ position: Int) -> Bool? {
        Condition(good: query).verdict(on: states[position] ?? .null, context: context(position)).isBad.map { !$0 }
    }

    private func changes(_ watch: WatchSubject, _ position: Int) -> String? {
        let old = before(position)
        switch watch.subject {
        case .query(let query):
            let (before, now) = (outcome(query, old), outcome(query, position))
            return before == now ? nil : "[\(before) \(now)]"
        case .places(let matcher): return Self.changes(matcher, states[old] ?? .null, states[position] ?? .null)
        }
    }

    private static func changes(_ matcher: PathMatcher, _ a: JSONValue, _ b: JSONValue) -> String? {
        let paths = matcher.matches(in: b) + matcher.matches(in: a).filter { $0.value(in: b) == nil }
        let differing = paths.filter { $0.value(in: a) != $0.value(in: b) }
        if differing.isEmpty { return nil }
        return differing.map {
            "\($0.text) \($0.value(in: a)?.text() ?? "nothing") \($0.value(in: b)?.text() ?? "nothing")"
        }.joined(separator: ", ")
    }

    /// The state after the changes that are made of the commit that the session is inside; nil where it is in none.
    private var stateInside: JSONValue? {
        guard let made = place.changes, let commit = commits[place.commit.rawValue],
            var stores = states[base]?.object, var state = stores[commit.store]
        else { return nil }
        try? JSONPatch(Array(commit.patch.operations.prefix(made))).apply(to: &state)
        stores[commit.store] = state
        return .object(stores)
    }

    private func outcome(_ query: Query, _ position: Int) -> String {
        do throws(QueryError) {
            return try query.first(of: states[position] ?? .null, context: context(position))?.text() ?? "nothing"
        } catch {
            return "fails"
        }
    }
}

/// A stop as the model tells it.
func described(_ stop: SessionStop) -> [String] {
    func text(_ outcome: QueryOutcome) -> String {
        switch outcome {
        case .value(let value): value.text()
        case .nothing: "nothing"
        case .failed: "fails"
        }
    }
    func text(_ changes: [ValueChange]) -> String {
        if changes.count == 1, changes[0].path.segments.isEmpty {
            return "[\(text(changes[0].old)) \(text(changes[0].new))]"
        }
        return changes.map { "\($0.path.text) \(text($0.old)) \(text($0.new))" }.joined(separator: ", ")
    }
    return stop.reasons.map { reason in
        switch reason {
        case .arrived: "arrived"
        case .start: "start"
        case .end: "end"
        case .breakpoint(let stop): "break \(stop.id)"
        case .changed(let stop, let changes): "changed \(stop.id) \(text(changes))"
        case .caught(let stop, let told): "caught \(stop.id)" + (told.map { " \($0)" } ?? "")
        case .conditionFailed(let stop, _): "failed \(stop.id)"
        case .holds: "holds"
        case .unanswered(let unanswered): "unanswered \(unanswered.count)"
        case .lastChange(_, let changes): "last \(text(changes))"
        case .noChange: "noChange"
        case .hole(let hole): "hole \(hole.lost.lowerBound)...\(hole.lost.upperBound)"
        case .interrupted: "interrupted"
        }
    }
}
