import JournalFormat
import TimeTravel

/// The overview of a run that the timeline is drawn from.
final class TimelineScan {
    private var overview: RunOverview?
    private(set) var isComplete = false

    init(_ journal: Journal, columns: Int) {
        overview = try? RunOverview(journal, columns: columns)
        isComplete = overview == nil
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
