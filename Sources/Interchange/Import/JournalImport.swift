public import JSONCore
public import JournalFormat

/// An import under way: the bytes of a file go in, the lines of a journal come out.
///
/// ```swift
/// var work = JournalImport(SnapshotReader(), of: "log.jsonl", time: .now(), skipsBad: false)
/// try bytes.withBytes { try work.read($0) }
/// try work.finish()
/// let journal = work.takeLines()
/// ```
///
/// The bytes may come in pieces of any size. No more is held than one text, the state of the stores, and the lines that were
/// not taken.
public struct JournalImport {
    /// How long one line may be.
    public static let lineLimit = 64 << 20
    /// How long one text may be in a format whose file is one, or whose texts have several lines.
    public static let textLimit = 1 << 30

    /// The journal so far.
    public private(set) var run: ImportedRun
    /// How many texts were read.
    public private(set) var texts = 0
    /// What the first text looks like; nil if it is of the format, or does not show one.
    public var likeness: ImportFormat.Likeness? {
        first.flatMap(ImportFormat.likeness).flatMap { $0 == .format(reader.format) ? nil : $0 }
    }
    /// The first text, as long as nothing says what a state is.
    private var first: JSONValue?
    private var reader: any ImportReader
    private var splitter: TextSplitter
    private var isFirstOfFile = false
    private let limit: Int
    private var table: CSVTable?

    /// Begins an import.
    ///
    /// - Parameters:
    ///   - reader: the format.
    ///   - file: the file's path, for locations and messages.
    ///   - time: the time of records before the first that says one.
    ///   - skipsBad: whether what does not fit is counted and left out; otherwise the first ends the import.
    ///   - identities: the members by which elements of arrays are matched.
    ///   - limit: how many bytes a text may have; nil for ``lineLimit`` or ``textLimit``.
    ///   - sink: takes over lines as soon as there are enough of them; without one they wait for ``takeLines()``.
    public init(
        _ reader: any ImportReader, of file: String, time: Timestamp, skipsBad: Bool, identities: [String]? = nil,
        limit: Int? = nil, sink: ImportedRun.Sink? = nil
    ) {
        self.reader = reader
        run = ImportedRun(format: reader.format.rawValue, file: file, time: time, skipsBad: skipsBad, sink: sink)
        if let identities { run.identities = identities }
        self.limit = limit ?? (reader.division == .texts ? Self.textLimit : Self.lineLimit)
        splitter = TextSplitter(reader.division, limit: self.limit)
    }

    /// Reads what comes next.
    public mutating func read(_ bytes: ByteView) throws(ImportError) {
        splitter.append(bytes)
        try readTexts()
    }

    /// Ends a file, and begins the next one, whose texts follow.
    ///
    /// - Parameter time: of its records before the first that says one.
    /// - Throws: ``ImportError`` for what does not fit at the end of the one before.
    public mutating func begin(_ file: String, time: Timestamp) throws(ImportError) {
        splitter.finish()
        try readTexts()
        splitter = TextSplitter(reader.division, limit: limit)
        isFirstOfFile = true
        run.begin(file, time: time)
    }

    /// Ends the journal.
    ///
    /// - Throws: ``ImportError`` for what does not fit at the end, or where there was nothing to read.
    public mutating func finish() throws(ImportError) {
        splitter.finish()
        try readTexts()
        guard texts > 0 else { throw ImportError(file: run.file, line: nil, fault: .empty) }
        do throws(ImportFault) { try reader.finish(&run) } catch {
            throw ImportError(file: run.file, line: nil, fault: error)
        }
        run.markProblems()
        run.finish()
    }

    /// What there is to say of what was read, by the way.
    public var notes: [String] { reader.notes }
    /// What was asked of the texts that they do not answer, or answer several times.
    public var warnings: [ImportWarning] { reader.warnings }

    /// Takes out the lines composed so far.
    public mutating func takeLines() -> [UInt8] { run.takeLines() }

    private mutating func readTexts() throws(ImportError) {
        while let piece = splitter.next() {
            if reader.division == .rows, table == nil {
                do throws(ImportFault) { table = try CSVTable(head: splitter.bytes[piece.range]) } catch {
                    throw ImportError(file: run.file, line: piece.line, fault: error)
                }
                continue
            }
            texts += 1
            defer { if !run.totals.commits.isEmpty { first = nil } }
            do throws(ImportFault) { try read(piece) } catch {
                if error.concernsFile { throw ImportError(file: run.file, line: piece.line, fault: error) }
                try run.problems.report(error, line: piece.line)
            }
        }
    }

    private mutating func read(_ piece: TextSplitter.Piece) throws(ImportFault) {
        if piece.isTooLong { throw .tooLong(limit: limit) }
        let value = try parse(piece, of: splitter)
        if texts == 1 || isFirstOfFile {
            isFirstOfFile = false
            try ImportFormat.check(value, against: reader.format)
            first = value
        }
        run.markProblems()
        run.prefix = String(decoding: splitter.bytes[piece.prefix], as: UTF8.self)
        do throws(ImportFault) { try reader.read(value, line: piece.line, into: &run) } catch {
            // The first text may be a state of any form, so that only the second one shows the format.
            guard texts <= 2, run.lastCommit == .zero, error.concernsForm else { throw error }
            var ahead = splitter
            let second = texts == 2 ? value : ahead.next().flatMap { try? parse($0, of: ahead) }
            if let second { try ImportFormat.check(second, against: reader.format) }
            throw error
        }
    }

    private func parse(_ piece: TextSplitter.Piece, of splitter: TextSplitter) throws(ImportFault) -> JSONValue {
        let order = reader.order
        if let table {
            let row = try table.object(splitter.bytes[piece.range])
            return order == .ascending ? row.ascending() : row
        }
        if reader.isRaw { return .string(String(decoding: splitter.bytes[piece.range], as: UTF8.self)) }
        let result = splitter.bytes.withBytes { bytes in
            Result { () throws(JSONError) in
                try JSONParser.parse(bytes.extracting(piece.range), order: order)
            }
        }
        do throws(JSONError) { return try result.get() } catch {
            let mark = splitter.bytes[piece.range].prefix(2)
            if texts == 1, mark == [0xFF, 0xFE] || mark == [0xFE, 0xFF] { throw .encoding("UTF-16") }
            throw .json(error)
        }
    }
}

/// Makes records of the JSON texts of a file in another tool's format.
public protocol ImportReader {
    /// The format.
    var format: ImportFormat { get }
    /// How the file is divided into texts.
    var division: TextDivision { get }
    /// How the members of objects are read.
    var order: MemberOrder { get }

    /// Whether each line is a text for it, also where it is JSON.
    var isRaw: Bool { get }

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
    /// Texts one after another.
    public var division: TextDivision { .texts }
    /// Every text is JSON.
    public var isRaw: Bool { false }
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
