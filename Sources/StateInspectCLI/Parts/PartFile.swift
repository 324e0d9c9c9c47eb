import Diagnostics
import JSONCore
import JournalFormat

/// A file with the answer of one part, read line by line.
final class PartFile {
    /// What its first line says.
    struct Head {
        let number: Int
        let count: Int
        let question: PartQuestion
        let id: String
        let journal: String
        let from: Int
        let to: Int
        let start: String?
        let end: String?
        let isEmpty: Bool
    }

    /// What its last line says.
    struct End {
        let status: ExitStatus
        let absent: [Int]
        let lost: Int
    }

    let head: Head
    private let path: String
    private var lines: PartLines

    /// Opens a part and reads its first line.
    ///
    /// - Throws: `CommandFailure` where it is not one.
    init(_ path: String, standardInput: Int32) throws {
        self.path = path
        lines = PartLines(
            path == "-"
                ? InputFile(standardInput: standardInput) : try InputFile(path: path, code: "part.unreadable"))
        head = try Self.head(of: &lines, path)
    }

    /// The lines between the first and the last one, each given to `body`; then what the last one says.
    func end(_ body: ([UInt8]) throws -> Void) throws -> End {
        var last: [UInt8]?
        while let line = try lines.next() {
            if let last { try body(last) }
            last = line
        }
        guard let object = last.flatMap({ try? JSONParser.parse($0).object }), object["kind"] == "part.end",
            object["part"]?.number?.integerValue == head.number,
            let number = object["status"]?.number?.integerValue, let raw = Int32(exactly: number),
            let status = ExitStatus(rawValue: raw)
        else { throw fault("'\(path)' is cut off", "a part ends with a line 'part.end'") }
        return End(
            status: status, absent: object["absent"]?.array?.compactMap { $0.number?.integerValue } ?? [],
            lost: object["lost"]?.number?.integerValue ?? 0)
    }

    /// What is wrong with it.
    func fault(_ text: String, _ note: String) -> CommandFailure { Self.fault(text, note) }

    static func fault(_ text: String, _ note: String) -> CommandFailure {
        CommandFailure(.unreadable, Diagnostic(code: "part.unreadable", text, notes: [note]))
    }

    private static func head(of lines: inout PartLines, _ path: String) throws -> Head {
        guard let line = try lines.next(),
            let object = try? JSONParser.parse(line).object, object["kind"] == "part",
            let number = object["part"]?.number?.integerValue, let count = object["of"]?.number?.integerValue,
            number >= 1, number <= count, let question = object["question"],
            let id = object["id"]?.string, let journal = object["journal"]?.string,
            let from = object["from"]?.number?.integerValue, let to = object["to"]?.number?.integerValue, from >= 0,
            from <= to
        else {
            throw fault(
                "'\(path)' is not a part of an answer", "a part begins with a line 'part', as '--part' writes it")
        }
        return Head(
            number: number, count: count, question: PartQuestion(question), id: id, journal: journal, from: from,
            to: to,
            start: object["start"]?.string, end: object["end"]?.string, isEmpty: object["empty"] == true)
    }
}

/// The lines of a file, one after another.
private struct PartLines {
    /// The longest line: that of a record, with room for what stands around it.
    private static let limit = 1 << 30

    private let file: InputFile
    private var bytes: [UInt8] = []
    private var taken = 0
    private var searched = 0
    private var isComplete = false

    init(_ file: InputFile) { self.file = file }

    /// The next line without its end; nil where the file ends, also in the middle of one.
    mutating func next() throws(CommandFailure) -> [UInt8]? {
        while true {
            if let end = bytes[searched...].firstIndex(of: 0x0A) {
                defer { (taken, searched) = (end + 1, end + 1) }
                return Array(bytes[taken..<end])
            }
            searched = bytes.count
            guard !isComplete else { return nil }
            bytes.removeFirst(taken)
            searched -= taken
            taken = 0
            guard bytes.count <= Self.limit else {
                throw InputFile.tooLong("a line of '\(file.name)'", "part.unreadable", limit: Self.limit)
            }
            isComplete = try !file.read(into: &bytes)
        }
    }
}
