package import CommandLine
import Diagnostics
package import JSONCore
import JournalFormat
import JournalReading
import TimeTravel

/// What a question found in a run, in the parts that every report is made of.
package struct Finding: Sendable {
    enum Tone: String, Sendable {
        /// What was looked for is there: an invariant is violated, the state is bad.
        case bad
        /// It is nowhere.
        case good
        /// There is no answer, or none for every position.
        case unknown
    }

    var tone: Tone
    /// What was found, as a heading: `'total' is violated`.
    package var title: String
    /// What was asked: a query, or where one is defined.
    package var question: String
    /// The position that shows it; nil where none does.
    package var position: Int?
    /// The last position at which it is so.
    package var last: Int?
    /// The record that made it so.
    package var record: RecordSummary?
    package var cause: RecordSummary?
    package var firings = CommitBlock.Firings()
    /// For how long, how often, and what has no answer; a sentence each.
    var sentences: [String] = []
    package var commands: [String] = []
    /// The name of the invariant; nil for another question.
    package var invariant: String?
    /// At how many positions it is so.
    package var positions: Int?
    /// The index of the rule that it is about.
    var rule = 0
    /// The positions at which the question could not be evaluated; nil where it could, or another finding has them.
    package var failure: CheckedJournal.EvaluationFailure?
    /// What a record did, for reports that point to a line of source; nil where there is nothing to point to.
    package var result: Result?

    /// A record that made something bad.
    package struct Result: Sendable {
        package var place: SourcePlace?
        package var heading: String
        package var details: [String]
        /// The records on the way, this one last; none unless they were asked for.
        package var history: [HistoryStep] = []
        package var properties: JSONValue
    }

    /// A record that touched what a question reads, and what that was after it.
    package struct HistoryStep: Sendable {
        let record: RecordSummary
        let place: SourcePlace?
        let state: [(path: String, value: String)]
    }

    /// The columns of a value; a page does not have room for a whole state.
    private static let width = 200
    private static let mostChanges = 24

    package var json: JSONValue {
        .members([
            "tone": .string(tone.rawValue), "title": .string(title), "question": .string(question),
            "invariant": invariant.map(JSONValue.string), "position": position.map { .number($0) },
            "last": last.map { .number($0) }, "record": record.map(Finding.json), "cause": cause.map(Finding.json),
            "fired": .array(
                firings.fired.map { .members(["name": .string($0.name), "change": $0.change.map(Finding.json)]) }),
            "sentences": .array(sentences.map(JSONValue.string)), "commands": .array(commands.map(JSONValue.string)),
        ])
    }

    package static func json(_ record: RecordSummary) -> JSONValue {
        .members([
            "title": .string(record.title), "seq": .number(record.seq), "isCommit": .bool(record.kind == .commit),
            "store": record.store.map(JSONValue.string), "location": record.location.map(JSONValue.string),
            "label": .string(record.label), "time": .string(record.time),
            "changes": .array(record.changes.prefix(mostChanges).map(json)),
            "more": record.changes.count > mostChanges ? .number(record.changes.count - mostChanges) : nil,
        ])
    }

    package static func json(_ change: Change) -> JSONValue {
        guard case .object(var object) = json(change.effect) else { return .null }
        object["path"] = .string(change.path)
        return .object(object)
    }

    private static func json(_ effect: Change.Effect) -> JSONValue {
        func text(_ value: JSONValue) -> JSONValue { .string(FittedValue.shortened(value, to: width)) }
        return switch effect {
        case .added(let value): .members(["op": "add", "new": text(value)])
        case .removed(let old): .members(["op": "remove", "old": old.map(text)])
        case .replaced(let old, let new): .members(["op": "replace", "old": old.map(text), "new": text(new)])
        case .moved(let from): .members(["op": "move", "from": .string(from)])
        }
    }
}

/// Writes findings in a format that another tool reads, journal by journal as they come.
package protocol FindingReport {
    /// Writes what stands before the findings.
    mutating func begin(_ rules: [FindingRule]) throws

    mutating func write(_ found: FindingsOfJournal) throws

    /// Writes what follows the last journal.
    mutating func finish(_ status: ExitStatus, _ summary: CheckSummary?) throws
}

extension FindingReport {
    package mutating func begin(_ rules: [FindingRule]) throws {}

    package mutating func finish(_ status: ExitStatus, _ summary: CheckSummary?) throws {}
}

/// A question that findings answer, as a document lists it.
package struct FindingRule {
    package let id: String
    package let summary: String
    package let description: String
}

package struct FindingsOfJournal {
    let path: String
    let findings: [Finding]
    var messages: [Diagnostic] = []
    /// Why it cannot be read; none where it can.
    var problems: [Diagnostic] = []
}

extension ReportFormat {
    /// What writes findings in it; nil where commands write their answers themselves.
    package func report(_ context: CommandContext, _ root: SourceRoot?) -> (any FindingReport)? {
        switch self {
        case .human, .json, .mermaid: nil
        case .github: Annotations(context.messages, root)
        case .sarif: SarifReport(context.output, context.messages, root)
        case .junit: JUnitReport(context.output)
        case .markdown: MarkdownReport(context.output)
        }
    }
}

extension Finding.HistoryStep {
    /// How a state came to be: the last records up to a position that touched what a question reads.
    ///
    /// At least the record that made it, if one did; one that cannot be read is left out.
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
