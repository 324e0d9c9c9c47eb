import Diagnostics
import Interchange
package import JSONCore
import Platform

/// A file that is read piece by piece, or whole up to a limit: nothing that a command line names may fill the memory.
package final class InputFile {
    package let name: String
    package private(set) var count = 0
    private let own: FileDescriptor?
    private let number: Int32
    private let code: String
    private var piece = [UInt8](repeating: 0, count: 1 << 16)

    package init(path: String, code: String) throws(CommandFailure) {
        name = path
        self.code = code
        do throws(SystemFailure) {
            let file = try FileDescriptor.reading(path)
            number = file.number
            own = consume file
        } catch {
            throw Self.refused(path, code, error)
        }
    }

    /// Standard input is closed by its owner.
    package init(standardInput descriptor: Int32) {
        name = "standard input"
        code = "input.unreadable"
        own = nil
        number = descriptor
    }

    /// Appends what comes next, as soon as anything does; false at the end.
    package func read(into bytes: inout [UInt8]) throws(CommandFailure) -> Bool {
        let count: Int
        do throws(SystemFailure) {
            var room = piece.mutableSpan
            count = try FileDescriptor.read(from: number, into: &room)
        } catch {
            throw Self.refused(name, code, error)
        }
        bytes += piece[..<count]
        self.count += count
        return count > 0
    }

    /// Drops the byte order mark, unless `isRaw`.
    package static func whole(
        _ path: String, limit: Int, code: String, isRaw: Bool = false
    ) throws(CommandFailure) -> [UInt8] {
        let file = try InputFile(path: path, code: code)
        var bytes: [UInt8] = []
        while try file.read(into: &bytes) {
            guard bytes.count <= limit else { throw tooLong("'\(path)'", code, limit: limit) }
        }
        if isRaw { return bytes }
        try checkIsText(path, bytes)
        return bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
    }

    /// Refuses what begins as text of another encoding does, or as a file that is no text.
    package static func checkIsText(_ path: String, _ bytes: [UInt8]) throws(CommandFailure) {
        guard let name = FileSignature.name(of: bytes) else { return }
        let advice = ImportAdvice(path == "standard input" ? "-" : path)
        throw CommandFailure(
            .unreadable, code: "input.encoding", "'\(path)' is \(name), should be UTF-8 text",
            help: advice.help(for: .encoding(FileSignature.encoding(of: bytes) ?? name)))
    }

    package static func tooLong(_ what: String, _ code: String, limit: Int) -> CommandFailure {
        CommandFailure(
            .unreadable, code: code, "\(what) is longer than \(limit) bytes",
            notes: ["it is held in memory as a whole"])
    }

    private static func refused(_ name: String, _ code: String, _ failure: SystemFailure) -> CommandFailure {
        CommandFailure(.unreadable, Diagnostic(code: code, "'\(name)' cannot be read: \(failure.text)"))
    }
}

/// What is read of an input, taken apart into values: the bytes come piece by piece.
package protocol InputTexts {
    /// What was read and not let go of; a reader appends to it.
    var bytes: [UInt8] { get set }

    mutating func finish()

    mutating func discardTaken()

    mutating func next() throws(JSONTexts.TextFailure) -> JSONValue?
}

/// The values of JSON texts one after another, with white space between them only where it is needed, as jq takes them;
/// no more is held than the text that is not whole yet.
package struct JSONTexts: InputTexts {
    package static let lengthLimit = 1 << 30

    private var splitter: TextSplitter
    private let limits: JSONLimits
    /// Whether a text that is not whole is left out, RFC 7464, section 2.2.
    private let isSequence: Bool
    package var dropped: [TextFailure] = []
    /// How many texts had bytes that are no UTF-8, which became U+FFFD.
    package private(set) var replaced = 0
    /// Of the text that failed last, the bytes before the failure.
    package private(set) var beforeFailure: [UInt8] = []
    /// Where the text began whose value was asked for last, in bytes from the first one of all.
    package private(set) var start = 0

    package init(separator: UInt8? = nil, isSequence: Bool = false, allowsNonFinite: Bool = false) {
        self.isSequence = isSequence
        splitter = TextSplitter(valuesSeparatedBy: separator, limit: Self.lengthLimit)
        limits = JSONLimits(allowsNonFinite: allowsNonFinite)
    }

    package var bytes: [UInt8] {
        get { splitter.bytes }
        _modify { yield &splitter.bytes }
    }

    package enum TextFailure: Error {
        case syntax(JSONError, line: Int, byte: Int)
        case tooLong
    }

    package mutating func finish() { splitter.finish() }
    package mutating func discardTaken() { splitter.discardTaken() }

    package mutating func next() throws(TextFailure) -> JSONValue? {
        while let piece = splitter.next() {
            if piece.isTooLong { throw .tooLong }
            start = splitter.passed + piece.range.lowerBound
            do throws(JSONError) { return try value(of: piece) } catch {
                let offset = min(error.offset, splitter.bytes.count - piece.range.lowerBound)
                let before = splitter.bytes[piece.range.lowerBound...].prefix(offset)
                let line = piece.line + before.count { $0 == UInt8(ascii: "\n") }
                let failure = TextFailure.syntax(error, line: line, byte: start + offset)
                guard isSequence else {
                    beforeFailure = Array(before)
                    throw failure
                }
                dropped.append(failure)
                splitter.dropToSeparator()
            }
        }
        return nil
    }

    private mutating func value(of piece: TextSplitter.Piece) throws(JSONError) -> JSONValue {
        let bytes = splitter.bytes[piece.range]
        // A number or a word without white space after it may be cut off.
        if isSequence, let first = bytes.first, !"{[\"".utf8.contains(first),
            splitter.bytes[piece.range.upperBound...].first.map({ !TextSplitter.isSpace($0) }) ?? true
        {
            throw JSONError(.unexpectedEnd(expected: "white space"), at: bytes.count)
        }
        let result = splitter.bytes.withBytes { all in
            Result { () throws(JSONError) in
                try JSONParser.parse(all.extracting(piece.range), order: .asWritten, limits: limits)
            }
        }
        do throws(JSONError) { return try result.get() } catch {
            guard error.fact == .malformedUTF8 else { throw error }
        }
        replaced += 1
        let whole = Array(String(decoding: bytes, as: UTF8.self).utf8)
        return try JSONParser.parse(whole, order: .asWritten, limits: limits)
    }

    package mutating func rest() throws(TextFailure) -> [JSONValue] {
        finish()
        var values: [JSONValue] = []
        while let value = try next() { values.append(value) }
        return values
    }
}

extension JSONTexts.TextFailure {
    package func commandFailure(in file: String) -> CommandFailure {
        switch self {
        case .tooLong: return InputFile.tooLong("a text of '\(file)'", "json.too-long", limit: JSONTexts.lengthLimit)
        case .syntax(let error, let line, let byte):
            var diagnostic = error.diagnostic
            diagnostic.place = .file(path: file, line: line, byte: byte, length: nil)
            return CommandFailure(.unreadable, diagnostic)
        }
    }
}
