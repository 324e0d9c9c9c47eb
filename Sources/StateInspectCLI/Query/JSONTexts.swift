import Diagnostics
import JSONCore

/// JSON texts one after another, as jq takes them: with white space between them, or none where that is not needed.
///
/// The bytes may come piece by piece; no more is held than the text that is not whole yet.
struct JSONTexts {
    /// What was read and not taken; a reader appends to it.
    var bytes: [UInt8] = []

    /// How many bytes one text may have.
    static let lengthLimit = 1 << 30

    private let separator: UInt8?
    /// How much of `bytes` was taken.
    private var taken = 0
    /// The text that begins there, as far as it was looked through.
    private var open: OpenText?
    private var isComplete = false
    /// Where the text began whose value was asked for last, in bytes from the first one of all.
    private(set) var start = 0
    /// What was taken and is not held any more.
    private var passed = (bytes: 0, lines: 0)

    /// No text so far.
    ///
    /// - Parameter separator: a byte that may stand between texts like white space.
    init(separator: UInt8? = nil) { self.separator = separator }

    /// A text whose end has not been seen yet.
    fileprivate struct OpenText {
        enum Form { case container, string, word }

        let form: Form
        var end: Int
        var depth = 0
        var isInString = false
    }

    /// Why there is no value: the text is not JSON, or too long to be kept.
    enum Failure: Error {
        case syntax(JSONError, line: Int, byte: Int)
        case tooLong
    }

    /// Says that nothing follows: what has no end yet, has none.
    mutating func finish() { isComplete = true }

    /// Lets go of what was taken, before more is read.
    mutating func discardTaken() {
        passed.bytes += taken
        passed.lines += Self.lines(in: bytes[..<taken])
        bytes.removeFirst(taken)
        open?.end -= taken
        taken = 0
    }

    /// The value of the next text; nil where it is not whole yet, and at the end.
    mutating func next() throws(Failure) -> JSONValue? {
        guard let end = nextEnd() else {
            if bytes.count - taken > Self.lengthLimit { throw .tooLong }
            return nil
        }
        start = passed.bytes + taken
        defer { taken = end }
        let result = bytes.withUnsafeBytes { all in
            Result { () throws(JSONError) in
                try JSONParser.parse(UnsafeRawBufferPointer(rebasing: all[taken..<end]), order: .asWritten)
            }
        }
        do throws(JSONError) { return try result.get() } catch { throw located(error) }
    }

    /// The values of all texts that are left.
    mutating func rest() throws(Failure) -> [JSONValue] {
        finish()
        var values: [JSONValue] = []
        while let value = try next() { values.append(value) }
        return values
    }

    private func located(_ error: JSONError) -> Failure {
        let place = min(taken + error.offset, bytes.count)
        let line = passed.lines + Self.lines(in: bytes[..<place]) + 1
        return .syntax(error, line: line, byte: passed.bytes + place)
    }

    private static func lines(in bytes: ArraySlice<UInt8>) -> Int { bytes.count { $0 == UInt8(ascii: "\n") } }

    // MARK: Ends

    /// Where the next text ends, having stepped over what is before it; nil where its end is not there yet.
    private mutating func nextEnd() -> Int? {
        if open == nil {
            while taken < bytes.count, isSpace(bytes[taken]) { taken += 1 }
            guard taken < bytes.count else { return nil }
            open = Self.begin(with: bytes[taken], at: taken)
        }
        guard var text = open else { return nil }
        let isWhole = bytes.withUnsafeBufferPointer { text.advance(in: $0, from: taken) } || isComplete
        open = isWhole ? nil : text
        guard isWhole else { return nil }
        return isComplete && text.isOpen(at: bytes.count) ? bytes.count : text.end
    }

    private static func begin(with byte: UInt8, at place: Int) -> OpenText {
        switch byte {
        case UInt8(ascii: "{"), UInt8(ascii: "["): OpenText(form: .container, end: place)
        case UInt8(ascii: "\""): OpenText(form: .string, end: place)
        default: OpenText(form: .word, end: place + 1)
        }
    }

    private func isSpace(_ byte: UInt8) -> Bool { Self.isSpace(byte) || byte == separator }

    fileprivate static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
    }
}

extension JSONTexts.OpenText {
    /// Looks further for the end; where the text is no JSON, far enough for the parser to say so.
    ///
    /// - Returns: whether `end` is that of the text.
    mutating func advance(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Bool {
        form == .word ? advanceInWord(bytes, from: start) : advanceInBrackets(bytes, from: start)
    }

    /// Whether its end was not met before the bytes ended: the last one may be half an escape.
    func isOpen(at count: Int) -> Bool { isInString && end < count }

    private mutating func advanceInWord(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Bool {
        while end < bytes.count {
            let byte = bytes[end]
            if JSONTexts.isSpace(byte) || byte == 0x22 || byte == 0x5B || byte == 0x7B || byte == 0x1E { return true }
            // No number and no literal is longer.
            if end - start > JSONLimits.standard.numberLength { return true }
            end += 1
        }
        return false
    }

    private mutating func advanceInBrackets(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Bool {
        while end < bytes.count {
            let byte = bytes[end]
            if isInString, byte == UInt8(ascii: "\\") {
                // What is escaped may not be there yet.
                guard end + 1 < bytes.count else { return false }
                end += 2
                continue
            }
            end += 1
            if byte == UInt8(ascii: "\"") {
                isInString.toggle()
                if form == .string, !isInString { return true }
            } else if !isInString {
                switch byte {
                case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
                case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
                default: continue
                }
                if depth == 0 || depth > JSONLimits.standard.depth { return true }
            }
        }
        return false
    }
}

extension JSONTexts.Failure {
    /// The failure of a text of a file.
    func commandFailure(in file: String) -> CommandFailure {
        switch self {
        case .tooLong: return InputFile.tooLong("a text of '\(file)'", "json.too-long", limit: JSONTexts.lengthLimit)
        case .syntax(let error, let line, let byte):
            var diagnostic = error.diagnostic
            diagnostic.place = .file(path: file, line: line, byte: byte, length: nil)
            return CommandFailure(.unreadable, diagnostic)
        }
    }
}
