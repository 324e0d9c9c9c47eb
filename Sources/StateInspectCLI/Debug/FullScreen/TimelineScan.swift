import JournalFormat
import TimeTravel

/// The overview of a run that the timeline is drawn from.
final class TimelineScan {
    private var overview: RunOverview?
    private(set) var isComplete = false
    private let columnCount: Int

    init(_ journal: Journal, columns: Int) {
        columnCount = columns
        overview = try? RunOverview(journal, columns: columns)
        isComplete = overview == nil
    }

    /// Takes the journal as it is now; one that was cut is looked at anew.
    func follow(_ journal: Journal) {
        let isLonger = (try? journal.lastCommit).map { $0 >= (overview?.last ?? $0) } ?? false
        if !isLonger { overview = try? RunOverview(journal, columns: columnCount) }
        try? overview?.extend(journal)
        isComplete = overview?.isComplete ?? true
    }

    /// Reads on; what cannot be read stays as it is.
    func advance(bytes: Int) { isComplete = (try? overview?.advance(bytes: bytes)) != true }

    var columns: [TimelineColumn] {
        (overview?.columns ?? []).map { column in
            TimelineColumn(
                positions: column.positions.lowerBound.rawValue...column.positions.upperBound.rawValue,
                stores: column.stores, marks: column.marks, aborts: column.aborts, hasHole: column.hasHole,
                isExact: column.isExact)
        }
    }
}
