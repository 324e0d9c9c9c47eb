import CommandLine
import Diagnostics
import JSONCore
import JournalFormat
import JournalReading
import QueryLanguage
import TimeTravel

/// Everything of the journal is escaped.
struct DebugPrinter {
    let width: Int?
    let story: CommitStory
    private let scope = StoreScope(store: nil)

    private static let mostChanges = CommitStory.ListedChanges.debugger.rawValue
    /// How many columns of a value are shown where the screen has no end.
    private static let valueLimit = 400

    init(width: Int?) { (self.width, story) = (width, CommitStory(width: width)) }

    // MARK: Events

    func lines(_ event: SessionEvent, _ session: Session) throws -> [StoryLine] {
        switch event {
        case .stopped(let stop): return try lines(stop, session)
        case .stopChanged(let stop, let change): return lines(stop, change)
        case .displayed(let display, let outcome): return [line(display, outcome)]
        case .checkpointMade(let name, let position):
            return ["Checkpoint \(name): \(self.name(position))"]
        case .journalChanged(let from, let to):
            return to > from
                ? ["the journal has grown: commits \(from.next) to \(to) are new"]
                : ["the journal was cut: it ends with commit \(to), not \(from)"]
        case .skipping(let commits): return [skipping(commits)]
        case .conflict(let conflict): return [line(conflict)]
        }
    }

    private func lines(_ stop: SessionBreakpoint, _ change: SessionEvent.Change) -> [StoryLine] {
        switch change {
        case .added: ["\(stop.kind) \(stop.id): \(conditional(stop))"]
        case .removed: stop.isTemporary ? [] : ["deleted \(stop.kind.lowercased()) \(stop.id)"]
        case .changed:
            stop.ignoreCount > 0 ? ["will pass \(stop.id) the next \(Self.times(stop.ignoreCount))"] : []
        }
    }

    private static func times(_ count: Int) -> String { count == 1 ? "time" : "\(count) times" }

    private func skipping(_ commits: CommitList) -> StoryLine {
        if commits.isEmpty { return "the run is as it was" }
        let named = commits.prefix(10).map { "\($0)" }.joined(separator: ", ")
        let more = commits.count > 10 ? " and \(commits.count - 10) more" : ""
        return "the run without \(commits.count == 1 ? "commit" : "commits") \(named)\(more)"
    }

    private func line(_ conflict: Run.Conflict) -> StoryLine {
        switch conflict.effect {
        case .leftOut: return "commit \(conflict.record.seq) no longer applies and is left out too"
        case .applied(let path, let old, let found):
            return "commit \(conflict.record.seq) found \(value(found)) at \(path.text), not \(value(old))"
        }
    }

    // MARK: Stops

    private func lines(_ stop: SessionStop, _ session: Session) throws -> [StoryLine] {
        var lines: [StoryLine] = []
        var showsChanges = true
        for reason in stop.reasons {
            lines += self.lines(reason, at: stop.position.commit)
            if let opened = try StopStory.opening(reason, in: session) { lines.append(opened) }
            switch reason {
            case .changed, .lastChange, .noChange: showsChanges = false
            default: break
            }
        }
        let isSame = stop.position == stop.from && stop.reasons.allSatisfy(\.isEnd)
        return lines + (isSame ? [] : try place(session, showsChanges: showsChanges))
    }

    private func lines(_ reason: SessionStop.Reason, at position: CommitNumber) -> [StoryLine] {
        let story = StopStory(reason, at: position)
        switch reason {
        // The place that follows shows it.
        case .holds: return []
        case .start: return [(story.text ?? "").all(.heading)]
        case .end: return [(story.text ?? "").all(.heading) + ", commit \(position)"]
        default: break
        }
        let title = story.stop.map(title) ?? story.subject?.all(.heading)
        let head = [title, story.text].compactMap(\.self)
        return (head.isEmpty ? [] : [head.joined(": ")]) + story.notes
            + lines(story.changes, of: story.stop?.trigger.subject.map { "\($0.text)" } ?? story.subject)
    }

    /// - Parameter subject: what was watched; a changed path is shown if it is another.
    private func lines(_ changes: [ValueChange], of subject: StoryLine?) -> [StoryLine] {
        var lines: [StoryLine] = []
        for change in changes.prefix(Self.mostChanges) {
            if !change.path.segments.isEmpty, subject != "\(change.path.text)" {
                lines.append("\(change.path.text, .path)")
            }
            lines += ["Old value = \(text(change.old))", "New value = \(text(change.new))"]
            if let record = change.record, record.kind == .store, let store = try? Record(record).store {
                lines.append("by the store '\(store)', which opened after the commit")
            }
        }
        if changes.count > Self.mostChanges { lines.append("and \(changes.count - Self.mostChanges) more places") }
        return lines
    }

    // MARK: Places

    func place(_ session: Session, showsChanges: Bool) throws -> [StoryLine] {
        let position = session.position
        guard let record = try session.commitRecord() else {
            let isStart = position.commit == session.bounds.lower
            return ["\(isStart ? "start" : "position \(position.commit)", .commit)"]
        }
        return try place(of: record, made: position.changes, showsChanges: showsChanges)
    }

    /// - Parameter changes: how many of the commit's changes are made; nil for all.
    func place(of record: OwnedRecord, made changes: Int? = nil, showsChanges: Bool) throws -> [StoryLine] {
        let summary = RecordSummary(try Record(record), scope: scope)
        var head: StoryLine = "\("commit \(record.seq)", .commit)"
        if let made = changes { head += ", \(made) of \(summary.changes.count) changes made" }
        let place = [summary.location, summary.label].compactMap(\.self).filter { !$0.isEmpty }.joined(separator: " ")
        if !place.isEmpty { head += " · \(place, .location)" }
        if let cause = summary.cause { head += "\("  ← \(cause)", .dim)" }
        let top = [head, story.action(summary)].compactMap(\.self)
        guard showsChanges, !summary.changes.isEmpty else { return top }
        guard let made = changes else { return top + story.lines(summary.changes, most: .debugger) }
        return top + story.lines(summary.changes.prefix(made).suffix(1), indent: 2)
    }

    func name(_ position: SessionPosition) -> String {
        let made = position.changes.map { ", \($0.counted("change")) made" }
        return "commit \(position.commit)" + (made ?? "")
    }

    func when(_ session: Session) throws -> [StoryLine] {
        let position = session.position
        guard let record = try session.commitRecord() else {
            return ["position \(position.commit) of \(session.bounds.upper)"]
        }
        let summary = RecordSummary(try Record(record), scope: scope)
        let place = [summary.store, summary.location, summary.label].compactMap(\.self).joined(separator: "  ")
        return ["\(name(position)) of \(session.bounds.upper)", "\(summary.time)", "\(place)"]
    }

    // MARK: Things

    private func title(_ stop: SessionBreakpoint) -> StoryLine {
        "\("\(stop.kind) \(stop.id)", .heading): \(stop.subject)"
    }

    private func conditional(_ stop: SessionBreakpoint) -> StoryLine {
        stop.subject + (stop.condition.map { " if \($0.text)" } ?? "")
    }

    func table(of stops: [SessionBreakpoint]) -> [StoryLine] {
        guard !stops.isEmpty else { return ["nothing stops the run"] }
        return stops.map { stop -> [StoryLine] in
            var facts: [String] = []
            if !stop.isEnabled { facts.append("(disabled)") }
            if stop.hitCount > 0 { facts.append("met \(stop.hitCount == 1 ? "once" : "\(stop.hitCount) times")") }
            if stop.ignoreCount > 0 { facts.append("passes \(stop.ignoreCount) more") }
            let cells: [StoryLine] = ["\(stop.id)", "\(stop.kind.lowercased())", conditional(stop)]
            return facts.isEmpty ? cells : cells + ["\(facts.joined(separator: "  "))"]
        }.aligned()
    }

    func lines(_ life: ValueLife, of subject: WatchSubject) -> [StoryLine] {
        var lines: [StoryLine] = []
        if life.rows.isEmpty { lines.append("nothing changes '\(subject.text)'") }
        let room = max(20, (width ?? 100) / 4)
        func short(_ outcome: QueryOutcome) -> String { DisplayWidth.clipped(text(outcome), to: room) }
        lines += life.rows.map { row -> [StoryLine] in
            ["\(row.position)"] + (row.path.isEmpty ? [] : ["\(row.path)"])
                + ["\(short(row.old)) → \(short(row.new))", "\(row.clock)", "\(row.place)"]
        }.aligned(right: 0...0).map { $0.clipped(to: width) }
        if let numbers = life.numbers, numbers.count > 1 {
            lines.append("\(Sparkline.text(numbers, columns: max(8, (width ?? 80) - 1)))")
        }
        switch life.end {
        case .whole: break
        case .interrupted: lines.append("interrupted: there may be more")
        case .tooMany: lines.append("no more than \(ValueLife.limit) changes are listed")
        }
        return lines
    }

    func line(_ display: SessionDisplay, _ outcome: QueryOutcome) -> StoryLine {
        "\(display.id): \(display.query.text) = \(text(outcome))"
    }

    func stores(_ state: JSONValue) -> [StoryLine] {
        guard case .object(let stores) = state, !stores.isEmpty else { return ["no store is open here"] }
        return stores.map { ["\($0)", "\(value($1))"] }.aligned()
    }

    /// Nil where nothing made the last commit of the chain.
    func end(of chain: CauseChain) -> String? {
        switch chain.end {
        case .complete: nil
        case .beforeFile(let cause): "caused by \(cause), which lies before this file"
        case .lost(let cause): "caused by \(cause), which was lost"
        case .notEarlier(let cause): "it names \(cause) as its cause, which is not earlier"
        case .damaged(let cause, _): "caused by \(cause), which cannot be read"
        case .tooLong: "and so on"
        }
    }

    func sourceLine(_ number: Int, _ text: String, isMarked: Bool) -> StoryLine {
        let expanded = text.replacing("\t", with: "    ")
        let margin = String(repeating: " ", count: max(0, 5 - String(number).count))
        let line: StoryLine = "\(isMarked ? "→" : " ", .mark)\(margin + "\(number)", .dim)"
        return (line + "\(expanded.isEmpty ? "" : "  " + expanded)").clipped(to: width)
    }

    func value(_ value: JSONValue) -> String {
        FittedValue.clipped(value, to: width.map { max(20, $0 - 14) } ?? Self.valueLimit)
    }

    private func text(_ outcome: QueryOutcome) -> String { outcome.text(nothing: "(nothing)", value) }
}

extension SessionStop.Reason {
    fileprivate var isEnd: Bool {
        switch self {
        case .start, .end, .hole, .unanswered: true
        default: false
        }
    }
}
