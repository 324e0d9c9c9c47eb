import JSONCore
import JournalFormat
import JournalReading

/// The positions that a binary search runs over: all of a range, or its start and those of commits that touch a path.
struct PositionRow {
    private let start: CommitNumber
    private let listed: [CommitNumber]?
    let count: Int

    /// - Complexity: O(1) without a path; with one, a pass over the range that keeps a number for each commit that
    ///   touches it.
    init(
        _ journal: Journal, _ range: PositionRange, touching paths: PathMatcher, recover: Bool
    ) throws(JournalError) {
        start = range.lower
        guard !paths.isEmpty else {
            listed = nil
            count = range.count + 1
            return
        }
        let options = Run.Options(reading: paths.paths, keepsRecords: true, recover: recover)
        let run = try Run(journal, range, options: options)
        let touched = TouchedCommits(paths)
        touched.follow(journal, range, recover: recover)
        var positions = [range.lower]
        while let step = try run.next() {
            if positions.last == step.seq { continue }
            if let record = run.record, try !touched.contains(record) { continue }
            positions.append(step.seq)
        }
        listed = positions
        count = positions.count
    }

    subscript(index: Int) -> CommitNumber {
        listed?[index] ?? CommitNumber(start.rawValue + index)
    }
    /// The indices of positions that stand side by side, one of which has this index.
    func indices(of positions: ClosedRange<CommitNumber>, around index: Int) -> ClosedRange<Int> {
        guard listed == nil else { return index...index }
        let first = max(positions.lowerBound, start).rawValue - start.rawValue
        return first...min(positions.upperBound.rawValue - start.rawValue, count - 1)
    }
}
