package import JSONCore
import JournalFormat

/// The statistics of a run, of which the parts were counted by programs that know nothing of each other and arrive as lines of JSON.
package struct JoinedStatistics {
    /// A line that no part has.
    package struct Fault: Error {}

    /// A file may claim any count: below this the counts of all parts can be added up.
    static let countLimit = 1 << 44

    /// What was counted so far.
    package private(set) var statistics = JournalStatistics()

    private var putBacks = PutBackJoin()
    private var part = Part()

    /// What is known of the part whose lines are being taken.
    private struct Part {
        var names: [CountedTable: [FrequentItems<CountedName>.Count]] = [:]
        var opening: [PutBackWatch.Opening] = []
        var replaced: [PutBackJoin.Replaced] = []
        var summary: JSONObject = [:]
    }

    /// Nothing yet.
    package init() {}

    /// Takes a line of the next part.
    package mutating func take(_ line: JSONObject) throws(Fault) {
        switch line["kind"]?.string {
        case StatisticsLine.name:
            let table = CountedTable(rawValue: try line.text("table"))
            guard let table else { throw Fault() }
            part.names[table, default: []].append(
                FrequentItems.Count(
                    item: CountedName(try line.text("text")), count: try line.count("count"),
                    error: try line.count("error"), last: try line.number("last")))
        case StatisticsLine.wrote:
            part.opening.append(
                .wrote(
                    path: Array(try line.text("path").utf8), value: Array(try line.text("value").utf8),
                    commit: try line.count("commit"), seq: CommitNumber(try line.number("seq"))))
        case StatisticsLine.edited: part.opening.append(.edited(path: Array(try line.text("path").utf8)))
        case StatisticsLine.replaced:
            part.replaced.append(
                PutBackJoin.Replaced(
                    age: try line.count("age"), path: Array(try line.text("path").utf8),
                    old: Array(try line.text("old").utf8)))
        case StatisticsLine.summary: part.summary = line
        default: throw Fault()
        }
    }

    /// Ends a part that is not empty: what its lines say is added.
    package mutating func endPart() throws(Fault) {
        defer { part = Part() }
        let summary = part.summary
        let commits = try summary.count("commits")
        statistics.commits += commits
        statistics.changes += try summary.count("changes")
        statistics.idle += try summary.count("idle")
        statistics.first = statistics.first ?? summary["first"]?.string.flatMap { Timestamp($0) }
        if let last = summary["last"]?.string.flatMap({ Timestamp($0) }) {
            statistics.last = max(statistics.last ?? last, last)
        }
        try addSizes(try summary.object("patches"))
        try addTimes(try summary.object("times"))
        try addKinds(try summary.object("kinds"))
        let tables = try summary.object("tables")
        for table in CountedTable.allCases { try addNames(table, try tables.object(table.rawValue)) }
        for (path, seq) in putBacks.take(part.opening, commits: commits, replaced: part.replaced) {
            path.withUnsafeBytes {
                _ = statistics.putBack.add(JSONPointer.folded($0, inserting: false), last: seq.rawValue)
            }
        }
    }

    private mutating func addSizes(_ object: JSONObject) throws(Fault) {
        var counts: [(place: Int, count: Int)] = []
        for entry in object["counts"]?.array ?? [] {
            guard let place = entry.array?.first?.number?.integerValue,
                let count = entry.array?.last?.number?.integerValue
            else { throw Fault() }
            counts.append((place, count))
        }
        guard
            let sizes = SizeHistogram(
                sum: try object.count("sum"), largest: try object.number("largest"), counts: counts)
        else { throw Fault() }
        if let commit = object["largestSeq"]?.number?.integerValue,
            statistics.largest == nil || sizes.largest > statistics.patches.largest
        {
            statistics.largest = CommitNumber(commit)
        }
        statistics.patches.add(sizes)
    }

    private mutating func addTimes(_ object: JSONObject) throws(Fault) {
        let start = object["start"]?.string.flatMap { Timestamp($0) }
        guard
            let times = TimeHistogram(
                start: start, width: try object.number("width"),
                counts: (object["counts"]?.array ?? []).compactMap { $0.number?.integerValue }),
            statistics.times.start == nil || start == nil || statistics.times.start == start
        else { throw Fault() }
        statistics.times.add(times)
    }

    private mutating func addKinds(_ object: JSONObject) throws(Fault) {
        for (name, value) in object {
            let kind = Array(name.utf8).withUnsafeBytes { RecordKind(name: $0) }
            guard case .object(let size) = value else { throw Fault() }
            let index = Int(kind.rawValue)
            statistics.kinds[index].count += try size.count("count")
            statistics.kinds[index].bytes += try size.count("bytes")
        }
    }

    private mutating func addNames(_ table: CountedTable, _ object: JSONObject) throws(Fault) {
        let items = FrequentItems(
            capacity: JournalStatistics.nameLimit, counts: part.names[table] ?? [], total: try object.count("total"),
            isExact: object["exact"] == true)
        statistics[keyPath: table.items].add(items)
    }
}

extension JSONObject {
    /// A member that is a number, not below zero.
    fileprivate func number(_ name: String) throws(JoinedStatistics.Fault) -> Int {
        guard let number = self[name]?.number?.integerValue, number >= 0 else { throw JoinedStatistics.Fault() }
        return number
    }

    /// A member that counts something.
    fileprivate func count(_ name: String) throws(JoinedStatistics.Fault) -> Int {
        let number = try number(name)
        guard number < JoinedStatistics.countLimit else { throw JoinedStatistics.Fault() }
        return number
    }

    fileprivate func text(_ name: String) throws(JoinedStatistics.Fault) -> String {
        guard let text = self[name]?.string else { throw JoinedStatistics.Fault() }
        return text
    }

    fileprivate func object(_ name: String) throws(JoinedStatistics.Fault) -> JSONObject {
        guard case .object(let object)? = self[name] else { throw JoinedStatistics.Fault() }
        return object
    }
}
