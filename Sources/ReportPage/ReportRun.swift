package import CommandLine
package import Commands
import JSONCore
package import JournalFormat
package import JournalReading
import TimeTravel

package struct ReportRun {
    let journal: Journal
    /// What may be shown of it, where that is not all.
    let copy: RedactedCopy?
    let range: PositionRange
    let chunks: RunChunks
    let findings: [Finding]
    let checked: CheckedJournal?
    private let lastCommit: CommitNumber
    private let isEnded: Bool
    /// What the timeline shows until the page has read all lines; nil where that takes no time.
    private let overview: [RunOverview.Column]?

    /// How many columns of the timeline a page knows at once, of a run of so many commits.
    private static let (overviewColumns, longRun) = (256, 10_000)

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

    var shown: Journal { copy?.journal ?? journal }

    var damages: [JournalError] { chunks.damages }

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

package struct ReportDivergence {
    private let common: Int
    private let store: String?
    private let left: RecordSummary?
    private let right: RecordSummary?
    private let changes: [StateChange]
    private let gap: Divergence.Gap?

    /// - Throws: `JournalError` where one of the runs is damaged before they part.
    package init(_ left: ReportRun, _ right: ReportRun) throws {
        let found = try Divergence.first(of: left.journal, and: right.journal)
        let scope = StoreScope(store: nil)
        func shown(_ record: OwnedRecord?, _ run: ReportRun) throws -> (record: OwnedRecord, summary: RecordSummary)? {
            guard let record else { return nil }
            let copy = try run.copy?.redacted(record) ?? record
            return (copy, RecordSummary(try Record(copy), scope: scope))
        }
        let (leftShown, rightShown) = (try shown(found.left, left), try shown(found.right, right))
        common = found.common
        // A store's name may repeat what is redacted.
        store = try (leftShown ?? rightShown)?.record.object()["store"]?.string ?? found.store
        gap = found.gap
        self.left = leftShown?.summary
        self.right = rightShown?.summary
        guard left.copy != nil || right.copy != nil, let store else {
            changes = StateChange.all(in: found.patch)
            return
        }
        // The differences are shown from the copies: the patch has the values themselves.
        func state(_ run: ReportRun, _ record: OwnedRecord?) throws -> JSONValue {
            let position = try record?.seq ?? run.shown.lastCommit
            return try run.shown.state(at: position, pruning: PathSet(JSONPointer([store]))).value
        }
        let patch = JSONPatch.difference(
            from: try state(left, leftShown?.record), to: try state(right, rightShown?.record))
        changes = StateChange.all(in: patch)
    }

    var json: JSONValue {
        .members([
            "common": .number(common), "store": store.map(JSONValue.string), "left": left.map(Finding.json),
            "right": right.map(Finding.json), "changes": Finding.json(changes), "more": Finding.more(changes),
            "gap": gap.map { .members(["run": .number($0.isLeft ? 0 : 1), "first": .number($0.first.rawValue)]) },
        ])
    }
}
