import JSONCore
import JournalFormat
import JournalReading

/// Where a commit's line has what another journal may say otherwise: its number, its store and its cause.
struct CommitPlaces {
    private let seq: Range<Int>
    /// With its quotes.
    private let store: Range<Int>
    /// With the comma and its name, and the number alone.
    private let cause: (member: Range<Int>, number: Range<Int>)?
    /// Where the members end that a changed line keeps: all but its sum.
    private let end: Int

    /// Finds the places in a commit's line; nil where the record is to be taken apart to be changed.
    init?(_ record: JSONToken, _ line: RecordLine) {
        // What it takes back is another number to change, and rare.
        guard let seq = record["seq"]?.range, let store = record["store"], store.plainString != nil,
            record["undoes"] == nil
        else {
            return nil
        }
        var cause: (member: Range<Int>, number: Range<Int>)?
        if let number = record["cause"], number.kind == .number {
            guard let commit = number.wholeNumber, commit >= 0 else { return nil }
            cause = ((number.range.lowerBound - #","cause":"#.utf8.count)..<number.range.upperBound, number.range)
        }
        // A sum is a sum only at the end and in its own form.
        let hasSum = LineSum.written(in: line.bytes) != nil
        guard hasSum || record["sum"] == nil else { return nil }
        self.seq = seq
        self.store = store.range
        self.cause = cause
        end = line.bytes.count - (hasSum ? LineSum.tailLength : 1)
    }

    /// The store's name.
    func store(in line: UnsafeRawBufferPointer) -> String {
        String(decoding: line[(store.lowerBound + 1)..<(store.upperBound - 1)], as: UTF8.self)
    }

    /// The commit that caused it; nil where the line names none.
    func cause(in line: UnsafeRawBufferPointer) -> Int? {
        cause.flatMap { Int(String(decoding: line[$0.number], as: UTF8.self)) }
    }

    /// A line with other things at the places, without a sum.
    ///
    /// - Parameters:
    ///   - store: the value's text; nil where it stays.
    ///   - newCause: nil takes the member away.
    ///   - text: a buffer, which holds the line afterwards.
    func write(
        _ line: UnsafeRawBufferPointer, seq newSeq: Int, store newStore: [UInt8]?, cause newCause: Int?,
        to text: inout [UInt8]
    ) {
        text.removeAll(keepingCapacity: true)
        var place = 0
        func copy(to end: Int) {
            text.append(contentsOf: UnsafeRawBufferPointer(rebasing: line[place..<end]))
        }
        func exchange(_ range: Range<Int>) {
            copy(to: range.lowerBound)
            place = range.upperBound
        }
        func writeStore() {
            guard let newStore else { return }
            exchange(store)
            text += newStore
        }
        exchange(seq)
        JSONWriter.append(newSeq, to: &text)
        let isCauseFirst = cause.map { $0.number.lowerBound < store.lowerBound } ?? false
        if !isCauseFirst { writeStore() }
        if let cause {
            exchange(newCause == nil ? cause.member : cause.number)
            if let newCause { JSONWriter.append(newCause, to: &text) }
        }
        if isCauseFirst { writeStore() }
        copy(to: end)
        text.append(UInt8(ascii: "}"))
    }
}
