internal import JSONCore

/// Divides the bytes of a file, which come piece by piece, into texts: lines, or values one after another.
///
/// No more is held than the text that is not whole yet and the piece that it came with. A text of a log that is cut off in the
/// middle ends where the next one begins a line, so that what follows is read all the same.
package struct TextSplitter {
    /// A text, or what there is of it.
    package struct Piece {
        /// Where it lies in `bytes`.
        package let range: Range<Int>
        /// The line that it begins in, from 1.
        package let line: Int
        /// Whether it was given up because it is too long.
        package var isTooLong = false
        /// Where the text before it lies in its line, which is cut off; empty where there is none.
        package var prefix = 0..<0
    }

    /// What was read and not let go of; a reader may append to it.
    package var bytes: [UInt8] = []
    /// How many bytes were let go of.
    package private(set) var passed = 0
    /// Nil for values of a program, which need white space only where they would run together.
    private let division: TextDivision?
    private let limit: Int
    /// A byte that may stand between texts like white space.
    private let separator: UInt8?
    private var taken = 0
    /// How far no end of a line was found, so that a long line is not looked through again with each piece.
    private var searched = 0
    private var line = 1
    private var isComplete = false
    /// Whether the rest of a line is being passed over, since what stands in it is too long.
    private var isDropping = false
    private var row = OpenRow()
    private var open: OpenText?
    private var hasBegun = false

    init(_ division: TextDivision, limit: Int) {
        self.division = division
        self.limit = limit
        separator = 0x1E
    }

    /// A splitter of values as jq takes them.
    package init(valuesSeparatedBy separator: UInt8?, limit: Int) {
        division = nil
        self.limit = limit
        self.separator = separator
        hasBegun = true
    }

    mutating func append(_ more: ByteView) {
        discardTaken()
        bytes.append(contentsOf: more)
    }

    /// Lets go of what was taken, before more is read.
    package mutating func discardTaken() {
        guard taken > 0 else { return }
        bytes.removeSubrange(..<taken)
        open?.shift(by: taken)
        searched = max(0, searched - taken)
        passed += taken
        taken = 0
    }

    /// Says that nothing follows.
    package mutating func finish() { isComplete = true }

    /// The next text; nil if its end has not come yet, and after the last one.
    package mutating func next() -> Piece? {
        if !hasBegun {
            guard bytes.count >= Self.byteOrderMark.count || isComplete else { return nil }
            hasBegun = true
            if bytes.starts(with: Self.byteOrderMark) { taken = Self.byteOrderMark.count }
        }
        return switch division {
        case .lines: nextLine()
        case .rows: nextRow()
        case .texts, nil: nextText()
        }
    }

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    // MARK: Lines

    private mutating func nextLine() -> Piece? {
        while taken < bytes.count {
            let newline = bytes.withBytes { $0.firstIndex(of: UInt8(ascii: "\n"), from: max(taken, searched)) }
            guard let end = newline ?? (isComplete ? bytes.count : nil) else {
                searched = bytes.count
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
                return Piece(range: text, line: line - 1, prefix: range.lowerBound..<text.lowerBound)
            }
        }
        return nil
    }

    private func trimmed(_ range: Range<Int>) -> Range<Int>? {
        let start = bytes[range].firstIndex { !Self.isSpace($0) }
        guard let start else { return nil }
        guard division == .lines(cutsPrefix: true) else { return start..<range.upperBound }
        let bracket = bytes[range].firstIndex { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "[") }
        // '[info] {…}': a bracket that does not begin JSON is a part of the prefix; so is a key that a tab ends.
        let tab = bytes[range].firstIndex(of: UInt8(ascii: "\t")).map { $0 + 1 }
        let isKeyed = tab.map { $0 < range.upperBound && bytes[$0] == UInt8(ascii: "{") } ?? false
        if isKeyed, let tab { return tab..<range.upperBound }
        let brace = bytes[range].firstIndex(of: UInt8(ascii: "{"))
        if let bracket, bytes[bracket] == UInt8(ascii: "["), bracket > start || brace == nil {
            return (brace ?? bracket)..<range.upperBound
        }
        return (brace ?? start)..<range.upperBound
    }

    // MARK: Rows

    private mutating func nextRow() -> Piece? {
        while taken < bytes.count {
            let end = bytes.withBytes { row.end(in: $0, from: max(taken, searched)) }
            guard let end = end ?? (isComplete ? bytes.count : nil) else {
                searched = bytes.count
                guard bytes.count - taken > limit else { return nil }
                defer { (taken, row) = (bytes.count, OpenRow()) }
                return Piece(range: taken..<taken, line: line, isTooLong: true)
            }
            let (range, begun) = (taken..<end, line)
            taken = min(end + 1, bytes.count)
            line += row.lines + 1
            row = OpenRow()
            if bytes[range].contains(where: { !Self.isSpace($0) }) { return Piece(range: range, line: begun) }
        }
        return nil
    }

    // MARK: Values one after another

    private mutating func nextText() -> Piece? {
        if isDropping {
            let newline = bytes[taken...].firstIndex(of: UInt8(ascii: "\n"))
            taken = newline.map { $0 + 1 } ?? bytes.count
            guard newline != nil else { return nil }
            line += 1
            isDropping = false
        }
        if open == nil {
            while taken < bytes.count, Self.isSpace(bytes[taken]) || bytes[taken] == separator {
                if bytes[taken] == UInt8(ascii: "\n") { line += 1 }
                taken += 1
            }
            guard taken < bytes.count else { return nil }
            open = OpenText(next: taken, first: bytes[taken], isOfLog: division != nil)
        }
        guard var text = open else { return nil }
        let isWhole = bytes.withBytes { text.advance(in: $0) }
        if !isWhole, isComplete { text.giveUp(at: bytes.count) }
        guard isWhole || isComplete else {
            open = text
            guard bytes.count - taken > limit else { return nil }
            defer {
                (taken, open, isDropping) = (bytes.count, nil, true)
                line += text.lines
            }
            return Piece(range: taken..<taken, line: line, isTooLong: true)
        }
        defer {
            (taken, open) = (text.next, nil)
            line += text.lines
        }
        return Piece(range: taken..<text.next, line: line, isTooLong: text.next - taken > limit)
    }

    static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }
}
