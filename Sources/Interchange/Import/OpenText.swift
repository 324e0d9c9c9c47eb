import JSONCore

/// A JSON text whose end has not come, as far as it was scanned.
///
/// In a log, one that is no object or array takes the rest of its line up to a tab, and one that was cut off ends where an
/// object begins a line that none can begin there.
struct OpenText {
    private enum Shape { case container, string, word, line }

    /// How far it was looked through; at its end, where it ends.
    private(set) var next: Int
    private(set) var lines = 0
    private let first: UInt8
    private let form: Shape
    private let isOfLog: Bool
    /// A byte that no JSON has and that ends a text, whole or not.
    private let separator: UInt8?
    private var length = 0
    private var brackets: [UInt8] = []
    private var isInString = false
    private var last: UInt8 = 0
    /// The first object that begins a line, where the text may have been cut off.
    private var object: (place: Int, lines: Int)?

    init(next: Int, first: UInt8, isOfLog: Bool, separator: UInt8?) {
        self.next = next
        self.first = first
        self.isOfLog = isOfLog
        // A comma between elements does stand in JSON.
        self.separator = separator == UInt8(ascii: ",") ? nil : separator
        form =
            switch first {
            case UInt8(ascii: "{"), UInt8(ascii: "["): .container
            case _ where isOfLog: .line
            case UInt8(ascii: "\""): .string
            default: .word
            }
    }

    mutating func shift(by count: Int) {
        next -= count
        object?.place -= count
    }

    /// Looks on for the end, as far as the parser needs it, and returns whether it was found; ``next`` is after it then.
    mutating func advance(in bytes: ByteView) -> Bool {
        switch form {
        case .word: return advanceInWord(bytes)
        case .line:
            next =
                bytes[next...].firstIndex { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\t") || $0 == separator }
                ?? bytes.count
            return next < bytes.count
        case .container, .string: return advanceInBrackets(bytes)
        }
    }

    private mutating func advanceInWord(_ bytes: ByteView) -> Bool {
        while next < bytes.count {
            let byte = bytes[next]
            let isEnd =
                TextSplitter.isSpace(byte) || byte == 0x22 || byte == 0x5B || byte == 0x7B || byte == 0x1E || byte == 0
                || byte == 0xEF
            // No number and no literal is longer.
            if isEnd && length > 0 || length > JSONLimits.standard.numberLength { return true }
            next += 1
            length += 1
        }
        return false
    }

    private mutating func advanceInBrackets(_ bytes: ByteView) -> Bool {
        while next < bytes.count {
            let byte = bytes[next]
            if byte == UInt8(ascii: "\n") {
                if isOfLog {
                    guard next + 1 < bytes.count else { return false }
                    if bytes[next + 1] == UInt8(ascii: "{"), endsBeforeObject() { return true }
                }
                lines += 1
            } else if byte == separator {
                return true
            } else if isInString {
                if byte == UInt8(ascii: "\\") {
                    // What is escaped may not be there yet.
                    guard next + 1 < bytes.count else { return false }
                    next += 1
                } else if byte == UInt8(ascii: "\"") {
                    isInString = false
                    last = byte
                    if form == .string { return found() }
                }
            } else {
                if isOfLog, !TextSplitter.isSpace(byte) { last = byte }
                if takes(byte) { return found() }
            }
            next += 1
        }
        return false
    }

    private mutating func found() -> Bool {
        next += 1
        return true
    }

    private mutating func takes(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "\""): isInString = true
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            brackets.append(byte)
            // The parser says so.
            return brackets.count > JSONLimits.standard.depth
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
            _ = brackets.popLast()
            return brackets.isEmpty
        default: break
        }
        return false
    }

    private mutating func endsBeforeObject() -> Bool {
        let isElement = brackets.last == UInt8(ascii: "[") && (last == UInt8(ascii: ",") || last == UInt8(ascii: "["))
        if !isElement || isInString { return true }
        if object == nil { object = (next, lines) }
        return false
    }

    /// In a log a text without an end ends before the first object that begins a line, so that this one is read.
    mutating func giveUp(at end: Int) {
        if !isOfLog { next = end }
        guard first == UInt8(ascii: "{"), let object else { return }
        (next, lines) = object
    }
}
