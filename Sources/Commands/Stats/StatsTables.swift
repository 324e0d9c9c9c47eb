import CommandLine
import JSONCore
import JournalFormat
import TimeTravel

/// The statistics of a run as tables of rows, the most frequent first, and as answers.
struct StatsTables {
    /// One table.
    struct Table {
        let kind: AnswerDefinition
        let name: String
        let unit: String
        let rows: [FrequentItems<ByteName>.Count]
        let total: Int
        let distinct: Int
        let isExact: Bool
    }

    let statistics: JournalStatistics
    let tables: [Table]

    private let scope: StoreScope

    init(_ statistics: JournalStatistics, _ scope: StoreScope, limit: Int) {
        self.statistics = statistics
        self.scope = scope
        func table(_ kind: AnswerDefinition, _ name: String, _ unit: String, _ items: FrequentItems<ByteName>)
            -> Table
        {
            Table(
                kind: kind, name: name, unit: unit, rows: items.most(limit, by: <),
                total: items.total, distinct: items.distinct, isExact: items.isExact)
        }
        tables = [
            table(.statsPath, "path", "changes", statistics.paths),
            table(.statsLocation, "location", "commits", statistics.locations),
            table(.statsFunction, "function", "commits", statistics.functions),
            table(.statsStore, "store", "commits", statistics.stores),
            table(.statsPutBack, "path", "times", statistics.putBack),
        ]
    }

    /// The text of a row, under `--store` a path that begins at the store.
    func text(_ row: FrequentItems<ByteName>.Count, of table: Table) -> String {
        let text = row.item.text
        guard table.name == "path", scope.store != nil else { return text }
        // The path begins with the store's name, in which no slash stands as it is.
        return text.utf8.dropFirst().firstIndex(of: UInt8(ascii: "/")).map { String(text[$0...]) } ?? ""
    }

    /// From the first commit to the last.
    var seconds: Double {
        guard let first = statistics.first, let last = statistics.last else { return 0 }
        return Double(last.microseconds) / 1e6 - Double(first.microseconds) / 1e6
    }

    /// Commits in a second; nil where no time passed.
    var rate: Double? { seconds > 0 ? Double(statistics.commits) / seconds : nil }

    /// Which part of all bytes are keyframes.
    var keyframeShare: Double {
        let bytes = statistics.bytes
        return bytes == 0 ? 0 : Double(statistics.kinds[Int(RecordKind.keyframe.rawValue)].bytes) / Double(bytes)
    }

    /// The kinds of records that there are, with how many and their bytes.
    var kinds: [(name: String, size: JournalStatistics.KindSize)] {
        RecordKind.allCases.compactMap { kind in
            let size = statistics.kinds[Int(kind.rawValue)]
            return size.count > 0 ? ("\(kind.name)", size) : nil
        }
    }

    // MARK: JSON

    /// A line for the whole, one for each row, one for each kind of record, one for the rate over time.
    var answers: [Answer] {
        [summary] + tables.flatMap { table in table.rows.map { answer($0, of: table) } } + kinds.map(Self.answer)
            + [overTime]
    }

    private var summary: Answer {
        var answer = Answer(.stats)
        answer.set("commits", statistics.commits)
        answer.set("changes", statistics.changes)
        answer.set("idle", statistics.idle)
        answer.set("putBack", statistics.putBack.total)
        answer.set("first", statistics.first?.text)
        answer.set("last", statistics.last?.text)
        answer.set("seconds", Self.rounded(seconds))
        answer.set("rate", rate.map(Self.rounded) ?? .null)
        var patch = JSONObject()
        patch["median"] = Self.number(statistics.patches.quantile(500))
        patch["p99"] = Self.number(statistics.patches.quantile(990))
        patch["largest"] = Self.number(statistics.largest == nil ? nil : statistics.patches.largest)
        patch["largestSeq"] = Self.number(statistics.largest?.rawValue)
        patch["bytes"] = Self.number(statistics.patches.sum)
        answer.set("patch", .object(patch))
        answer.set("bytes", statistics.bytes)
        answer.set("keyframeShare", Self.rounded(keyframeShare))
        answer.set("exact", statistics.isExact)
        return answer
    }

    private func answer(_ row: FrequentItems<ByteName>.Count, of table: Table) -> Answer {
        var answer = Answer(table.kind)
        let text = text(row, of: table)
        if table.name == "location", let colon = text.utf8.lastIndex(of: UInt8(ascii: ":")) {
            answer.set("file", String(text[..<colon]))
            answer.set("line", Int(text[text.index(after: colon)...]))
        } else {
            answer.set(table.name, text)
        }
        answer.set(table.unit, row.count)
        if !table.isExact { answer.set("error", row.error) }
        answer.set("last", row.last)
        return answer
    }

    private static func answer(_ kind: (name: String, size: JournalStatistics.KindSize)) -> Answer {
        var answer = Answer(.statsRecords)
        answer.set("record", kind.name)
        answer.set("count", kind.size.count)
        answer.set("bytes", kind.size.bytes)
        return answer
    }

    private var overTime: Answer {
        var answer = Answer(.statsRate)
        answer.set("start", statistics.times.start?.text)
        answer.set("seconds", .number(JSONNumber(Double(statistics.times.width) / 1e6)))
        answer.set("commits", .array(statistics.times.counts.map { .number(JSONNumber($0)) }))
        return answer
    }

    private static func number(_ number: Int?) -> JSONValue { number.map { .number(JSONNumber($0)) } ?? .null }

    /// Six digits after the point, as times have.
    private static func rounded(_ number: Double) -> JSONValue {
        .number(JSONNumber((number * 1e6).rounded() / 1e6))
    }
}

extension AnswerDefinition {
    static let stats = AnswerDefinition(
        "stats", "what the commits of a run are like",
        [
            .always("commits", "how many commits"),
            .always("changes", "how many changes they made"),
            .always("idle", "how many commits changed nothing"),
            .always("putBack", "how many values were again what they had been within the next four commits"),
            .always("first", "the time of the first commit, null where there is none"),
            .always("last", "the time of the last commit"),
            .always("seconds", "the time between the two"),
            .always("rate", "commits in a second, null where no time passed"),
            .always(
                "patch",
                #"the sizes of patches in bytes: "median", "p99", "largest", "largestSeq" (the commit with that one) and "bytes" (all)"#
            ),
            .always("bytes", "all bytes that were read"),
            .always("keyframeShare", "which part of the bytes are keyframes"),
            .always("exact", "whether every count is exact"),
        ])

    static let statsPath = AnswerDefinition(
        "stats.path", "a path that was written, the most frequent first",
        [
            .always("path", "the path, numbers in it as *"),
            .always("changes", "how many changes"),
            .sometimes("error", "how much too high the count may be, where there are too many names to count each"),
            .always("last", "the last commit that counted"),
        ])

    static let statsLocation = AnswerDefinition(
        "stats.location", "a place in the source that made commits",
        [
            .sometimes("file", "the source file"),
            .sometimes("line", "the line"),
            .sometimes("location", "in the place of both, where the record names no line"),
            .always("commits", "how many commits"),
            .sometimes("error", "how much too high the count may be, where there are too many names to count each"),
            .always("last", "the last commit that counted"),
        ])

    static let statsFunction = AnswerDefinition(
        "stats.function", "a function that made commits",
        [
            .always("function", "the function"),
            .always("commits", "how many commits"),
            .sometimes("error", "how much too high the count may be, where there are too many names to count each"),
            .always("last", "the last commit that counted"),
        ])

    static let statsStore = AnswerDefinition(
        "stats.store", "a store that made commits",
        [
            .always("store", "the store"),
            .always("commits", "how many commits"),
            .sometimes("error", "how much too high the count may be, where there are too many names to count each"),
            .always("last", "the last commit that counted"),
        ])

    static let statsPutBack = AnswerDefinition(
        "stats.putBack", "a path at which values were put back",
        [
            .always("path", "the path, numbers in it as *"),
            .always("times", "how many"),
            .sometimes("error", "how much too high the count may be, where there are too many names to count each"),
            .always("last", "the last commit that counted"),
        ])

    static let statsRecords = AnswerDefinition(
        "stats.records", "the records of one kind, whatever the filters",
        [
            .always("record", "the kind"),
            .always("count", "how many there are"),
            .always("bytes", "the bytes that they take"),
        ])

    static let statsRate = AnswerDefinition(
        "stats.rate", "commits over time",
        [
            .always("start", "the beginning of the first part, null where there is none"),
            .always("seconds", "how long a part is"),
            .always("commits", "how many commits each part has"),
        ])
}
