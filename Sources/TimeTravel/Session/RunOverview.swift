package import JournalFormat

/// The whole of a run at a glance: so many columns of positions, for a timeline.
///
/// It is there at once from samples, and becomes exact as ``advance(bytes:)`` goes over the file.
///
/// - Complexity: a binary search for each column at first; the bytes once for all of it. Memory is that of the columns.
package struct RunOverview: ~Copyable {
    /// Some positions in a row.
    package struct Column: Sendable {
        /// The positions of the column.
        package let positions: ClosedRange<CommitNumber>
        /// How many commits of each store it has, in the order in which the stores were met; of a sample, one.
        package internal(set) var stores: [(name: String, commits: Int)] = []
        /// How many marks stand in it.
        package internal(set) var marks = 0
        /// How many commits' closures threw in it.
        package internal(set) var aborts = 0
        /// Whether commits of it were lost, in a gap or in damage.
        package internal(set) var hasHole = false
        /// Whether all of its lines were looked at.
        package internal(set) var isExact = false
    }

    /// The columns, in the order of the run.
    package private(set) var columns: [Column]
    /// Whether every column is exact.
    package private(set) var isComplete = false

    private let range: PositionRange
    private let width: Int
    private var reader: RecordReader
    /// The column of the last line that was read; nil before the first.
    private var current: Int?

    /// No column holds more stores.
    private static let storeLimit = 64

    /// Looks at a run here and there.
    ///
    /// - Parameter columns: how many at the most; fewer where there are fewer commits.
    package init(_ journal: Journal, columns count: Int) throws(JournalError) {
        guard let range = PositionRange(journal.start, try journal.lastCommit) else {
            throw JournalError(path: journal.path, .empty)
        }
        let commits = max(1, range.count)
        let width = (commits + max(1, count) - 1) / max(1, count)
        var columns: [Column] = []
        var first = range.lower.rawValue + 1
        repeat {
            let last = min(first + width - 1, max(range.upper.rawValue, first))
            var column = Column(positions: CommitNumber(first)...CommitNumber(last))
            let middle = CommitNumber(first + (last - first) / 2)
            if let record = try? journal.keptRecord(of: middle),
                let store = try? record.withLine({ try $0.storeName() })
            {
                column.stores = [(store, 1)]
            }
            columns.append(column)
            first = last + 1
        } while first <= range.upper.rawValue
        let reader = journal.records(to: try journal.tail().wholeEnd, recover: true)
        self.columns = columns
        self.range = range
        self.width = width
        self.reader = reader
    }

    /// Looks at so many bytes more; false once everything was looked at.
    ///
    /// - Throws: `JournalError` where the file cannot be read.
    package mutating func advance(bytes: Int) throws(JournalError) -> Bool {
        let limit = reader.offset.rawValue + bytes
        while !isComplete, reader.offset.rawValue < limit {
            guard let line = try reader.next() else {
                for index in (current ?? 0)..<columns.count { finish(index) }
                isComplete = true
                break
            }
            try note(line)
        }
        return !isComplete
    }

    private mutating func note(_ line: RecordLine) throws(JournalError) {
        let place = min(max(0, line.seq.rawValue - range.lower.rawValue - 1) / width, columns.count - 1)
        let last = current ?? -1
        if place > last {
            let isJump = line.kind == .gap || line.resumed
            for index in max(0, last)..<place { finish(index) }
            if isJump { for index in max(0, last)...place { columns[index].hasHole = true } }
            columns[place].stores = []
            current = place
        }
        switch line.kind {
        case .commit: count(try line.storeName(), in: place)
        case .mark: columns[place].marks += 1
        case .abort: columns[place].aborts += 1
        case .gap: columns[place].hasHole = true
        case .journal, .store, .derived, .outcome, .keyframe, .close, .end, .other:
            if line.resumed { columns[place].hasHole = true }
        }
    }

    private mutating func finish(_ index: Int) {
        if index > current ?? -1 { columns[index].stores = [] }
        columns[index].isExact = true
    }

    private mutating func count(_ store: String, in place: Int) {
        let stores = columns[place].stores
        if let index = stores.firstIndex(where: { $0.name == store }) {
            columns[place].stores[index].commits += 1
        } else if stores.count < RunOverview.storeLimit {
            columns[place].stores.append((store, 1))
        }
    }
}
