package import CommandLine
import Diagnostics
package import JSONCore
import JournalFormat
import JournalReading
package import TimeTravel

/// What a question found in a run, in the parts that every report is made of.
package struct Finding: Sendable {
    enum Tone: String, Sendable {
        /// What was looked for is there: an invariant is violated, the state is bad.
        case bad
        case good
        /// There is no answer, or none for every position.
        case unknown
    }

    var tone: Tone
    /// What was found, as a heading: `is violated`, of the invariant that is named; `first bad commit`.
    var what: StoryLine
    /// What was asked: a query, or where one is defined.
    var question = ""
    package var position: Int?
    var last: Int?
    /// The record that made it so, and the number of the last commit, where that is known.
    var record: RecordSummary?
    var lastCommit: Int?
    var cause: RecordSummary?
    var firings = CommitStory.Firings()
    /// For how long, how often, and what has no answer; a sentence each.
    var sentences: [StoryLine] = []
    /// What the invariant gave where it was violated first, for documents.
    var value: JSONValue?
    var commands: [String] = []
    /// The name of the invariant, and the index of its rule; nil for another question.
    package var invariant: String?
    var rule = 0
    var verdict: CheckedJournal.InvariantVerdict?
    /// The positions at which the question could not be evaluated; nil where it could, or another finding has them.
    var failure: CheckedJournal.EvaluationFailure?
    /// What a record did, for reports that point to a line of source; nil where there is nothing to point to.
    var result: Result?

    init(_ tone: Tone, _ what: StoryLine, _ sentences: [StoryLine] = []) {
        (self.tone, self.what, self.sentences) = (tone, what, sentences)
    }

    struct Result: Sendable {
        var place: SourcePlace?
        var heading: String
        var details: [String]
        /// The records on the way, this one last; none unless they were asked for.
        var history: [HistoryStep] = []
        var properties: JSONValue
    }

    /// A record that touched what a question reads, and what that was after it.
    package struct HistoryStep: Sendable {
        let record: RecordSummary
        let place: SourcePlace?
        let state: [(path: String, value: String)]
    }

    package var title: String { (invariant.map { "'\($0)' " } ?? "") + what.text }

    // MARK: For people

    func lines(_ story: CommitStory) -> [StoryLine] {
        let name = invariant.map { $0 + " " } ?? ""
        var lines: [StoryLine]
        if let record {
            lines = story.head(name + what.text, record, of: lastCommit)
            if record.kind == .commit || !record.changes.isEmpty {
                lines += [""] + story.lines(record.changes, most: .text)
            }
        } else if invariant != nil {
            lines = ["\(name + what.text + " from the start", .heading)"]
        } else {
            return sentences + Advice.lookFurther(commands)
        }
        let after = [cause.map(story.cause), story.firings(firings)].compactMap(\.self) + sentences.map { "  " + $0 }
        return lines + (after.isEmpty ? [] : [""]) + after + Advice.lookFurther(commands)
    }

    /// As `total  holds at all 413 positions`.
    var line: StoryLine { "\(invariant ?? "", .heading)  \(what) " + sentences.joined("; ") }

    // MARK: For documents

    static let width = 160

    /// What is said of it where its lines do not show the rest.
    var documented: [String] {
        var texts = sentences.map(\.text)
        if let value { texts.insert(Self.text(value), at: min(1, texts.count)) }
        return (result != nil && record == nil ? ["violated from the start"] : []) + texts
    }

    static func text(_ value: JSONValue) -> String {
        "its value there is " + FittedValue.shortened(value, to: width)
    }

    /// A record's action and what it changed, a line each, as `/cart/total   12 → -6`.
    static func changes(_ record: RecordSummary) -> [String] {
        let story = CommitStory(width: width)
        let action = record.action.map { [story.line($0, indent: 0, column: 9)] } ?? []
        return (action + story.lines(record.changes, indent: 0, most: .document)).map(\.text)
    }

    /// As `caused by commit 117 in Shop/Session.swift:20 refresh()`.
    static func text(cause: RecordSummary) -> String {
        "caused by commit \(cause.title)" + (cause.location.map { " in \($0)" } ?? "") + " \(cause.label)"
    }

    // MARK: For the page

    package var json: JSONValue {
        .members([
            "tone": .string(tone.rawValue), "title": .string(title), "question": .string(question),
            "invariant": invariant.map(JSONValue.string), "position": position.map { .number($0) },
            "last": last.map { .number($0) }, "record": record.map(Finding.json), "cause": cause.map(Finding.json),
            "fired": .array(
                firings.fired.map { .members(["name": .string($0.name), "change": $0.change.map(Finding.json)]) }),
            "sentences": .array(documented.map(JSONValue.string)), "commands": .array(commands.map(JSONValue.string)),
        ])
    }

    package static func json(_ record: RecordSummary) -> JSONValue {
        .members([
            "title": .string(record.title), "seq": .number(record.seq), "isCommit": .bool(record.kind == .commit),
            "store": record.store.map(JSONValue.string), "location": record.location.map(JSONValue.string),
            "label": .string(record.label), "time": .string(record.time), "changes": json(record.changes),
            "more": more(record.changes),
        ])
    }

    package static func json(_ changes: [StateChange]) -> JSONValue {
        .array(changes.prefix(CommitStory.ListedChanges.page.rawValue).map(json))
    }

    package static func more(_ changes: [StateChange]) -> JSONValue? {
        let left = changes.count - CommitStory.ListedChanges.page.rawValue
        return left > 0 ? .number(left) : nil
    }

    private static func json(_ change: StateChange) -> JSONValue {
        guard case .object(var object) = json(change.kind) else { return .null }
        object["path"] = .string(change.path.text)
        return .object(object)
    }

    private static func json(_ effect: StateChange.ChangeKind) -> JSONValue {
        func text(_ value: JSONValue) -> JSONValue { .string(FittedValue.shortened(value, to: 200)) }
        return switch effect {
        case .added(let value): .members(["op": "add", "new": text(value)])
        case .removed(let old): .members(["op": "remove", "old": old.map(text)])
        case .replaced(let new, let old): .members(["op": "replace", "old": old.map(text), "new": text(new)])
        case .moved(let from): .members(["op": "move", "from": .string(from.text)])
        case .copied(let from): .members(["op": "copy", "from": .string(from.text)])
        }
    }
}

extension RecordSummary {
    /// `commit 118`, or the record that stands for it.
    var designation: String { kind == .commit ? "commit \(seq)" : title }
}

/// Journal by journal as they come: for people, for programs, or in a format that another tool reads.
package protocol FindingReport {
    mutating func begin(_ rules: [FindingRule]) throws

    /// Writes that an invariant does not hold any more, of a journal that is followed.
    mutating func write(_ event: CheckedJournal.Event) throws

    mutating func write(_ found: FindingsOfJournal) throws

    mutating func finish(_ status: ExitStatus, _ summary: CheckSummary?) throws
}

extension FindingReport {
    package mutating func begin(_ rules: [FindingRule]) throws {}

    package mutating func write(_ event: CheckedJournal.Event) throws {}

    package mutating func finish(_ status: ExitStatus, _ summary: CheckSummary?) throws {}
}

package struct FindingRule {
    let id: String
    let summary: String
    let description: String
}

package struct FindingsOfJournal {
    let path: String
    package let findings: [Finding]
    var checked: CheckedJournal?
    var messages: [Diagnostic] { checked?.allMessages ?? [] }
    var problems: [Diagnostic] { checked?.problem?.diagnostics ?? [] }
}

extension ReportFormat {
    /// What writes findings in it; nil where commands write their answers themselves.
    func report(_ context: CommandContext, _ root: SourceRoot?) -> (any FindingReport)? {
        switch self {
        case .human, .json, .mermaid: nil
        case .github: Annotations(context.messages, root)
        case .sarif: SarifReport(context.output, context.messages, root)
        case .junit: JUnitReport(context.output)
        case .markdown: MarkdownReport(context.output)
        }
    }
}

extension CommandContext {
    func writeReport(
        _ rule: FindingRule, _ root: SourceRoot?, _ status: ExitStatus, _ found: () throws -> [FindingsOfJournal]
    ) throws {
        guard var report = report?.report(self, root) else { return }
        try report.begin([rule])
        for found in try found() { try report.write(found) }
        try report.finish(status, nil)
    }
}

extension Finding.HistoryStep {
    /// The record that made the state is one of them, if one did; one that cannot be read is left out.
    static func last(
        through position: CommitNumber, by author: OwnedRecord?, reading paths: PathSet, in journal: Journal
    ) -> [Finding.HistoryStep] {
        let places = places(of: paths)
        let found = StateHistory.last(JournalCheck.historyLength, through: position, reading: paths, in: journal)
        guard found.isEmpty else { return found.compactMap { try? Self($0.record, $0.state, places) } }
        guard let author, let state = try? journal.state(at: position, pruning: paths).value else { return [] }
        return [try? Self(author, state, places)].compactMap(\.self)
    }

    private init(_ record: OwnedRecord, _ state: JSONValue, _ places: [JSONPointer]) throws {
        let record = try Record(record)
        self.record = RecordSummary(record, scope: StoreScope(store: nil))
        place = SourcePlace(record)
        self.state = places.prefix(JournalCheck.stateParts).compactMap { path in
            path.value(in: state).map {
                (path: path.text, value: FittedValue.shortened($0, to: JournalCheck.partLength))
            }
        }
    }

    /// The places whose values are shown: each path that is read, down to the first segment that stands for several.
    private static func places(of paths: PathSet) -> [JSONPointer] {
        var places: [JSONPointer] = []
        for text in paths.patterns {
            guard let pattern = try? JSONPointer(parsing: text.replacing("~2", with: "*")) else { continue }
            let isLiteral = !text.utf8.contains(UInt8(ascii: "*"))
            let segments = isLiteral ? pattern.segments : Array(pattern.segments.prefix { $0 != "*" && $0 != "**" })
            let place = JSONPointer(segments)
            if !places.contains(place) { places.append(place) }
        }
        return places
    }
}
