internal import JournalFormat
internal import Platform

/// How a flight recorder divides its bytes: a quarter to each segment, so that at least half of them always hold the newest
/// commits, and never so little that a segment is mostly what it begins with.
struct FlightLimit: Sendable {
    /// What is kept free for the `end` of a segment.
    static let endReserve = 1024

    /// What all segments may have together, in bytes, as it was asked for.
    let limit: Int
    var files: SegmentFiles
    /// The size of what the newest segment begins with.
    private(set) var openingSize = 0

    init(_ limit: Int, path: String, calls: SystemCalls) {
        self.limit = max(limit, 4 * FlightLimit.endReserve)
        files = SegmentFiles(path: path, calls: calls)
    }

    /// What all segments may have together; more than was asked for only where four openings do not fit into that.
    var effectiveLimit: Int { max(limit, 4 * openingSize) }

    /// A segment of this size is ended.
    var segmentSize: Int { max(limit / 4, 2 * openingSize) - FlightLimit.endReserve }

    /// Lines are handed over in pieces that fit a segment.
    var pieceSize: Int { limit / 16 }

    /// Notes what a segment begins with.
    ///
    /// - Returns: whether the limit has become too small for the first time.
    mutating func begin(openingSize: Int) -> Bool {
        let wasEnough = effectiveLimit == limit
        self.openingSize = openingSize
        return wasEnough && effectiveLimit > limit
    }
}
