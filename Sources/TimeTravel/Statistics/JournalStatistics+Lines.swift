package import JSONCore
import JournalFormat

extension JournalStatistics {
    /// The statistics of a part as objects, one a line.
    package var lines: [JSONObject] {
        var lines: [JSONObject] = []
        for table in CountedTable.allCases {
            for count in self[keyPath: table.items].most(.max, by: CountedName.isBefore) {
                lines.append([
                    "kind": .string(StatisticsLine.name), "table": .string(table.rawValue),
                    "text": .string(count.item.text),
                    "count": .number(JSONNumber(count.count)), "error": .number(JSONNumber(count.error)),
                    "last": .number(JSONNumber(count.last)),
                ])
            }
        }
        for change in watch.opening ?? [] { lines.append(change.line) }
        for replaced in watch.recent { lines.append(replaced.line) }
        return lines + [summary]
    }

    private var summary: JSONObject {
        var tables = JSONObject()
        for table in CountedTable.allCases {
            let items = self[keyPath: table.items]
            tables[table.rawValue] = ["total": .number(JSONNumber(items.total)), "exact": .bool(items.isExact)]
        }
        var sizes: JSONObject = [
            "sum": .number(JSONNumber(patches.sum)), "largest": .number(JSONNumber(patches.largest)),
            "counts": .array(
                patches.counts.enumerated().filter { $0.element > 0 }.map {
                    [.number(JSONNumber($0.offset)), .number(JSONNumber($0.element))]
                }),
        ]
        sizes["largestSeq"] = largest.map { .number(JSONNumber($0.rawValue)) }
        var kinds = JSONObject()
        for kind in RecordKind.allCases {
            let size = self.kinds[Int(kind.rawValue)]
            guard size.count > 0 else { continue }
            kinds["\(kind.name)"] = [
                "count": .number(JSONNumber(size.count)), "bytes": .number(JSONNumber(size.bytes)),
            ]
        }
        return [
            "kind": .string(StatisticsLine.summary), "commits": .number(JSONNumber(commits)),
            "changes": .number(JSONNumber(changes)), "idle": .number(JSONNumber(idle)),
            "first": first.map { .string($0.text) } ?? .null, "last": last.map { .string($0.text) } ?? .null,
            "patches": .object(sizes), "times": times.object, "kinds": .object(kinds), "tables": .object(tables),
        ]
    }
}

/// A table of names in the lines of a part.
enum CountedTable: String, CaseIterable {
    case path, location, function, store, putBack

    var items: WritableKeyPath<JournalStatistics, FrequentItems<CountedName>> {
        switch self {
        case .path: \.paths
        case .location: \.locations
        case .function: \.functions
        case .store: \.stores
        case .putBack: \.putBack
        }
    }
}

/// What a line of a part says, by its member `kind`.
enum StatisticsLine {
    static let name = "part.name"
    static let wrote = "part.wrote"
    static let edited = "part.edited"
    static let replaced = "part.replaced"
    static let summary = "part.stats"
}

extension PutBackWatch.Opening {
    fileprivate var line: JSONObject {
        switch self {
        case .wrote(let path, let value, let commit, let seq):
            [
                "kind": .string(StatisticsLine.wrote), "path": .string(String(decoding: path, as: UTF8.self)),
                "value": .string(Self.digest(of: value)), "commit": .number(JSONNumber(commit)),
                "seq": .number(JSONNumber(seq.rawValue)),
            ]
        case .edited(let path):
            ["kind": .string(StatisticsLine.edited), "path": .string(String(decoding: path, as: UTF8.self))]
        }
    }

    /// A text that only the texts of equal values share.
    fileprivate static func digest(of value: [UInt8]) -> String {
        (try? JSONParser.parse(value)).map { PartHash.text(of: $0) } ?? String(decoding: value, as: UTF8.self)
    }
}

extension PutBackJoin.Replaced {
    fileprivate var line: JSONObject {
        [
            "kind": .string(StatisticsLine.replaced), "age": .number(JSONNumber(age)),
            "path": .string(String(decoding: path, as: UTF8.self)),
            "old": .string(PutBackWatch.Opening.digest(of: old)),
        ]
    }
}

extension TimeHistogram {
    fileprivate var object: JSONValue {
        [
            "start": start.map { .string($0.text) } ?? .null, "width": .number(JSONNumber(width)),
            "counts": .array(counts.map { .number(JSONNumber($0)) }),
        ]
    }
}
