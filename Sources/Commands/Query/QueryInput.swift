import CommandLine
import Diagnostics
import Interchange
import JSONCore
import JournalFormat
import JournalReading
import QueryLanguage

/// Unchecked because the thread that runs the command is the one that evaluates its query.
final class QueryInput: @unchecked Sendable {
    private enum InputShape { case lines, text, values }

    private let form: InputShape
    private let isSlurped: Bool
    private let isStreamed: Bool
    private let separator: UInt8?
    private let allowsNonFinite: Bool
    private var files: ArraySlice<String>
    private var file: OpenInput?
    /// What `input_filename` gives: the file that was opened last.
    private var lastFile: String?
    private var events: StreamEvents?
    private var context: CommandContext?
    /// How many bytes were read, where they are all kept.
    private var slurped = 0
    private var isSlurpTaken = false
    private var failure: (any Error)?
    /// Why a text ends whose events up to there come first.
    private var cut: (any Error)?
    private(set) var status = ExitStatus.done

    /// RFC 7464's mark before a text.
    static let recordSeparator: UInt8 = 0x1E

    private struct OpenInput {
        let name: String
        let bytes: ByteInput
        var texts: any InputTexts
        var isFirst = true
        var isMore = true
    }

    /// No file, and `-`, is standard input.
    init(_ typed: TypedArguments, files: [String]) {
        isSlurped = typed.has(.slurp)
        form = !typed.has(.rawInput) ? .values : isSlurped ? .text : .lines
        isStreamed = typed.has(.stream)
        separator = typed.has(.seq) ? Self.recordSeparator : nil
        allowsNonFinite = typed.has(.nan)
        self.files = (files.isEmpty ? ["-"] : files)[...]
    }

    func begin(in context: CommandContext) { self.context = context }

    var inputs: QueryInputs {
        QueryInputs {
            do { return try self.next().map { .value($0) } ?? .end } catch {
                self.failure = error
                return .unreadable
            }
        } name: {
            self.lastFile
        }
    }

    func checkFailure() throws {
        if let failure { throw failure }
    }

    /// The value comes as soon as it is whole; nil after the last.
    func next() throws -> JSONValue? {
        guard isSlurped else { return try nextEvent() }
        guard !isSlurpTaken else { return nil }
        isSlurpTaken = true
        var gathered: [JSONValue] = []
        while let value = try nextEvent() { gathered.append(value) }
        return form == .text ? .string(gathered.compactMap(\.string).joined()) : .array(gathered)
    }

    private func nextEvent() throws -> JSONValue? {
        while true {
            if let event = events?.next() { return event }
            if let cut { throw cut }
            do {
                guard let value = try nextValue() else { return nil }
                guard isStreamed else { return value }
                events = StreamEvents(value)
            } catch {
                guard isStreamed, let bytes = (file?.texts as? JSONTexts)?.beforeFailure, !bytes.isEmpty else {
                    throw error
                }
                cut = error
                events = StreamEvents(cut: bytes)
            }
        }
    }

    /// The next text's value; a file that cannot be read is reported, and the next one is tried, as in jq.
    private func nextValue() throws -> JSONValue? {
        while true {
            do {
                if file == nil {
                    guard let path = files.popFirst() else { return nil }
                    file = try open(path)
                }
                if let value = try nextOfFile() { return value }
            } catch let error as JournalError {
                context?.messages.report(error.diagnostic)
                status = .unreadable
            }
            file = nil
        }
    }

    private func open(_ path: String) throws -> OpenInput {
        let isStandard = path == "-"
        lastFile = isStandard ? "<stdin>" : path
        // What there is to say is said before the first bytes are waited for.
        try context?.output.flush()
        let texts: any InputTexts =
            form == .values
            ? JSONTexts(separator: separator, isSequence: separator != nil, allowsNonFinite: allowsNonFinite)
            : RawTexts(isWhole: form == .text)
        return OpenInput(
            name: isStandard ? "standard input" : path, bytes: try ByteInput(path), texts: texts)
    }

    private func nextOfFile() throws -> JSONValue? {
        while let name = file?.name {
            do throws(JSONTexts.TextFailure) {
                let value = try file?.texts.next()
                reportDropped(name)
                if let value { return value }
            } catch {
                throw error.commandFailure(in: name)
            }
            guard file?.isMore == true else { break }
            try readOn(name)
        }
        if let texts = file?.texts as? JSONTexts, texts.replaced > 0 {
            context?.messages.note(
                "bytes of '\(file?.name ?? "")' that are no UTF-8 became U+FFFD, in \(texts.replaced.counted("text"))")
        }
        return nil
    }

    private func reportDropped(_ name: String) {
        guard separator != nil, var texts = file?.texts as? JSONTexts, !texts.dropped.isEmpty else { return }
        for failure in texts.dropped {
            for var diagnostic in ExitStatus.diagnostics(of: failure.commandFailure(in: name), in: .query) {
                diagnostic.severity = .warning
                diagnostic.notes.append("the text is not whole and is left out")
                context?.messages.report(diagnostic)
            }
        }
        texts.dropped = []
        file?.texts = texts
    }

    private func readOn(_ name: String) throws {
        try context?.output.flush()
        file?.texts.discardTaken()
        let isMore = try file?.bytes.read(commits: 0) { piece in
            if form == .values, file?.isFirst == true { try InputFile.checkIsText(name, Array(piece.prefix(512))) }
            file?.isFirst = false
            file?.texts.bytes.append(contentsOf: piece)
            if isSlurped { slurped += piece.count }
        }
        guard slurped <= JSONTexts.lengthLimit else { throw JSONTexts.TextFailure.tooLong.commandFailure(in: name) }
        guard isMore != true else { return }
        file?.isMore = false
        file?.texts.finish()
    }
}

/// An input that is taken as text: a string for each line, or one for all of it.
struct RawTexts: InputTexts {
    var bytes: [UInt8] = []
    private let isWhole: Bool
    private var taken = 0
    /// How far no end of a line was found, so that a long line is not looked through again with each piece.
    private var searched = 0
    private var isComplete = false

    init(isWhole: Bool) { self.isWhole = isWhole }

    mutating func finish() { isComplete = true }

    mutating func discardTaken() {
        bytes.removeFirst(taken)
        searched = max(0, searched - taken)
        taken = 0
    }

    mutating func next() throws(JSONTexts.TextFailure) -> JSONValue? {
        let end = isWhole ? nil : bytes[max(taken, searched)...].firstIndex(of: UInt8(ascii: "\n"))
        if end == nil {
            searched = bytes.count
            guard bytes.count - taken <= JSONTexts.lengthLimit else { throw .tooLong }
            guard isComplete, taken < bytes.count else { return nil }
        }
        let text = String(decoding: bytes[taken..<(end ?? bytes.count)], as: UTF8.self)
        taken = end.map { $0 + 1 } ?? bytes.count
        return .string(text)
    }
}

/// The events of a value as `tostream` gives them, one at a time: no more is held than the way to the present part.
struct StreamEvents: IteratorProtocol {
    private enum Level {
        case array(elements: JSONArray, next: Int)
        case object(JSONObject.Iterator)

        mutating func next() -> (JSONValue, JSONValue)? {
            switch self {
            case .array(let elements, let next):
                guard next < elements.count else { return nil }
                self = .array(elements: elements, next: next + 1)
                return (.number(JSONNumber(next)), elements[next])
            case .object(var members):
                guard let (key, value) = members.next() else { return nil }
                self = .object(members)
                return (.string(key), value)
            }
        }
    }

    private var levels: [Level] = []
    /// The way to the part that was reached last; in a container one key longer than the way to it.
    private var path: [JSONValue] = []
    private var reached: JSONValue?
    /// How many containers have no end, of which no event is the last.
    private var open = 0

    init(_ value: JSONValue) { reached = value }

    /// The events of a text up to where it is cut off: of each value that is followed by a comma or the end of its container.
    init(cut text: [UInt8]) {
        var (isInString, isEscaped, end) = (false, false, 0)
        var (closers, closersAtEnd): ([UInt8], [UInt8]) = ([], [])
        for (place, byte) in text.enumerated() {
            if isInString {
                isInString = isEscaped || byte != UInt8(ascii: "\"")
                isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isInString = true
            case UInt8(ascii: "{"): closers.append(UInt8(ascii: "}"))
            case UInt8(ascii: "["): closers.append(UInt8(ascii: "]"))
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                closers.removeLast(closers.isEmpty ? 0 : 1)
                (end, closersAtEnd) = (place + 1, closers)
            case UInt8(ascii: ","): (end, closersAtEnd) = (place, closers)
            default: break
            }
        }
        guard end > 0 else { return }
        reached = try? JSONParser.parse(text[..<end] + closersAtEnd.reversed(), order: .asWritten)
        open = closersAtEnd.count
    }

    mutating func next() -> JSONValue? {
        while true {
            if let value = reached.take() {
                guard let level = Self.level(of: value) else { return .array([.array(path), value]) }
                levels.append(level)
            }
            guard !levels.isEmpty else { return nil }
            if let (key, part) = levels[levels.count - 1].next() {
                path.removeSubrange((levels.count - 1)...)
                path.append(key)
                reached = part
                continue
            }
            if levels.count <= open,
                levels.allSatisfy({ level in
                    var level = level
                    return level.next() == nil
                })
            {
                levels = []
                return nil
            }
            path.removeSubrange(levels.count...)
            levels.removeLast()
            return .array([.array(path)])
        }
    }

    private static func level(of value: JSONValue) -> Level? {
        switch value {
        case .array(let elements) where !elements.isEmpty: .array(elements: elements, next: 0)
        case .object(let members) where !members.isEmpty: .object(members.makeIterator())
        default: nil
        }
    }
}
