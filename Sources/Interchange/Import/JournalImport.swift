import JSONCore
public import JournalFormat

/// An import under way: the bytes of a file go in, the lines of a journal come out.
///
/// ```swift
/// var work = JournalImport(SnapshotReader(), of: "log.jsonl", time: .now(), skipsBad: false)
/// try bytes.withUnsafeBytes { try work.read($0) }
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
    private var reader: any ImportReader
    private var splitter: TextSplitter
    private let limit: Int

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
    ///
    /// - Throws: ``ImportError`` for the first thing that does not fit, where nothing may be left out.
    public mutating func read(_ bytes: UnsafeRawBufferPointer) throws(ImportError) {
        splitter.append(bytes)
        try readTexts()
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

    /// Takes out the lines composed so far.
    public mutating func takeLines() -> [UInt8] { run.takeLines() }

    private mutating func readTexts() throws(ImportError) {
        while let piece = splitter.next() {
            texts += 1
            do throws(ImportFault) {
                if piece.isTooLong { throw .tooLong(limit: limit) }
                let value = try parse(piece)
                if texts == 1 { try ImportFormat.check(value, against: reader.format) }
                run.markProblems()
                try reader.read(value, line: piece.line, into: &run)
            } catch {
                if texts == 1, case .otherFormat = error {
                    throw ImportError(file: run.file, line: piece.line, fault: error)
                }
                try run.problems.report(error, line: piece.line)
            }
        }
    }

    private func parse(_ piece: TextSplitter.Piece) throws(ImportFault) -> JSONValue {
        let order = reader.order
        let result = splitter.bytes.withUnsafeBytes { bytes in
            Result { () throws(JSONError) in
                try JSONParser.parse(UnsafeRawBufferPointer(rebasing: bytes[piece.range]), order: order)
            }
        }
        do throws(JSONError) { return try result.get() } catch { throw .json(error) }
    }
}
