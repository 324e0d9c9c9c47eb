import JSONCore
import JournalFormat
import TimeTravel

/// The statistics of a run as tables of rows, the most frequent first, and as answers.
struct StatsTables {
    /// One table.
    struct Table {
        let kind: String
        let name: String
        let unit: String
        let rows: [FrequentItems<CountedName>.Count]
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
        func table(_ kind: String, _ name: String, _ unit: String, _ items: FrequentItems<CountedName>) -> Table {
            Table(
                kind: kind, name: name, unit: unit, rows: items.most(limit, by: CountedName.isBefore),
                total: items.total, distinct: items.distinct, isExact: items.isExact)
        }
        tables = [
            table("stats.path", "path", "changes", statistics.paths),
            table("stats.location", "location", "commits", statistics.locations),
            table("stats.function", "function", "commits", statistics.functions),
            table("stats.store", "store", "commits", statistics.stores),
            table("stats.putBack", "path", "times", statistics.putBack),
        ]
    }

    /// The text of a row, under `--store` a path that begins at the store.
    func text(_ row: FrequentItems<CountedName>.Count, of table: Table) -> String {
        let text = row.item.text
        guard table.name == "path", scope.store != nil else { return text }
        // The path begins with the store's name, in which no slash stands as it is.
        return text.dropFirst().firstIndex(of: "/").map { String(text[$0...]) } ?? ""
    }

    /// From the first commit to the last.
    var seconds: Double {
        guard let first = statistics.times.start, let last = statistics.times.last else { return 0 }
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
        var answer = Answer("stats")
        answer.set("commits", statistics.commits)
        answer.set("changes", statistics.changes)
        answer.set("idle", statistics.idle)
        answer.set("putBack", statistics.putBack.total)
        answer.set("first", statistics.times.start?.text)
        answer.set("last", statistics.times.last?.text)
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

    private func answer(_ row: FrequentItems<CountedName>.Count, of table: Table) -> Answer {
        var answer = Answer(table.kind)
        let text = text(row, of: table)
        if table.name == "location", let colon = text.lastIndex(of: ":") {
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
        var answer = Answer("stats.records")
        answer.set("record", kind.name)
        answer.set("count", kind.size.count)
        answer.set("bytes", kind.size.bytes)
        return answer
    }

    private var overTime: Answer {
        var answer = Answer("stats.rate")
        answer.set("start", statistics.times.start?.text)
        answer.set("seconds", .number(JSONNumber(Double(statistics.times.width) / 1e6)))
        answer.set("commits", .array(statistics.times.counts.map { .number(JSONNumber($0)) }))
        return answer
    }

    private static func number(_ number: Int?) -> JSONValue { number.map { .number(JSONNumber($0)) } ?? .null }

    /// Six digits behind the point, as times have.
    private static func rounded(_ number: Double) -> JSONValue {
        .number(JSONNumber((number * 1e6).rounded() / 1e6))
    }
}
