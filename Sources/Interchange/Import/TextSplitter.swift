/// Divides the bytes of a file, which come piece by piece, into texts: lines, or values one after another.
///
/// No more is held than the text that is not whole yet and the piece that it came with. A text that is cut off in the middle
/// ends where the next one begins a line, so that what follows is read all the same.
struct TextSplitter {
    /// A text, or what there is of it.
    struct Piece {
        /// Where it lies in `bytes`.
        let range: Range<Int>
        /// The line that it begins in, from 1.
        let line: Int
        /// Whether it was given up because it is too long.
        var isTooLong = false
    }

    /// What was read and not let go of.
    private(set) var bytes: [UInt8] = []
    private let division: TextDivision
    private let limit: Int
    private var taken = 0
    private var line = 1
    private var isComplete = false
    /// Whether the rest of a line that is too long is being passed over.
    private var isDropping = false
    private var open: OpenText?

    /// What was seen of a value whose end has not come.
    private struct OpenText {
        var next: Int
        var depth = 0
        var isInString = false
        let first: UInt8
        var lines = 0
    }

    init(_ division: TextDivision, limit: Int) {
        self.division = division
        self.limit = limit
    }

    /// Takes over what comes next.
    mutating func append(_ more: UnsafeRawBufferPointer) {
        if taken > 0 {
            bytes.removeSubrange(..<taken)
            open?.next -= taken
            taken = 0
        }
        bytes.append(contentsOf: more)
    }

    /// Says that nothing follows.
    mutating func finish() { isComplete = true }

    /// The next text; nil where its end has not come yet, and behind the last one.
    mutating func next() -> Piece? {
        division == .texts ? nextText() : nextLine()
    }

    // MARK: Lines

    private mutating func nextLine() -> Piece? {
        while taken < bytes.count {
            let newline = bytes.withUnsafeBufferPointer { all in
                all[taken...].firstIndex(of: UInt8(ascii: "\n"))
            }
            guard let end = newline ?? (isComplete ? bytes.count : nil) else {
                guard isDropping || bytes.count - taken > limit else { return nil }
                defer { taken = bytes.count }
                if isDropping { return nil }
                isDropping = true
                return Piece(range: taken..<taken, line: line, isTooLong: true)
            }
            let range = taken..<end
            taken = newline == nil ? end : end + 1
            line += 1
            if isDropping {
                isDropping = false
            } else if range.count > limit {
                return Piece(range: range.lowerBound..<range.lowerBound, line: line - 1, isTooLong: true)
            } else if let text = trimmed(range) {
                return Piece(range: text, line: line - 1)
            }
        }
        return nil
    }

    /// A line without what may be cut off it; nil where nothing else is there.
    private func trimmed(_ range: Range<Int>) -> Range<Int>? {
        let start = bytes[range].firstIndex { !Self.isSpace($0) }
        guard let start else { return nil }
        guard division == .lines(cutsPrefix: true) else { return start..<range.upperBound }
        let bracket = bytes[range].firstIndex { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "[") }
        // '[info] {…}': a bracket that is no JSON is a part of the prefix.
        let brace = bytes[range].firstIndex(of: UInt8(ascii: "{"))
        if let bracket, bytes[bracket] == UInt8(ascii: "["), bracket > start || brace == nil {
            return (brace ?? bracket)..<range.upperBound
        }
        return (brace ?? start)..<range.upperBound
    }

    // MARK: Values one after another

    private mutating func nextText() -> Piece? {
        if open == nil {
            while taken < bytes.count, Self.isSpace(bytes[taken]) || bytes[taken] == 0x1E {
                if bytes[taken] == UInt8(ascii: "\n") { line += 1 }
                taken += 1
            }
            guard taken < bytes.count else { return nil }
            open = OpenText(next: taken, first: bytes[taken])
        }
        guard var text = open else { return nil }
        let end = bytes.withUnsafeBufferPointer { Self.end(of: &text, in: $0) } ?? (isComplete ? bytes.count : nil)
        guard let end else {
            open = text
            guard bytes.count - taken > limit else { return nil }
            defer { (taken, open) = (bytes.count, nil) }
            return Piece(range: taken..<taken, line: line, isTooLong: true)
        }
        defer {
            (taken, open) = (end, nil)
            line += text.lines
        }
        return Piece(range: taken..<end, line: line)
    }

    private static func end(of text: inout OpenText, in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        let isContainer = text.first == UInt8(ascii: "{") || text.first == UInt8(ascii: "[")
        while text.next < bytes.count {
            let byte = bytes[text.next]
            if byte == UInt8(ascii: "\n") {
                // A text never has an object at the front of a line, but as an element; so this one was cut off.
                if text.first == UInt8(ascii: "{"), text.depth > 0 {
                    guard text.next + 1 < bytes.count else { return nil }
                    if bytes[text.next + 1] == UInt8(ascii: "{") { return text.next }
                }
                if !isContainer { return text.next }
                text.lines += 1
            } else if text.isInString {
                if byte == UInt8(ascii: "\\") {
                    guard text.next + 1 < bytes.count else { return nil }
                    text.next += 1
                } else if byte == UInt8(ascii: "\"") {
                    text.isInString = false
                    if text.depth == 0 { return text.next + 1 }
                }
            } else {
                switch byte {
                case UInt8(ascii: "\""): text.isInString = true
                case UInt8(ascii: "{"), UInt8(ascii: "["): text.depth += 1
                case UInt8(ascii: "}"), UInt8(ascii: "]"):
                    text.depth -= 1
                    if text.depth <= 0 { return text.next + 1 }
                default: if !isContainer, isSpace(byte) { return text.next }
                }
            }
            text.next += 1
        }
        return nil
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
    }
}
