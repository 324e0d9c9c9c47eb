import JournalFormat
package import JournalReading
import TimeTravel

package struct SourcePlace: Sendable {
    /// The file as the program's compiler names it: `Shop/Cart.swift`.
    package let file: String
    /// Both from 1; nil where the record has no such number.
    package let line: Int?
    package let column: Int?
    package let function: String?

    /// The place at which a record was made; nil where it names no file.
    package init?(_ record: Record) {
        guard let place = record.place, let file = place.file, !file.isEmpty else { return nil }
        self.file = file
        line = place.line.flatMap { $0 > 0 ? $0 : nil }
        column = place.column.flatMap { $0 > 0 ? $0 : nil }
        function = place.function.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// As `Shop/Cart.swift:42`.
    package var text: String { file + (line.map { ":\($0)" } ?? "") }
}

extension Session {
    /// Where the commit of the position was made; nil where there is none, or it does not say.
    package func commitPlace() throws(JournalError) -> SourcePlace? {
        guard let record = try commitRecord() else { return nil }
        return SourcePlace(try Record(record))
    }
}
