import JSONCore
import JournalFormat
import JournalReading

/// Found without reading all of a large journal: the types of stores come from the records near the front, the counts
/// from the last `totals` and the records after it; without totals, from another writer, all is counted.
///
/// A store that is opened far from the front is known from the totals: our writer counts also one that never committed.
struct JournalSummary {
    /// A store by name, over all lives of that name.
    struct Store: Equatable {
        var name: String
        /// Nil where its `store` record is in a part that was not read.
        var type: String?
        var commits = 0
        var isOpen = false
    }

    private var totals = Totals()
    private var types = NameTable<String?>()
    private(set) var start: String?
    /// The time of the last record that has one.
    private(set) var end: String?
    private(set) var isEnded = false
    /// The first damage that was jumped over near the front: stores that opened there may have no type here.
    private(set) var damage: JournalError?

    var commits: Int { totals.commitCount }
    var marks: Int { totals.marks }
    var gaps: Int { totals.gaps }
    var aborts: Int { totals.aborts }
    var derived: [String] { totals.derived }
    var moreDerived: Int { totals.moreDerived }

    var stores: [Store] {
        var names = types
        for name in totals.commits.map(\.store) + totals.open where names[name] == nil { names[name] = .some(nil) }
        return names.map { name, type in
            Store(name: name, type: type, commits: totals.commits(of: name), isOpen: totals.isOpen(name))
        }.sorted { UTF8Order.isLess($0.name, $1.name) }
    }

    /// - Complexity: reads the records before the first commit and those after the last totals; all, if there are none.
    init(_ journal: Journal) throws(JournalError) {
        let last = try Self.lastTotals(journal)
        if let last {
            try readFront(journal)
            totals = last.totals
        }
        try count(journal, from: last?.end ?? .zero)
        end = try Self.lastTime(journal)
        start = try journal.headerRecord.withLine { (line) throws(JournalError) in try line.time() }
    }

    private static func lastTotals(_ journal: Journal) throws(JournalError) -> (totals: Totals, end: ByteOffset)? {
        var reader = try journal.recordsBackward()
        while let line = try reader.next() {
            guard line.kind == .keyframe || line.kind == .end else { continue }
            if let totals = try line.totals() { return (totals, line.end) }
        }
        return nil
    }

    private static func lastTime(_ journal: Journal) throws(JournalError) -> String? {
        var reader = try journal.recordsBackward()
        while let line = try reader.next() {
            if let time = try line.time() { return time }
        }
        return nil
    }

    /// How much of a journal is looked through for stores whatever its totals say.
    private static let frontLength = 8 << 20

    private mutating func readFront(_ journal: Journal) throws(JournalError) {
        var reader = journal.records(recover: true)
        var filter = RecordFilter(kinds: [.store, .gap, .commit])
        while let line = try reader.next(matching: &filter) {
            if line.kind == .commit, line.offset.rawValue > Self.frontLength { break }
            try noteType(line)
        }
        damage = reader.damages.first
    }

    private mutating func count(_ journal: Journal, from start: ByteOffset) throws(JournalError) {
        var reader = journal.records(from: start)
        while let line = try reader.next() {
            try noteType(line)
            totals.count(try CountedRecord(line))
        }
        isEnded = try journal.tail().isEnded
    }

    private mutating func noteType(_ line: RecordLine) throws(JournalError) {
        switch line.kind {
        case .store: types[try line.storeName()] = .some(try line.member("type")?.string)
        case .gap: for name in try CountedRecord(line).states where types[name] == nil { types[name] = .some(nil) }
        default: break
        }
    }
}

extension RecordLine {
    fileprivate func time() throws(JournalError) -> String? { try member("time")?.string }
}
