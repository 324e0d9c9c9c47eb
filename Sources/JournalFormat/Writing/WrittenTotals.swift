/// What is known of one file as it is written: its totals, its last commit, its length, and when the next keyframe is due.
package struct WrittenTotals: Sendable {
    package private(set) var totals = Totals()
    package private(set) var lastCommit: CommitNumber
    /// The length of all lines.
    package private(set) var byteCount = 0
    private var keyframes = KeyframeRule()

    /// Nothing is written yet.
    package init(start: CommitNumber) { lastCommit = start }

    /// Whether a keyframe is due directly after the last commit.
    package var needsKeyframe: Bool { keyframes.isDue }

    /// Counts lines in the order in which they lie in the file.
    package mutating func count(_ records: [CountedRecord]) {
        for record in records {
            byteCount += record.byteCount
            keyframes.passed(bytes: record.byteCount, isKeyframe: record.kind == .keyframe)
            if record.kind == .commit || record.kind == .gap { lastCommit = record.seq }
            totals.note(record)
        }
    }
}
