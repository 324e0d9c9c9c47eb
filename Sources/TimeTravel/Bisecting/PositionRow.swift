import JSONCore
import JournalFormat

/// The positions that a binary search runs over: all of a stretch, or its start and those of commits that touch a path.
struct PositionRow {
    private let start: CommitNumber
    private let listed: [CommitNumber]?
    let count: Int

    /// The row of a stretch.
    ///
    /// - Complexity: O(1) without a path; with one, a pass over the stretch that keeps a number for each commit that touches it.
    init(_ journal: Journal, _ range: PositionRange, touching path: JSONPointer?) throws(JournalError) {
        start = range.lower
        guard let path else {
            listed = nil
            count = range.count + 1
            return
        }
        let positions = try PathSet(path).orEverything { (set) throws(JournalError) in
            var pass = try PositionPass(journal, range, reading: set)
            var positions = [range.lower]
            while let settled = try pass.next() {
                if positions.last != settled.seq { positions.append(settled.seq) }
            }
            return positions
        }
        listed = positions
        count = positions.count
    }

    subscript(index: Int) -> CommitNumber {
        listed?[index] ?? CommitNumber(start.rawValue + index)
    }
}
