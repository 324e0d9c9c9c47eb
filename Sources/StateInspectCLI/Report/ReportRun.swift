import JSONCore
import JournalFormat
import JournalReading
import TimeTravel

/// One run of a report: its lines, and what was found in it.
struct ReportRun {
    /// The journal that was asked.
    let journal: Journal
    /// What may be shown of it, where that is not all.
    let copy: RedactedCopy?
    /// What part of it the page has.
    let range: PositionRange
    /// Its lines.
    let chunks: RunChunks
    /// What was found.
    let findings: [Finding]
    /// What `check` says of it.
    let checked: CheckedJournal?
    private let lastCommit: CommitNumber
    private let isEnded: Bool

    /// Reads a run, and asks it.
    init(
        _ input: JournalInput, _ range: PositionRange, _ questions: ReportQuestions,
        _ definitions: DerivedDefinitions?, redacting patterns: [PathPattern], key: RedactionKey,
        packer: GzipPacker?, recover: Bool, listsPlaces: Bool, _ context: CommandContext
    ) throws {
        journal = input.journal
        self.range = range
        copy = patterns.isEmpty ? nil : try RedactedCopy(of: journal, patterns, key: key)
        (findings, checked) = try questions.answers(about: input, range, shown: copy, in: context)
        let shown = copy?.journal ?? journal
        let outcomes = try definitions.map { try DefinedOutcomes(shown, range, $0, recover: recover) }
        chunks = try RunChunks.of(
            shown, range, packer: packer, recover: recover, listsPlaces: listsPlaces, outcomes: outcomes)
        let tail = try journal.tail()
        lastCommit = tail.lastCommit
        isEnded = tail.isEnded
    }

    /// The journal that is shown.
    var shown: Journal { copy?.journal ?? journal }

    /// Damage that was jumped over.
    var damages: [JournalError] { chunks.damages }

    /// What the page has to know of it before its lines are read.
    func json() throws -> JSONValue {
        let header = try shown.headerRecord.object()
        return .members([
            "name": .string(journal.path), "app": header["app"], "build": header["build"], "id": header["id"],
            "time": header["time"], "labels": header["labels"], "start": .number(range.lower.rawValue),
            "end": .number(range.upper.rawValue), "first": .number(journal.start.rawValue),
            "last": .number(lastCommit.rawValue), "ended": .bool(isEnded), "torn": .bool(chunks.torn != nil),
            "leftOut": .array(chunks.leftOut.map(JSONValue.string)), "moreDamages": .number(chunks.moreDamages),
            "chunks": .array(
                chunks.entries.map { entry in
                    .array(
                        [
                            entry.start, entry.last, entry.rows, entry.commits, entry.byteCount,
                            entry.beginningByteCount, entry.source.rawValue,
                        ].map { .number($0) })
                }), "findings": .array(findings.map(\.json)),
        ])
    }
}
