import CommandLine
import Commands
import JSONCore
import JournalFormat
import JournalReading
import TimeTravel

/// Where the two runs of a page part.
package struct ReportDivergence {
    /// The most differences that are listed; further ones are only counted.
    private static let mostChanges = 60

    private let common: Int
    private let store: String?
    private let left: RecordSummary?
    private let right: RecordSummary?
    private let changes: [Change]
    private let gap: Divergence.Gap?

    /// Compares two runs, whole as they are.
    ///
    /// - Throws: `JournalError` where one of them is damaged before they part.
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
            changes = StateChange.all(in: found.patch).map { Change($0, scope: scope) }
            return
        }
        // The differences are shown from the copies: the patch has the values themselves.
        func state(_ run: ReportRun, _ record: OwnedRecord?) throws -> JSONValue {
            let position = try record?.seq ?? run.shown.lastCommit
            return try run.shown.state(at: position, pruning: PathSet(JSONPointer([store]))).value
        }
        let patch = JSONPatch.difference(
            from: try state(left, leftShown?.record), to: try state(right, rightShown?.record))
        changes = StateChange.all(in: patch).map { Change($0, scope: scope) }
    }

    /// The answer as a page has it.
    var json: JSONValue {
        .members([
            "common": .number(common), "store": store.map(JSONValue.string), "left": left.map(Finding.json),
            "right": right.map(Finding.json), "changes": .array(changes.prefix(Self.mostChanges).map(Finding.json)),
            "more": changes.count > Self.mostChanges ? .number(changes.count - Self.mostChanges) : nil,
            "gap": gap.map { .members(["run": .number($0.isLeft ? 0 : 1), "first": .number($0.first.rawValue)]) },
        ])
    }
}
