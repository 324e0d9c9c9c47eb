import CommandLine
import JSONCore
import JournalFormat
import TimeTravel

/// The most frequent rows first.
struct StatsTables {
    struct RankedTable {
        let kind: AnswerKind<TableRow>
        let name: String
        let unit: String
        let rows: [FrequentItems<ByteName>.Count]
        let total: Int
        let distinct: Int
        let isExact: Bool
    }

    let statistics: JournalStatistics
    let tables: [RankedTable]
    private let scope: StoreScope

    init(_ statistics: JournalStatistics, _ scope: StoreScope, limit: Int) {
        (self.statistics, self.scope) = (statistics, scope)
        func table(_ kind: AnswerKind<TableRow>, _ name: String, _ unit: String, _ items: FrequentItems<ByteName>)
            -> RankedTable
        {
            RankedTable(
                kind: kind, name: name, unit: unit, rows: items.most(limit, by: <),
                total: items.total, distinct: items.distinct, isExact: items.isExact)
        }
        tables = [
            table(Self.paths, "path", "changes", statistics.paths),
            table(Self.locations, "location", "commits", statistics.locations),
            table(Self.functions, "function", "commits", statistics.functions),
            table(Self.stores, "store", "commits", statistics.stores),
            table(Self.putBack, "path", "times", statistics.putBack),
        ]
    }

    /// The text of a row, under `--store` a path that begins at the store.
    func text(_ row: FrequentItems<ByteName>.Count, of table: RankedTable) -> String {
        let text = row.item.text
        guard table.name == "path", scope.store != nil else { return text }
        // The path begins with the store's name, in which no slash stands as it is.
        return text.utf8.dropFirst().firstIndex(of: UInt8(ascii: "/")).map { String(text[$0...]) } ?? ""
    }

    var seconds: Double {
        guard let first = statistics.first, let last = statistics.last else { return 0 }
        return Double(last.microseconds) / 1e6 - Double(first.microseconds) / 1e6
    }

    var rate: Double? { seconds > 0 ? Double(statistics.commits) / seconds : nil }

    /// Which part of all bytes are keyframes.
    var keyframeShare: Double {
        let bytes = statistics.bytes
        return bytes == 0 ? 0 : Double(statistics.kinds[Int(RecordKind.keyframe.rawValue)].bytes) / Double(bytes)
    }

    var kinds: [(name: String, size: JournalStatistics.KindSize)] {
        RecordKind.allCases.compactMap { kind in
            let size = statistics.kinds[Int(kind.rawValue)]
            return size.count > 0 ? ("\(kind.name)", size) : nil
        }
    }

    /// A line for the whole, one for each row, one for each kind of record, one for the rate over time.
    var lines: [[UInt8]] {
        [Self.summary(self)]
            + tables.flatMap { table in table.rows.map { table.kind((text($0, of: table), $0, table.isExact)) } }
            + kinds.map { Self.records($0) } + [Self.rates(statistics)]
    }

    private static func number(_ number: Int?) -> JSONValue { number.map { .number(JSONNumber($0)) } ?? .null }

    /// Six digits after the point, as times have.
    private static func rounded(_ number: Double) -> JSONValue {
        .number(JSONNumber((number * 1e6).rounded() / 1e6))
    }

    typealias TableRow = (text: String, count: FrequentItems<ByteName>.Count, isExact: Bool)

    static let summary = AnswerKind<StatsTables>(
        "stats", "what the commits of a run are like",
        [
            .always("commits", "how many commits", \.statistics.commits),
            .always("changes", "how many changes they made", \.statistics.changes),
            .always("idle", "how many commits changed nothing", \.statistics.idle),
            .always(
                "putBack", "how many values were again what they had been within the next four commits",
                \.statistics.putBack.total),
            .always("first", "the time of the first commit, null where there is none", \.statistics.first?.text),
            .always("last", "the time of the last commit", \.statistics.last?.text),
            .always("seconds", "the time between the two") { rounded($0.seconds) },
            .always("rate", "commits in a second, null where no time passed") { $0.rate.map(rounded) },
            .always(
                "patch",
                #"the sizes of patches in bytes: "median", "p99", "largest", "largestSeq" (the commit with that one) and "bytes" (all)"#
            ) { sizes($0.statistics) },
            .always("bytes", "all bytes that were read", \.statistics.bytes),
            .always("keyframeShare", "which part of the bytes are keyframes") { rounded($0.keyframeShare) },
            .always("exact", "whether every count is exact", \.statistics.isExact),
        ])

    private static func sizes(_ statistics: JournalStatistics) -> JSONValue {
        .members([
            "median": number(statistics.patches.quantile(500)), "p99": number(statistics.patches.quantile(990)),
            "largest": number(statistics.largest == nil ? nil : statistics.patches.largest),
            "largestSeq": number(statistics.largest?.rawValue), "bytes": number(statistics.patches.sum),
        ])
    }

    private static func rows(
        _ kind: String, _ summary: String, _ names: [AnswerKind<TableRow>.Field], _ unit: String, _ meaning: String
    ) -> AnswerKind<TableRow> {
        AnswerKind(
            kind, summary,
            names + [
                .always(unit, meaning, \.count.count),
                .sometimes(
                    "error", "how much too high the count may be, where there are too many names to count each"
                ) { $0.isExact ? nil : $0.count.error },
                .always("last", "the last commit that counted", \.count.last),
            ])
    }

    static let paths = rows(
        "stats.path", "a path that was written, the most frequent first",
        [.always("path", "the path, numbers in it as *", \.text)], "changes", "how many changes")

    static let locations = rows(
        "stats.location", "a place in the source that made commits",
        [
            .sometimes("file", "the source file") { colon($0.text).map { String($0.file) } },
            .sometimes("line", "the line") { row -> JSONValue? in
                colon(row.text).map { Int($0.line).map(JSONValue.number) ?? .null }
            },
            .sometimes("location", "in the place of both, where the record names no line") { row in
                colon(row.text) == nil ? row.text : nil
            },
        ], "commits", "how many commits")

    private static func colon(_ text: String) -> (file: Substring, line: Substring)? {
        text.utf8.lastIndex(of: UInt8(ascii: ":")).map { (text[..<$0], text[text.index(after: $0)...]) }
    }

    static let functions = rows(
        "stats.function", "a function that made commits", [.always("function", "the function", \.text)], "commits",
        "how many commits")

    static let stores = rows(
        "stats.store", "a store that made commits", [.always("store", "the store", \.text)], "commits",
        "how many commits")

    static let putBack = rows(
        "stats.putBack", "a path at which values were put back",
        [.always("path", "the path, numbers in it as *", \.text)], "times", "how many")

    static let records = AnswerKind<(name: String, size: JournalStatistics.KindSize)>(
        "stats.records", "the records of one kind, whatever the filters",
        [
            .always("record", "the kind", \.name), .always("count", "how many there are", \.size.count),
            .always("bytes", "the bytes that they take", \.size.bytes),
        ])

    static let rates = AnswerKind<JournalStatistics>(
        "stats.rate", "commits over time",
        [
            .always("start", "the beginning of the first part, null where there is none", \.times.start?.text),
            .always("seconds", "how long a part is") { statistics in
                JSONValue.number(JSONNumber(Double(statistics.times.width) / 1e6))
            },
            .always("commits", "how many commits each part has", \.times.counts),
        ])
}
