import JSONCore
import JournalFormat
import JournalReading
import QueryLanguage

@testable import TimeTravel

extension CommitReplay {
    /// All commits of a journal that begins at 0.
    init(all journal: Journal) throws {
        self.init(start: PositionState(start: .zero))
        var reader = journal.records()
        while let line = try reader.next() {
            switch line.kind {
            case .store:
                let record = try line.decode(order: .ascending) { (o) throws(RecordFault) in try StoreRecord(o) }
                append(.open(record.store, record.state))
            case .close:
                guard case .string(let name)? = try line.object()["store"] else { continue }
                append(.close(name))
            case .commit:
                let record = try line.decode(order: .ascending) { (o) throws(RecordFault) in try CommitRecord(o) }
                append(Commit(number: record.seq, store: record.store, patch: record.patch, record: nil))
            default: break
            }
        }
    }

    /// Whether a query that reads only the state is true at the end with some of the commits.
    func endsBad(keeping kept: [Int], _ query: Query) -> Bool {
        Condition(bad: query).verdict(on: end(keeping: kept).state.value, context: .start).isBad ?? false
    }
}
