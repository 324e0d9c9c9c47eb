import JSONCore
package import JournalFormat
package import JournalReading

/// So many columns of positions, for a timeline.
///
/// They are there at once, empty; ``sample()`` reads one commit of each, and they become exact as ``advance(bytes:)``
/// goes over the file.
///
/// - Complexity: a binary search for each sample; the bytes once for all of it. Memory is that of the columns.
package struct RunOverview: ~Copyable {
    package struct Column: Sendable {
        package internal(set) var positions: ClosedRange<CommitNumber>
        /// The stores are in the order in which they were met; a sample has one commit.
        package var stores: [(name: String, commits: Int)] = []
        package internal(set) var marks = 0
        /// How many commits' closures threw.
        package internal(set) var aborts = 0
        package internal(set) var hasHole = false
        package var isExact = false

        package init(positions: ClosedRange<CommitNumber>) { self.positions = positions }

        mutating func join(_ next: Column, countingStores: Bool) {
            positions = positions.lowerBound...next.positions.upperBound
            marks += next.marks
            aborts += next.aborts
            hasHole = hasHole || next.hasHole
            isExact = isExact && next.isExact
            guard countingStores else { return }
            for store in next.stores { count(store.name, store.commits) }
        }

        mutating func count(_ store: String, _ commits: Int) {
            if let index = stores.firstIndex(where: { UTF8Order.equal($0.name, store) }) {
                stores[index].commits += commits
            } else if stores.count < RunOverview.storeLimit {
                stores.append((store, commits))
            }
        }
    }

    package private(set) var columns: [Column]
    package private(set) var isComplete = false

    private var range: PositionRange
    private var width: Int
    private let columnLimit: Int
    private var journal: Journal
    private var reader: RecordReader
    private var unsampled: Range<Int>
    private var current: Int?
    private static let storeLimit = 64

    package init(_ journal: Journal, columns count: Int) throws(JournalError) {
        guard let range = PositionRange(journal.start, try journal.lastCommit) else {
            throw JournalError(path: journal.path, .empty)
        }
        let limit = max(1, count)
        let width = (max(1, range.count) + limit - 1) / limit
        let reader = journal.records(to: try journal.tail().wholeEnd, recover: true)
        let columns = RunOverview.columns(after: range.lower, to: range.upper, width)
        self.columns = columns
        unsampled = columns.indices
        columnLimit = limit
        self.journal = journal
        self.range = range
        self.width = width
        self.reader = reader
    }

    private static func columns(after lower: CommitNumber, to upper: CommitNumber, _ width: Int) -> [Column] {
        var columns: [Column] = []
        var first = lower.next.rawValue
        repeat {
            let last = min(first + width - 1, max(upper.rawValue, first))
            columns.append(Column(positions: CommitNumber(first)...CommitNumber(last)))
            first = last + 1
        } while first <= upper.rawValue
        return columns
    }

    /// False once every column was examined; a binary search, which takes its time on a slow disk.
    package mutating func sample() -> Bool {
        guard let index = unsampled.popFirst() else { return false }
        let positions = columns[index].positions
        let (first, last) = (positions.lowerBound.rawValue, positions.upperBound.rawValue)
        let middle = CommitNumber(first + (last - first) / 2)
        if index > current ?? -1, !isComplete, let record = try? journal.keptRecord(of: middle),
            let store = try? record.withLine({ try $0.storeName() })
        {
            columns[index].stores = [(store, 1)]
        }
        return !unsampled.isEmpty
    }

    /// New commits get columns after the others; where these become too many, two and two are joined; nothing changes
    /// where the journal's end cannot be read.
    package mutating func extend(_ journal: Journal) throws(JournalError) {
        let (upper, end) = (try journal.lastCommit, try journal.tail().wholeEnd)
        guard upper > range.upper, let longer = PositionRange(range.lower, upper) else { return }
        let last = columns.count - 1
        let lastEnd = CommitNumber(range.lower.rawValue + columns.count * width)
        columns[last].positions = columns[last].positions.lowerBound...min(lastEnd, upper)
        if upper > lastEnd { columns += RunOverview.columns(after: lastEnd, to: upper, width) }
        unsampled = (unsampled.isEmpty ? last + 1 : unsampled.lowerBound)..<columns.count
        while columns.count > 2 * columnLimit { joinPairs() }
        let known = reader.endsInDamage || reader.lastCommit.rawValue < 0 ? nil : reader.lastCommit
        reader = journal.records(from: reader.offset, after: known, to: end, recover: true)
        self.journal = journal
        range = longer
        isComplete = false
    }

    private mutating func joinPairs() {
        let read = current ?? -1
        columns = stride(from: 0, to: columns.count, by: 2).map { index in
            var column = columns[index]
            if index + 1 < columns.count {
                // The samples after a column that is only begun are not a part of it.
                column.join(columns[index + 1], countingStores: index > read || index + 1 <= read)
            }
            return column
        }
        unsampled = (unsampled.lowerBound + 1) / 2..<columns.count
        width *= 2
        current = current.map { $0 / 2 }
    }

    package var last: CommitNumber { range.upper }

    /// False once everything was read.
    package mutating func advance(bytes: Int) throws(JournalError) -> Bool {
        let limit = reader.offset.rawValue + bytes
        while !isComplete, reader.offset.rawValue < limit {
            guard let line = try reader.next() else {
                if let lost = reader.lostEnd {
                    for index in place(of: lost.lowerBound)..<columns.count { columns[index].hasHole = true }
                }
                for index in (current ?? 0)..<columns.count { finish(index) }
                isComplete = true
                break
            }
            try note(line)
        }
        return !isComplete
    }

    private func place(of position: CommitNumber) -> Int {
        min(max(0, position.rawValue - range.lower.rawValue - 1) / width, columns.count - 1)
    }

    private mutating func note(_ line: RecordLine) throws(JournalError) {
        let place = place(of: line.seq)
        let last = current ?? -1
        if place > last {
            let isJump = line.kind == .gap || line.resumed
            for index in max(0, last)..<place { finish(index) }
            if isJump { for index in max(0, last)...place { columns[index].hasHole = true } }
            columns[place].stores = []
            current = place
        }
        switch line.kind {
        case .commit: columns[place].count(try line.storeName(), 1)
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
}
