import Interchange
import JSONCore
import JournalFormat
import JournalReading
import QueryLanguage
import TestSupport
import Testing
import TimeTravel

/// A text that was imported: the journal, held against what has to hold of every journal.
struct Imported {
    let journal: Journal
    let work: JournalImport
    private let folder = TemporaryFolder()

    /// Imports a text, in pieces of a size.
    init(
        _ text: String, as reader: any ImportReader, skipsBad: Bool = false, piece: Int = .max, limit: Int? = nil,
        identities: [String]? = nil
    ) throws {
        var work = JournalImport(
            reader, of: "in.txt", time: Timestamp(microseconds: 0), skipsBad: skipsBad, identities: identities,
            limit: limit)
        var lines: [UInt8] = []
        try Array(text.utf8).withBytes { bytes in
            var start = 0
            while start < bytes.count {
                let end = piece < bytes.count - start ? start + piece : bytes.count
                try work.read(bytes.extracting(start..<end))
                start = end
                lines += work.takeLines()
            }
        }
        try work.finish()
        lines += work.takeLines()
        self.work = work
        journal = try Journal.open(folder.write(lines, to: "run.jsonl"), access: .random)
        var problems: [VerificationProblem] = []
        _ = try Verification.run(journal) { problems.append($0) }
        #expect(problems == [])
    }

    /// The states at every position.
    var states: [JSONValue] {
        get throws {
            let last = try journal.lastCommit.rawValue
            return try (0...last).map { try journal.state(at: CommitNumber($0)).value }
        }
    }

    /// The last state of a store.
    func last(_ store: String = "state") throws -> JSONValue? {
        try journal.state(at: journal.lastCommit).value.object?[store]
    }

    /// The records of a kind.
    func records(_ kind: RecordKind) throws -> [JSONObject] {
        var reader = journal.records()
        var records: [JSONObject] = []
        while let line = try reader.next() { if line.kind == kind { records.append(try line.object()) } }
        return records
    }
}

/// What reads a format that is a definition.
func defined(_ name: String, keys: RowKeys = RowKeys()) -> JSONLinesReader {
    guard let format = ImportFormat(rawValue: name), let definition = FormatDefinition.builtIn(name, keys: keys) else {
        preconditionFailure("there is no definition '\(name)'")
    }
    return JSONLinesReader(definition.mapping(), of: format, keys: keys)
}

extension ImportFormat {
    static let kubernetes = ImportFormat(rawValue: "kubernetes") ?? .jsonl
    static let debezium = ImportFormat(rawValue: "debezium") ?? .jsonl
    static let wal2json = ImportFormat(rawValue: "wal2json") ?? .jsonl
    static let trrack = ImportFormat(rawValue: "trrack") ?? .jsonl
    static let itf = ImportFormat(rawValue: "itf") ?? .jsonl
}

/// A value written in a test.
func json(_ text: String) throws -> JSONValue { try JSONParser.parse(text, order: .ascending) }

/// What refuses a text; nil where it is taken.
func fault(of text: String, as reader: any ImportReader, limit: Int? = nil) -> ImportError? {
    do {
        _ = try Imported(text, as: reader, limit: limit)
        return nil
    } catch {
        return error as? ImportError
    }
}
