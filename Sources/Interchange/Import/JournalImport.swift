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
/// The bytes may come in pieces of any size. No more is held than one text, the state of the stores, the lines that were not
/// taken, and the first texts until it is known when they were made and in which order they stand: records before the first
/// time get that one, and where times fall, the texts are read from the last one on.
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
    /// Whether the newest record stood first, so that it was read from the end.
    public private(set) var isNewestFirst = false
    private var reader: any ImportReader
    private var splitter: TextSplitter
    private var isFirstOfFile = false
    private let limit: Int
    private var table: CSVTable?
    private var separator: UInt8?
    private let sink: ImportedRun.Sink?
    private var held: Held?
    /// The number of the last line, of a file that is read from its end.
    private let lastLine: Int?
    /// How many texts had bytes that are no UTF-8, and the first of them.
    private var replaced: (count: Int, first: Int)?

    private struct Text {
        let value: Result<JSONValue, ImportFault>
        let line: Int
        let prefix: String
    }

    /// The first texts, and what there was before them.
    private struct Held {
        let reader: any ImportReader
        let run: ImportedRun
        var texts: [Text] = []
        var length = 0

        static let lengthLimit = 1 << 20
    }

    /// Begins an import.
    ///
    /// - Parameters:
    ///   - reader: the format.
    ///   - file: the file's path, for locations and messages.
    ///   - time: the time of records before the first that says one.
    ///   - skipsBad: whether what does not fit is counted and left out; otherwise the first ends the import.
    ///   - identities: the members by which elements of arrays are matched.
    ///   - limit: how many bytes a text may have; nil for ``lineLimit`` or ``textLimit``.
    ///   - lastLine: the number of the last line, where the lines come from that one on.
    ///   - sink: takes over lines as soon as there are enough of them; without one they wait for ``takeLines()``.
    public init(
        _ reader: any ImportReader, of file: String, time: Timestamp, skipsBad: Bool, identities: [String]? = nil,
        limit: Int? = nil, lastLine: Int? = nil, sink: ImportedRun.Sink? = nil
    ) {
        var reader = reader
        isNewestFirst = lastLine != nil && reader.reverse()
        self.reader = reader
        (self.lastLine, self.sink) = (lastLine, sink)
        run = ImportedRun(
            format: reader.format.rawValue, file: file, time: time, skipsBad: skipsBad,
            sink: reader.saysTimes ? nil : sink)
        if let identities { run.identities = identities }
        if reader.saysTimes { held = Held(reader: reader, run: run) }
        self.limit = limit ?? (reader.division == .texts ? Self.textLimit : Self.lineLimit)
        splitter = TextSplitter(reader.division, limit: self.limit)
    }

    /// Reads what comes next.
    public mutating func read(_ bytes: ByteView) throws(ImportError) {
        if splitter.passed == 0, splitter.bytes.isEmpty, let name = FileSignature.encoding(ofBytes: bytes) {
            throw ImportError(file: run.file, line: 1, fault: .encoding(name))
        }
        splitter.append(bytes)
        try readTexts()
    }

    /// Ends a file, and begins the next one, or the same one anew, whose texts follow.
    ///
    /// - Parameter time: of its records before the first that says one.
    /// - Throws: ``ImportError`` for what does not fit at the end of the one before.
    public mutating func begin(_ file: String, time: Timestamp) throws(ImportError) {
        splitter.finish()
        try readTexts()
        try release(isWhole: true)
        splitter = TextSplitter(reader.division, limit: limit)
        table = nil
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
        try release(isWhole: true)
        do throws(ImportFault) { try reader.finish(&run) } catch {
            throw ImportError(file: run.file, line: nil, fault: error)
        }
        run.markProblems()
        run.finish()
    }

    /// What there is to say of what was read, by the way.
    public var notes: [String] {
        var notes = reader.notes
        if isNewestFirst { notes.append("the newest record stands first: it is read from its end") }
        for name in table?.doubled ?? [] {
            notes.append("several columns are called '\(name)': the second is '\(name)_2'")
        }
        if let replaced {
            notes.append(
                "bytes that are no UTF-8 became U+FFFD in \(counted(replaced.count, "text")), the first of them in line "
                    + "\(replaced.first)")
        }
        return notes
    }
    /// What was asked of the texts that they do not answer, or answer several times.
    public var warnings: [ImportWarning] { reader.warnings }

    /// Takes out the lines composed so far, but for those of the first texts as long as these may change.
    public mutating func takeLines() -> [UInt8] { held == nil ? run.takeLines() : [] }

    /// Takes out the lines so far also where the first texts are all that there is for now.
    public mutating func takeAllLines() throws(ImportError) -> [UInt8] {
        if run.hasHeader, !run.times.hasFallen { try release(isWhole: false) }
        if held == nil { run.endJump() }
        return takeLines()
    }

    private mutating func readTexts() throws(ImportError) {
        while let piece = splitter.next() {
            if reader.division == .rows, table == nil {
                do throws(ImportFault) {
                    table = try CSVTable(head: splitter.bytes[piece.range], separatedBy: &separator)
                } catch {
                    throw ImportError(file: run.file, line: piece.line, fault: error)
                }
                continue
            }
            texts += 1
            defer { if first != nil, !run.totals.commits.isEmpty { first = nil } }
            let text = text(piece)
            do throws(ImportError) {
                try consume(text)
                guard held != nil else { continue }
                held?.texts.append(text)
                held?.length += piece.range.count
                if run.times.isRising || held?.length ?? 0 > Held.lengthLimit { try release(isWhole: false) }
            } catch {
                // What was read before it stands, but for what is read anew from the end.
                held = nil
                if error.fault != .newestFirst { run.handOver(to: sink) }
                throw error
            }
        }
    }

    private mutating func consume(_ text: Text) throws(ImportError) {
        do throws(ImportFault) { try read(text) } catch {
            if error.concernsFile { throw ImportError(file: run.file, line: text.line, fault: error) }
            try run.problems.report(error, line: text.line)
        }
    }

    /// Hands over what the first texts made, after reading them anew where their times are those of later ones.
    private mutating func release(isWhole: Bool) throws(ImportError) {
        guard let first = held else { return }
        held = nil
        var reader = first.reader
        let turns = run.times.isFalling && !isNewestFirst && reader.reverse()
        if turns, !isWhole { throw ImportError(file: run.file, line: nil, fault: .newestFirst) }
        if turns || run.isUntimed, let time = turns ? run.times.last : run.times.first {
            (self.reader, run) = (reader, first.run)
            run.fallback = time
            for text in turns ? first.texts.reversed() : first.texts { try consume(text) }
            isNewestFirst = isNewestFirst || turns
        }
        run.handOver(to: sink)
    }

    private mutating func text(_ piece: TextSplitter.Piece) -> Text {
        let prefix = String(decoding: splitter.bytes[piece.prefix], as: UTF8.self)
        let result = Result { () throws(ImportFault) in
            if piece.isTooLong { throw .tooLong(limit: limit) }
            return try parse(piece, of: splitter)
        }
        return Text(value: result, line: lastLine.map { $0 + 1 - piece.line } ?? piece.line, prefix: prefix)
    }

    private mutating func read(_ text: Text) throws(ImportFault) {
        let value = try text.value.get()
        if texts == 1 || isFirstOfFile {
            isFirstOfFile = false
            try ImportFormat.check(value, against: reader.format)
            first = value
        }
        run.markProblems()
        run.prefix = text.prefix
        do throws(ImportFault) { try reader.read(value, line: text.line, into: &run) } catch {
            // The first text may be a state of any form, so that only the second one shows the format.
            guard texts <= 2, run.lastCommit == .zero, error.concernsForm else { throw error }
            var ahead = splitter
            let second = texts == 2 ? value : ahead.next().flatMap { try? parse($0, of: ahead) }
            if let second { try ImportFormat.check(second, against: reader.format) }
            throw error
        }
    }

    private mutating func parse(_ piece: TextSplitter.Piece, of splitter: TextSplitter) throws(ImportFault) -> JSONValue
    {
        let order = reader.order
        if table != nil {
            let before = table?.replaced ?? 0
            let row = try table?.object(splitter.bytes[piece.range]) ?? .null
            if table?.replaced ?? 0 > before { replaced = ((replaced?.count ?? 0) + 1, replaced?.first ?? piece.line) }
            return order == .ascending ? row.ascending() : row
        }
        if reader.isRaw { return .string(String(decoding: splitter.bytes[piece.range], as: UTF8.self)) }
        let result = splitter.bytes.withBytes { bytes in
            Result { () throws(JSONError) in
                try JSONParser.parse(bytes.extracting(piece.range), order: order)
            }
        }
        do throws(JSONError) { return try result.get() } catch {
            guard error.fact == .malformedUTF8 else { throw .json(error) }
        }
        let repaired = Array(String(decoding: splitter.bytes[piece.range], as: UTF8.self).utf8)
        replaced = ((replaced?.count ?? 0) + 1, replaced?.first ?? piece.line)
        do throws(JSONError) { return try JSONParser.parse(repaired, order: order) } catch { throw .json(error) }
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

    /// Whether records may say when they were made.
    var saysTimes: Bool { get }

    /// Turns to texts that come from the last one on, and takes the records of each from the last one on; false where the
    /// format says in which order records are.
    mutating func reverse() -> Bool

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
    /// They may.
    public var saysTimes: Bool { true }
    /// The format says it.
    public mutating func reverse() -> Bool { false }
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
