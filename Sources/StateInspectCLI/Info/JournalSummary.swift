import JSONCore
import JournalFormat

/// What a journal holds, found without reading all of a large one.
///
/// The types of stores come from the first records, the counts from the last `totals` and the records behind it. A journal
/// without totals, which another writer made, is counted from its front.
struct JournalSummary {
    /// A store by name, over all lives of that name.
    struct Store: Equatable {
        var name: String
        /// Its type; nil where its `store` record is in a part that was not read.
        var type: String?
        var commits = 0
        var isOpen = false
    }

    private(set) var stores: [Store] = []
    private(set) var derived: [String] = []
    private(set) var marks = 0
    private(set) var gaps = 0
    private(set) var aborts = 0
    /// The time of the first record, RFC 3339.
    private(set) var start: String?
    /// The time of the last record that has one.
    private(set) var end: String?
    /// Whether the last record is `end`.
    private(set) var isEnded = false

    /// All commits that are in the file.
    var commits: Int { stores.reduce(0) { Self.sum($0, $1.commits) } }

    /// Only these members of a record are built: a keyframe's states may be large.
    private static let members: PathSet = {
        var set = PathSet.nothing
        for name in ["store", "type", "name", "time", "totals"] { set.insert(JSONPointer([name])) }
        return set
    }()

    /// Summarises a journal that can be read here and there.
    ///
    /// - Throws: `JournalError` at damage in what is read.
    /// - Complexity: the records before the first commit and those behind the last totals; all, where there are none.
    init(_ journal: Journal, progress: Progress) throws(JournalError) {
        let totals = try Self.lastTotals(journal)
        if let totals {
            try readFront(journal)
            take(totals.object)
        }
        try count(journal, from: totals?.end ?? .zero, progress)
        stores.sort { UTF8Order.isLess($0.name, $1.name) }
        end = try Self.lastTime(journal)
        start = try journal.headerRecord.withLine { (line) throws(JournalError) in try Self.object(line)["time"]?.string
        }
    }

    // MARK: Reading

    private static func object(_ line: RecordLine) throws(JournalError) -> JSONObject {
        if let value = try? JSONParser.parse(line.bytes, pruning: members.pruningNode), case .object(let object) = value
        {
            return object
        }
        return try line.object()
    }

    private static func lastTotals(_ journal: Journal) throws(JournalError) -> (object: JSONObject, end: ByteOffset)? {
        var reader = try journal.recordsBackward()
        while let line = try reader.next() {
            guard line.kind == .keyframe || line.kind == .end else { continue }
            if case .object(let totals)? = try object(line)["totals"] { return (totals, line.end) }
        }
        return nil
    }

    private static func lastTime(_ journal: Journal) throws(JournalError) -> String? {
        var reader = try journal.recordsBackward()
        while let line = try reader.next() {
            if let time = try object(line)["time"]?.string { return time }
        }
        return nil
    }

    /// The stores that were opened before the first commit, for their types.
    private mutating func readFront(_ journal: Journal) throws(JournalError) {
        var reader = journal.records()
        while let line = try reader.next(), line.kind != .commit {
            guard line.kind == .store else { continue }
            let record = try Self.object(line)
            update(record["store"]?.string) { $0.type = record["type"]?.string }
        }
    }

    private mutating func take(_ totals: JSONObject) {
        if case .object(let counts)? = totals["commits"] {
            for (name, count) in counts { update(name) { $0.commits = count.integer ?? 0 } }
        }
        for name in Self.names(totals["open"]) { update(name) { $0.isOpen = true } }
        derived = Self.names(totals["derived"])
        marks = totals["marks"]?.integer ?? 0
        gaps = totals["gaps"]?.integer ?? 0
        aborts = totals["aborts"]?.integer ?? 0
    }

    private mutating func count(_ journal: Journal, from start: ByteOffset, _ progress: Progress) throws(JournalError) {
        var reader = journal.records(from: start)
        var lines = 0
        while let line = try reader.next() {
            lines += 1
            if lines % 4096 == 0 { progress.update(bytes: reader.offset.rawValue, commits: commits) }
            try note(line)
        }
        progress.finish()
        isEnded = try journal.tail().isEnded
    }

    private mutating func note(_ line: RecordLine) throws(JournalError) {
        switch line.kind {
        case .commit: update(try Self.object(line)["store"]?.string) { $0.commits = Self.sum($0.commits, 1) }
        case .store:
            let record = try Self.object(line)
            update(record["store"]?.string) {
                $0.type = record["type"]?.string ?? $0.type
                $0.isOpen = true
            }
        case .close: update(try Self.object(line)["store"]?.string) { $0.isOpen = false }
        case .derived: if let name = try Self.object(line)["name"]?.string { derived.append(name) }
        case .mark: marks = Self.sum(marks, 1)
        case .gap: gaps = Self.sum(gaps, 1)
        case .abort: aborts = Self.sum(aborts, 1)
        default: break
        }
    }

    /// The sum, or the most that there is: a journal may claim any number.
    private static func sum(_ left: Int, _ right: Int) -> Int {
        let (sum, isPast) = left.addingReportingOverflow(right)
        return isPast ? (right > 0 ? .max : .min) : sum
    }

    private mutating func update(_ name: String?, _ change: (inout Store) -> Void) {
        guard let name else { return }
        if let index = stores.firstIndex(where: { UTF8Order.equal($0.name, name) }) {
            change(&stores[index])
        } else {
            var store = Store(name: name)
            change(&store)
            stores.append(store)
        }
    }

    private static func names(_ value: JSONValue?) -> [String] {
        guard case .array(let elements)? = value else { return [] }
        return elements.compactMap(\.string)
    }
}
