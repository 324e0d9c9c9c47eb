import Diagnostics
import JSONCore
import QueryLanguage

/// The values that a query on plain JSON is run on, as the options say how files are read.
struct QueryInput {
    /// What the bytes of the files are.
    private enum Form { case nothing, lines, text, values }

    private let form: Form
    private let isSlurped: Bool
    private let events: Query?
    private let separator: UInt8?
    private let files: [String]

    /// RFC 7464's mark before a text.
    static let recordSeparator: UInt8 = 0x1E

    /// The input that was typed; no file, and `-`, is standard input.
    init(_ typed: TypedArguments, files: [String]) throws {
        isSlurped = typed.has(.slurp)
        if typed.has(.nullInput) {
            form = .nothing
        } else if typed.has(.rawInput) {
            form = isSlurped ? .text : .lines
        } else {
            form = .values
        }
        events = typed.has(.stream) ? try Query("tostream") : nil
        separator = typed.has(.seq) ? Self.recordSeparator : nil
        self.files = files.isEmpty ? ["-"] : files
    }

    /// Hands each value on as soon as it is whole.
    ///
    /// A file that cannot be opened is reported, and the next one is tried, as in jq.
    ///
    /// - Returns: the status that reading comes to.
    func forEach(in context: CommandContext, _ body: (JSONValue) throws -> Void) throws -> ExitStatus {
        if form == .nothing {
            try body(.null)
            return .done
        }
        var gathered: [JSONValue] = []
        var status = ExitStatus.done
        for path in files {
            do {
                let file = try open(path, context)
                try read(file, context) { value in
                    if isSlurped { gathered.append(value) } else { try body(value) }
                }
            } catch let failure as CommandFailure where failure.diagnostic.code == Self.unreadable {
                context.messages.report(failure.diagnostic)
                status = .unreadable
            }
        }
        if form == .text {
            try body(.string(gathered.compactMap(\.string).joined()))
        } else if isSlurped {
            try body(.array(gathered))
        }
        return status
    }

    private static let unreadable = "input.unreadable"

    private func open(_ path: String, _ context: CommandContext) throws(CommandFailure) -> InputFile {
        path == "-" ? InputFile(standardInput: context.input) : try InputFile(path: path, code: Self.unreadable)
    }

    private func read(_ file: InputFile, _ context: CommandContext, _ body: (JSONValue) throws -> Void) throws {
        switch form {
        case .nothing: return
        case .values: try readTexts(file, context, body)
        case .lines: try readLines(file, context, body)
        case .text: try body(.string(String(decoding: try whole(file, context), as: UTF8.self)))
        }
    }

    private func readTexts(_ file: InputFile, _ context: CommandContext, _ body: (JSONValue) throws -> Void) throws {
        var texts = JSONTexts(separator: separator)
        var isMore = true
        while isMore {
            // What there is to say is said before the next piece is waited for.
            try context.output.flush()
            texts.discardTaken()
            isMore = try file.read(into: &texts.bytes)
            if !isMore { texts.finish() }
            if isSlurped { try checkLength(file.count, file) }
            do {
                while let value = try texts.next() { try handOn(value, body) }
            } catch let failure as JSONTexts.Failure {
                throw failure.commandFailure(in: file.name)
            }
        }
    }

    private func handOn(_ value: JSONValue, _ body: (JSONValue) throws -> Void) throws {
        guard let events else { return try body(value) }
        var failure: (any Error)?
        try events.evaluate(value) { event in
            do { try body(event) } catch { failure = error }
            return failure == nil
        }
        if let failure { throw failure }
    }

    private func readLines(_ file: InputFile, _ context: CommandContext, _ body: (JSONValue) throws -> Void) throws {
        var bytes: [UInt8] = []
        var seen = 0
        var isMore = true
        while isMore {
            try context.output.flush()
            isMore = try file.read(into: &bytes)
            var start = 0
            while let end = bytes[max(start, seen)...].firstIndex(of: UInt8(ascii: "\n")) {
                try body(.string(String(decoding: bytes[start..<end], as: UTF8.self)))
                start = end + 1
                seen = start
            }
            bytes.removeFirst(start)
            seen = bytes.count
            try checkLength(bytes.count, file)
        }
        if !bytes.isEmpty { try body(.string(String(decoding: bytes, as: UTF8.self))) }
    }

    private func whole(_ file: InputFile, _ context: CommandContext) throws -> [UInt8] {
        var bytes: [UInt8] = []
        while try file.read(into: &bytes) { try checkLength(bytes.count, file) }
        return bytes
    }

    /// Refuses what would fill the memory.
    private func checkLength(_ count: Int, _ file: InputFile) throws(CommandFailure) {
        guard count > JSONTexts.lengthLimit else { return }
        throw InputFile.tooLong("a text of '\(file.name)'", "json.too-long", limit: JSONTexts.lengthLimit)
    }
}
