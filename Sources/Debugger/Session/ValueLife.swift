import CommandLine
import JSONCore
import JournalFormat
import JournalReading
import TimeTravel

struct ValueLife: Equatable {
    struct Row: Equatable {
        let position: Int
        /// Where it is, where several places are followed; else empty.
        let path: String
        let old: QueryOutcome
        let new: QueryOutcome
        let clock: String
        /// The base name of the file with the line, and the function.
        let place: String
    }

    enum End: Equatable {
        case whole, interrupted
        case tooMany
    }

    private(set) var rows: [Row] = []
    private(set) var end = End.whole

    static let limit = 10_000

    /// The changes that the command `history` lists, after what the member began with if `withOpening`.
    ///
    /// - Complexity: one pass over the run, which `calls` may end.
    init(of subject: WatchSubject, in session: Session, _ calls: SessionCalls, withOpening: Bool = true) throws {
        if withOpening, let path = subject.path, let opened = try session.opening(of: path),
            let value = path.value(in: try session.state(at: session.bounds.lower))
        {
            rows.append(Row(opened, session.bounds.lower, "", old: .nothing, new: .value(value)))
        }
        let isWhole = try session.eachChange(of: subject, calls) { position, changes in
            for change in changes {
                guard rows.count < Self.limit else {
                    end = .tooMany
                    return false
                }
                let record = try change.record ?? session.journal.keptRecord(of: position)
                let path = change.path.segments.isEmpty || subject.path != nil ? "" : change.path.text
                rows.append(Row(record, position, path, old: change.old, new: change.new))
            }
            return true
        }
        if !isWhole, end == .whole { end = .interrupted }
    }

    /// Nil where one of the values is not a number, or there are none.
    var numbers: [Double]? {
        guard let first = rows.first else { return nil }
        let outcomes = ([first.old] + rows.map(\.new)).filter { $0 != .nothing }
        let numbers = outcomes.compactMap { $0.value?.number?.doubleValue }
        return numbers.count == outcomes.count && !numbers.isEmpty ? numbers : nil
    }
}

extension ValueLife.Row {
    fileprivate init(
        _ record: OwnedRecord?, _ position: CommitNumber, _ path: String, old: QueryOutcome, new: QueryOutcome
    ) {
        let summary = record.flatMap { try? Record($0) }.map { RecordSummary($0) }
        let file = summary?.location?.split(separator: "/").last.map(String.init)
        let opened = summary?.kind == .store ? "store opened" : nil
        self.init(
            position: position.rawValue, path: path, old: old, new: new, clock: summary?.clock ?? "",
            place: [file, summary?.label, opened].compactMap(\.self).filter { !$0.isEmpty }.joined(separator: "  "))
    }
}

enum Sparkline {
    private static let levels = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]

    /// If there are more numbers than fit, each column shows the last of its share.
    static func text(_ numbers: [Double], columns: Int) -> String {
        let numbers = numbers.filter(\.isFinite)
        guard columns > 0, let least = numbers.min(), let most = numbers.max() else { return "" }
        let width = min(columns, numbers.count)
        return (1...width).map { column in
            let number = numbers[numbers.count * column / width - 1]
            // Halves first: what lies between the largest numbers is not infinite.
            let share = most > least ? (number / 2 - least / 2) / (most / 2 - least / 2) : 0.5
            return levels[min(levels.count - 1, Int(share * Double(levels.count)))]
        }.joined()
    }
}
