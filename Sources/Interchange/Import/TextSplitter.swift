internal import JSONCore

/// Divides the bytes of a file, which come piece by piece, into texts: lines, or values one after another.
///
/// No more is held than the text that is not whole yet and the piece that it came with. A text of a log that is cut off in the
/// middle ends where the next one begins a line, so that what follows is read all the same. What cannot stand in JSON and is
/// left between texts by a loss of power, by other programs or by files put one after another parts them: bytes of zero, a record
/// separator, a carriage return alone, a byte order mark.
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
    private var isDroppingText = false
    private var row = OpenRow()
    private var open: OpenText?
    private var hasBegun = false

    init(_ division: TextDivision, limit: Int) {
        self.division = division
        self.limit = limit
        separator = Self.recordSeparator
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

    package mutating func finish() { isComplete = true }

    /// The next text; nil if its end has not come yet, and after the last one.
    package mutating func next() -> Piece? {
        if !hasBegun {
            guard bytes.count >= Self.byteOrderMark.count || isComplete else { return nil }
            hasBegun = true
            if isMark(at: 0) { taken = Self.byteOrderMark.count }
        }
        return switch division {
        case .lines, .rows: nextLineOrRow()
        case .texts, nil: nextText()
        }
    }

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    private func isMark(at place: Int) -> Bool { bytes[place...].starts(with: Self.byteOrderMark) }

    // MARK: Lines and rows

    private mutating func nextLineOrRow() -> Piece? {
        let isRow = division == .rows
        while taken < bytes.count {
            let start = max(taken, searched)
            let found = isRow ? bytes.withBytes { row.end(in: $0, from: start) } : lineEnd(from: start)
            guard let end = found ?? (isComplete ? bytes.count : nil) else {
                // A mark, or a carriage return with its newline, may be cut in two; a row knows what it saw last.
                searched = isRow ? bytes.count : max(taken, bytes.count - Self.byteOrderMark.count)
                guard isDropping || bytes.count - taken > limit else { return nil }
                defer { taken = bytes.count }
                if isDropping { return nil }
                isDropping = true
                return Piece(range: taken..<taken, line: line, isTooLong: true)
            }
            // The carriage return that ends a row may have gone with what is too long.
            let (range, begun) = (taken..<max(taken, end), line)
            if isRow {
                line += row.lines + 1
                row = OpenRow()
            } else if end < bytes.count, bytes[end] == UInt8(ascii: "\n") || bytes[end] == UInt8(ascii: "\r") {
                line += 1
            }
            taken = min(bytes.count, end + (!isRow && isMark(at: end) ? Self.byteOrderMark.count : 1))
            if isDropping {
                isDropping = false
            } else if range.count > limit {
                return Piece(range: range.lowerBound..<range.lowerBound, line: begun, isTooLong: true)
            } else if isRow {
                if bytes[range].contains(where: { !Self.isSpace($0) }) { return Piece(range: range, line: begun) }
            } else if let text = trimmed(range) {
                return Piece(range: text, line: begun, prefix: range.lowerBound..<text.lowerBound)
            }
        }
        return nil
    }

    /// Where a line ends: at a newline, or before at what parts texts.
    private func lineEnd(from start: Int) -> Int? {
        bytes.withBytes { bytes in
            let newline = bytes.firstIndex(of: UInt8(ascii: "\n"), from: start)
            var end = newline ?? bytes.count
            func first(_ byte: UInt8, _ start: Int) -> Int? {
                bytes.extracting(..<end).firstIndex(of: byte, from: start)
            }
            let count = end
            end = first(0, start) ?? end
            end = first(Self.recordSeparator, start) ?? end
            if let place = first(UInt8(ascii: "\r"), start) {
                let isAlone = place + 1 < bytes.count ? place + 1 != newline : isComplete
                if isAlone { end = place }
            }
            var mark = first(Self.byteOrderMark[0], start)
            while let place = mark {
                let isBetween = place > start && "}]".utf8.contains(bytes[place - 1])
                if isBetween, isMark(at: place) { end = place }
                mark = place < end ? first(Self.byteOrderMark[0], place + 1) : nil
            }
            return end < count ? end : newline
        }
    }

    private static let recordSeparator: UInt8 = 0x1E

    private func trimmed(_ range: Range<Int>) -> Range<Int>? {
        var start = bytes[range].firstIndex { !Self.isSpace($0) }
        if let mark = start, isMark(at: mark) {
            start = bytes[range].dropFirst(mark + Self.byteOrderMark.count - range.lowerBound).firstIndex {
                !Self.isSpace($0)
            }
        }
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

    // MARK: Values one after another

    private mutating func nextText() -> Piece? {
        if isDropping {
            let newline = bytes[taken...].firstIndex(of: UInt8(ascii: "\n"))
            taken = newline.map { $0 + 1 } ?? bytes.count
            guard newline != nil else { return nil }
            line += 1
            isDropping = false
        }
        if isDroppingText {
            let end = bytes[taken...].firstIndex { $0 == separator } ?? bytes.count
            line += bytes[taken..<end].count { $0 == UInt8(ascii: "\n") }
            taken = end
            guard end < bytes.count else { return nil }
            isDroppingText = false
        }
        if open == nil {
            while taken < bytes.count {
                let byte = bytes[taken]
                if byte == Self.byteOrderMark[0] {
                    // The rest of a mark may not be there yet.
                    guard bytes.count - taken >= Self.byteOrderMark.count || isComplete else { return nil }
                    guard isMark(at: taken) else { break }
                    taken += Self.byteOrderMark.count
                    continue
                }
                guard Self.isSpace(byte) || byte == 0 || byte == separator else { break }
                if byte == UInt8(ascii: "\n") { line += 1 }
                taken += 1
            }
            guard taken < bytes.count else { return nil }
            open = OpenText(next: taken, first: bytes[taken], isOfLog: division != nil, separator: separator)
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

    package mutating func dropToSeparator() { isDroppingText = true }

    package static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }
}
