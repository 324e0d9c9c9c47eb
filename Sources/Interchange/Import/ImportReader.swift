public import JSONCore

/// Makes records of the JSON texts of a file in another tool's format.
public protocol ImportReader {
    /// The format.
    var format: ImportFormat { get }
    /// How the file is divided into texts.
    var division: TextDivision { get }
    /// How the members of objects are read.
    var order: MemberOrder { get }

    /// Remarks on the input.
    var notes: [String] { get }

    /// What was asked of the texts that they do not answer, or answer several times.
    var warnings: [ImportWarning] { get }

    /// Takes the next text.
    ///
    /// - Parameter line: the line that it begins in.
    /// - Throws: ``ImportFault`` where it does not fit; then nothing of it is in the run.
    mutating func read(_ text: JSONValue, line: Int, into run: inout ImportedRun) throws(ImportFault)

    /// Called once after the last text.
    mutating func finish(_ run: inout ImportedRun) throws(ImportFault)
}

extension ImportReader {
    /// One text a line.
    public var division: TextDivision { .lines(cutsPrefix: false) }
    /// As states are held.
    public var order: MemberOrder { .ascending }
    /// Nothing.
    public var notes: [String] { [] }
    /// Nothing was asked.
    public var warnings: [ImportWarning] { [] }
    /// Nothing is left to be said.
    public mutating func finish(_ run: inout ImportedRun) throws(ImportFault) {}
}

/// How a file is divided into JSON texts.
public enum TextDivision: Sendable, Equatable {
    /// One text a line; text before the first `{` or `[` may be cut off.
    case lines(cutsPrefix: Bool)
    /// Texts one after another, each over any number of lines.
    case texts
    /// Rows of comma-separated values below a head: each is an object with the head's names.
    case rows
}
