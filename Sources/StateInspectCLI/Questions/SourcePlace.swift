import JSONCore

/// A place in a program's source, as a record names it.
struct SourcePlace: Sendable {
    /// The file as the program's compiler names it: `Shop/Cart.swift`.
    let file: String
    /// Both from 1; nil where the record has no such number.
    let line: Int?
    let column: Int?
    let function: String?

    /// The place at which a record was made; nil where it names no file.
    init?(_ record: JSONObject) {
        guard case .object(let place)? = record["at"], let file = place["file"]?.string, !file.isEmpty else {
            return nil
        }
        self.file = file
        line = place["line"]?.integer.flatMap { $0 > 0 ? $0 : nil }
        column = place["column"]?.integer.flatMap { $0 > 0 ? $0 : nil }
        function = place["function"]?.string.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// As `Shop/Cart.swift:42`.
    var text: String { file + (line.map { ":\($0)" } ?? "") }
}
