package import CommandLine
package import Commands
import JSONCore
package import JournalFormat
package import JournalReading
import TimeTravel

/// One run of a report: its lines, and what was found in it.
package struct ReportRun {
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
    /// What the timeline shows until the page has read all lines; nil where that takes no time.
    private let overview: [RunOverview.Column]?

    /// How many columns of the timeline a page knows at once, of a run of so many commits.
    private static let (overviewColumns, longRun) = (256, 10_000)

    /// Reads a run, and asks it.
    package init(
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
        overview = chunks.commitCount >= Self.longRun ? try Self.overview(of: shown) : nil
    }

    private static func overview(of journal: Journal) throws(JournalError) -> [RunOverview.Column] {
        var overview = try RunOverview(journal, columns: overviewColumns)
        while try overview.advance(bytes: 1 << 24) {}
        return overview.columns
    }

    /// The names of the stores, and of each column a position with the number of commits of each store.
    private var sketch: JSONValue? {
        guard let overview else { return nil }
        var stores: [String] = []
        let columns = overview.filter { $0.positions.overlaps(range.lower.next...max(range.lower.next, range.upper)) }
            .map { column in
                var counts: [Int] = []
                for store in column.stores {
                    let known = stores.firstIndex { UTF8Order.equal($0, store.name) }
                    let index = known ?? stores.count
                    if known == nil { stores.append(store.name) }
                    counts += Array(repeating: 0, count: max(0, index + 1 - counts.count))
                    counts[index] = store.commits
                }
                let (first, last) = (column.positions.lowerBound.rawValue, column.positions.upperBound.rawValue)
                return [min(first + (last - first) / 2, range.upper.rawValue)] + counts
            }
        return .members([
            "stores": .array(stores.map(JSONValue.string)),
            "columns": .array(columns.map { .array($0.map { .number($0) }) }),
        ])
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
                }), "findings": .array(findings.map(\.json)), "sketch": sketch,
        ])
    }
}
