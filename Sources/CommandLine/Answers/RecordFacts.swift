package import JSONCore
package import JournalReading

/// What answers say of a record, without its patch, which may be large: shared by all rows that are about it.
package final class RecordFacts {
    package let store: JSONValue
    package let time: JSONValue
    package let at: JSONValue
    package let summary: RecordSummary

    package init(_ record: Record) {
        store = record[.store] ?? .null
        time = record[.time] ?? .null
        at = record[.at] ?? .null
        summary = RecordSummary(record).withoutCause
    }
}
