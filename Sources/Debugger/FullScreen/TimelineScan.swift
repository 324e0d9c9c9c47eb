import JournalFormat
import JournalReading
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

    /// How much of the file is looked at between two looks whether to go on.
    private static let sliceBytes = 1 << 20

    /// Reads on as long as it may: samples first, and then all of the file.
    ///
    /// What cannot be read stays as it is.
    func advance(while goesOn: () -> Bool) {
        var hasMore = true
        while hasMore, !isComplete {
            if overview?.sample() != true {
                isComplete = (try? overview?.advance(bytes: Self.sliceBytes)) != true
            }
            hasMore = goesOn()
        }
    }

    var columns: [TimelineColumn] {
        (overview?.columns ?? []).map { column in
            TimelineColumn(
                positions: column.positions.lowerBound.rawValue...column.positions.upperBound.rawValue,
                stores: column.stores, marks: column.marks, aborts: column.aborts, hasHole: column.hasHole,
                isExact: column.isExact)
        }
    }
}
