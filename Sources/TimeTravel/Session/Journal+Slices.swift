package import JournalFormat
package import JournalReading

extension Journal {
    /// The longest slice, in commits: few enough that the next check whether to go on comes soon.
    private static let longestSlice = 4096

    /// Reads the lines up to a position in slices, the nearest first; in each they come in the order of the file.
    ///
    /// A slice goes on after damage where a pass forwards does, so both directions give the same lines.
    ///
    /// - Parameters:
    ///   - length: how many commits the first slice has; each has twice as many as the one before it.
    ///   - body: reads a slice; false ends it.
    /// - Complexity: that of the lines in the slices, and two binary searches for each.
    package func readSlices(
        upTo position: CommitNumber, length: Int, _ body: (inout RecordReader) throws(JournalError) -> Bool
    ) throws(JournalError) {
        var (upper, length) = (position, min(length, Journal.longestSlice))
        while true {
            let lower = upper.rawValue - start.rawValue > length ? CommitNumber(upper.rawValue - length) : start
            var reader = try records(after: lower, through: upper, recover: true)
            guard try body(&reader), lower > start else { return }
            (upper, length) = (lower, min(length * 2, Journal.longestSlice))
        }
    }
}
