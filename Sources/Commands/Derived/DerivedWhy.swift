import CommandLine
import Diagnostics
import JSONCore
import JournalFormat
import JournalReading
import QueryLanguage
import TimeTravel

/// `derived --why NAME`: which of its inputs a commit changed, or why a derived value did not fire.
struct DerivedWhy {
    private let value: DerivedValue
    private let firing: DerivedFiring
    private let sources: [DerivedFiring]
    private let old: JSONValue
    private let new: JSONValue
    private let changes: [StateChange]
    private let touched: [JSONPointer]
    private let record: Record
    private let scope: StoreScope

    init(
        _ name: String, at range: PositionRange, of values: [DerivedValue], in journal: Journal, _ scope: StoreScope
    ) throws {
        guard let value = values.first(where: { UTF8Order.equal($0.name, name) }) else {
            throw Self.unknown(name, values)
        }
        let firings = try DerivedFirings(journal, range, values: values, everyCommit: true)
        var last: [DerivedFiring] = []
        while let next = try firings.next() { last = next }
        guard let firing = last.first(where: { UTF8Order.equal($0.name, name) }) else {
            throw Self.unknown(name, values)
        }
        (self.value, self.firing, self.scope) = (value, firing, scope)
        sources = last.filter { source in value.from.contains { UTF8Order.equal($0, source.name) } }
        old = try journal.state(at: range.lower, pruning: value.reads).value.pruned(to: value.reads)
        new = try journal.state(at: range.upper, pruning: value.reads).value.pruned(to: value.reads)
        changes = StateChange.all(in: JSONPatch.difference(from: old, to: new)).map { $0.shown(in: scope) }
        let commit = try journal.record(of: range.upper).decode { (object) throws(RecordFault) in
            try CommitRecord(object)
        }
        touched = commit.patch.inStore(commit.store).operations.filter { value.reads.mayBeTouched(by: $0) }.map(\.path)
        record = try Record(firing.record)
    }

    func write(_ context: CommandContext, _ citation: Citation?) throws {
        switch context.format {
        case .json: try context.writeJSON(Self.answer(self), citation)
        case .human: try context.write(story(context))
        }
    }

    private func member(_ change: StateChange) -> JSONValue {
        let path = JSONValue.string(scope.text(of: change.path))
        return switch change.kind {
        case .added(let value): .members(["path": path, "value": value])
        case .removed(let old): .members(["path": path, "old": old])
        case .replaced(let value, let old): .members(["path": path, "old": old, "value": value])
        case .moved(let from), .copied(let from): .members(["path": path, "from": .string(scope.text(of: from))])
        }
    }

    private static func member(_ source: DerivedFiring) -> JSONValue {
        .members(["name": .string(source.name), "outcome": .string(source.outcome.rawValue)])
    }

    private func story(_ context: CommandContext) -> [StoryLine] {
        let story = CommitStory(context)
        var lines: [StoryLine] = ["\(firing.name, .heading)  \(verdict)  \(place, .dim)"]
        if let value = firing.value {
            let shown: StateChange.ChangeKind =
                firing.outcome == .fired ? .replaced(value, old: firing.old) : .added(value)
            let room = min(60, (context.terminal.width ?? 62) - 2)
            lines.append(
                "  " + (firing.outcome == .fired ? story.effect(shown, room: room) : "\(story.value(value, after: 2))"))
        }
        if !changes.isEmpty { lines += ["", "  its inputs that changed:"] + story.lines(changes, indent: 4) }
        if changes.isEmpty, !touched.isEmpty {
            let paths = touched.map { scope.text(of: $0) }.joined(separator: ", ")
            lines += ["", "  written, with what was there: \(paths)"]
        }
        for source in sources where source.outcome != .untouched {
            lines.append("  reads \(source.name), which was: \(source.outcome.rawValue)")
        }
        if firing.outcome == .untouched {
            let patterns = value.reads.patterns.map { $0.isEmpty ? "(all)" : $0 }.joined(separator: ", ")
            lines += ["", "  it reads: \(patterns)"]
        }
        return lines
    }

    private var verdict: String {
        switch firing.outcome {
        case .fired: "fired at \(firing.seq.rawValue)"
        case .same: "did not fire at \(firing.seq.rawValue): its inputs changed, its value is the same"
        case .unchanged:
            "did not fire at \(firing.seq.rawValue): what it reads was written, but is equal to what it was"
        case .untouched: "did not fire at \(firing.seq.rawValue): nothing that it reads was written"
        case .recomputed: "was computed anew at \(firing.seq.rawValue); its formula is not in the journal"
        }
    }

    private var place: String {
        let summary = RecordSummary(record, scope: StoreScope(store: nil))
        return [summary.location, summary.function].compactMap(\.self).joined(separator: "  ")
    }

    private static func unknown(_ name: String, _ values: [DerivedValue]) -> CommandFailure {
        let names = values.map(\.name)
        let known = names.isEmpty ? "there are none" : "there are " + names.map { "'\($0)'" }.joined(separator: ", ")
        return CommandFailure(
            .notThere, code: "derived.unknown", "there is no derived value '\(name)'", notes: [known],
            help: SimilarNames.nearest(to: name, in: names).map { "write '\($0)'" }
                + ["'--define \(name)=QUERY' defines it"])
    }

    static let answer = AnswerKind<DerivedWhy>(
        "derived.why", "why a derived value fired at a commit, or did not",
        DerivedPrinter.members("the number of the commit", \.firing) + [
            .always(
                "changed", #"its inputs that changed, one object each: "path", and "old", "value" or "from""#
            ) { why in
                StateChange.all(in: JSONPatch.difference(from: why.old, to: why.new)).map(why.member)
            },
            .always("touched", "the paths of its inputs that were written") { why in
                why.touched.map { why.scope.text(of: $0) }
            },
            .always("from", #"the derived values that it reads, one object each: "name" and "outcome""#) { why in
                why.sources.map(member)
            },
            .always("inputs", #"its inputs before ("old") and after ("new")"#) { why in
                JSONValue.members(["old": why.scope.part(of: why.old), "new": why.scope.part(of: why.new)])
            },
            DerivedPrinter.recorded(\.firing),
            .always("time", "when the record was made, null where there is none", .time, of: \.record),
            .always("at", "the place in the source of the record, null where it has none", .at, of: \.record),
        ])
}
