import JSONCore
import JournalReading

/// What answers say of a record, without its patch, which may be large: shared by all rows that are about it.
final class RecordFacts {
    let store: JSONValue
    let time: JSONValue
    let at: JSONValue
    let summary: RecordSummary

    init(_ record: Record) {
        store = record[.store] ?? .null
        time = record[.time] ?? .null
        at = record[.at] ?? .null
        summary = RecordSummary(record).withoutCause
    }
}
