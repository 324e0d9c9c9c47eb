import CommandLine
package import JSONCore
import JournalFormat
import JournalReading
import TimeTravel

/// How a state came to be, as reports have it: the records that touched what a question reads, with the values after each.
struct HistorySteps {
    private let journal: Journal
    private let paths: PathSet
    private let places: [JSONPointer]

    init(_ journal: Journal, reading paths: PathSet) {
        self.journal = journal
        self.paths = paths
        places = Self.places(of: paths)
    }

    /// The last steps up to a position; at least the record that made it, if one did.
    ///
    /// One that cannot be read is left out.
    func through(_ position: CommitNumber, by author: OwnedRecord?) -> [Finding.HistoryStep] {
        let found = StateHistory.last(JournalCheck.historyLength, through: position, reading: paths, in: journal)
        guard found.isEmpty else { return found.compactMap { try? step($0.record, $0.state) } }
        guard let author, let state = try? journal.state(at: position, pruning: paths).value else { return [] }
        return [try? step(author, state)].compactMap(\.self)
    }

    private func step(_ record: OwnedRecord, _ state: JSONValue) throws -> Finding.HistoryStep {
        let record = try Record(record)
        let values = places.prefix(JournalCheck.stateParts).compactMap { path in
            path.value(in: state).map {
                (path: path.text, value: ValuePreview.shortened($0, to: JournalCheck.partLength))
            }
        }
        return .init(
            record: RecordSummary(record, scope: StoreScope(store: nil)), place: SourcePlace(record), state: values)
    }

    /// The places whose values are shown: each path that is read, down to the first segment that stands for several.
    private static func places(of paths: PathSet) -> [JSONPointer] {
        var places: [JSONPointer] = []
        for text in paths.patterns {
            guard let pattern = try? JSONPointer(parsing: text.replacing("~2", with: "*")) else { continue }
            let isLiteral = !text.utf8.contains(UInt8(ascii: "*"))
            let segments = isLiteral ? pattern.segments : Array(pattern.segments.prefix { $0 != "*" && $0 != "**" })
            let place = JSONPointer(segments)
            if !places.contains(place) { places.append(place) }
        }
        return places
    }
}

extension ValuePreview {
    /// The compact text of a value, cut to about so many bytes with `…` where something was left out.
    package static func shortened(_ value: JSONValue, to limit: Int) -> String {
        let text = text(value, limit: limit)
        guard text.utf8.count > limit else { return text }
        return String(decoding: text.utf8.prefix(limit), as: UTF8.self) + "…"
    }
}
