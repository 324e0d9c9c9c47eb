import Diagnostics
import JSONCore

/// Keeps an answer for people within a number of bytes, and lines within a number of columns, for a reader that pays
/// for every word.
///
/// Lines that have no room are counted, and a line at the end says how many. The commands that an answer suggests at
/// its end are kept.
package struct AnswerFit {
    /// Which place a line has in an answer: its end, which is kept, are the commands that it suggests and what it rests on.
    package enum LinePlace: Sendable {
        case row
        /// A suggested command, and the one that such a list begins with.
        case command, firstCommand
        case citation
    }

    fileprivate typealias EndedLine = (bytes: [UInt8], place: LinePlace)

    /// The bytes that agents ask for: about 1,500 tokens of a language model.
    package static let usualLimit = 6_000
    /// Less has no room for the line that says what was left out.
    static let leastLimit = 500
    package static let columns = 120

    package let limit: Int

    private var reserve: Int { min(1_200, max(ClosingLines.rest, limit / 5)) }

    /// More bytes of one line are counted only.
    private static let lineLimit = 1 << 13
    static let sameWithFull = "the same with " + Option.full.typed
    package static let askForLess = "ask for less"

    package let hint: String
    /// Nil where ``hint`` is what is typed.
    package var rest: ((Int) -> String)?
    /// The commit that the next lines are about, in a list of commits.
    package var commit: Int?
    private var firstWaiting: Int?
    package var place = LinePlace.row

    package init(limit: Int = usualLimit, hint: String = sameWithFull) { (self.limit, self.hint) = (limit, hint) }

    package private(set) var isEmpty = true
    /// The beginning of the line that is not ended yet, and how many bytes it has.
    private var line: [UInt8] = []
    private var lineLength = 0
    private var used = 0
    /// The lines that pass if the answer ends with them.
    private var waiting: [EndedLine] = []
    private var waitingBytes = 0
    private var dropped = DroppedRows()
    private var closing = ClosingLines()
    private var isCut = false

    package var room: Int { isCut ? 0 : max(0, limit - reserve - used - waitingBytes) }

    /// Whether members of a value were left out, which the value says in their place.
    var leavesMembersOut = false

    /// In words; nil where all was written, be it with long values cut.
    package var leftOut: String? {
        isCut ? dropped.count.counted("row") : leavesMembersOut ? "members of a value" : nil
    }

    /// - Returns: what is to be written of the bytes and of those that waited.
    package mutating func take(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        var passed: [UInt8] = []
        for byte in bytes {
            isEmpty = false
            if byte == UInt8(ascii: "\n") {
                passed += endLine()
            } else {
                lineLength += 1
                if line.count < Self.lineLimit { line.append(byte) }
            }
        }
        return passed
    }

    package mutating func finish() -> [UInt8] {
        var passed = lineLength > 0 ? endLine() : []
        if isCut {
            passed += Array((restLine + "\n").utf8)
            passed += closing.lines.flatMap(\.bytes)
        } else {
            passed += waiting.flatMap(\.bytes)
        }
        (waiting, waitingBytes) = ([], 0)
        return passed
    }

    private var restLine: String {
        let line = "… \(dropped.count.grouped) more: "
        guard let rest, let firstWaiting else { return line + hint }
        let command = rest(firstWaiting)
        return line + (DisplayWidth.of(line + command) <= Self.columns ? command : hint)
    }

    private mutating func endLine() -> [UInt8] {
        let text = fitted(String(decoding: line, as: UTF8.self), length: lineLength)
        let ended = EndedLine(Array(text.utf8) + [UInt8(ascii: "\n")], place)
        (line, lineLength, place) = ([], 0, .row)
        if isCut {
            drop(ended)
            return []
        }
        if waiting.isEmpty, used + ended.bytes.count <= limit - reserve {
            used += ended.bytes.count
            return ended.bytes
        }
        firstWaiting = firstWaiting ?? commit
        waiting.append(ended)
        waitingBytes += ended.bytes.count
        if used + waitingBytes > limit { cut() }
        return []
    }

    private mutating func cut() {
        isCut = true
        for ended in waiting { drop(ended) }
        (waiting, waitingBytes) = ([], 0)
    }

    private mutating func drop(_ line: EndedLine) {
        if !closing.take(line, within: reserve) { dropped.add(line.bytes) }
    }

    /// The row, cut with its size where it is too wide; what is left of a command or of a citation would be another one.
    private func fitted(_ text: String, length: Int) -> String {
        guard length > Self.columns, length > line.count || DisplayWidth.of(text) > Self.columns else { return text }
        if place != .row, length == line.count { return text }
        let size = " (" + Progress.size(Double(length)) + ")"
        return DisplayWidth.clipped(text, to: Self.columns - DisplayWidth.of(size)) + size
    }
}

/// The rows of lines that are left out: where some lines are indented and others not, a row begins with one that is not.
private struct DroppedRows {
    private var outer = 0
    private var inner = 0

    var count: Int { outer > 0 ? outer : max(1, inner) }

    mutating func add(_ line: [UInt8]) {
        if line.count == 1 { return }
        if line.first == UInt8(ascii: " ") { inner += 1 } else { outer += 1 }
    }
}

private struct ClosingLines {
    private(set) var lines: [AnswerFit.EndedLine] = []
    private var isOpen = false

    /// How many bytes are left for the line that says how many rows there are.
    static let rest = 200

    /// Takes a line if it belongs to the end, which has so many bytes with that line.
    mutating func take(_ line: AnswerFit.EndedLine, within reserve: Int) -> Bool {
        isOpen = line.place == .firstCommand || isOpen && line.place == .command
        guard isOpen || line.place == .citation else { return false }
        // Of several stories none is shown to its end.
        if line.place != .command { lines.removeAll { $0.place == .citation } }
        if lines.reduce(line.bytes.count, { $0 + $1.bytes.count }) <= reserve - Self.rest { lines.append(line) }
        return true
    }
}

extension Int {
    var grouped: String {
        var digits = Array(String(magnitude))
        var index = digits.count - 3
        while index > 0 {
            digits.insert(",", at: index)
            index -= 3
        }
        return (self < 0 ? "-" : "") + String(digits)
    }
}

struct RestOfList {
    private let arguments: [String]
    private let upper: String

    /// - Returns: nil where the list has no range, is not in order, or is counted.
    init?(_ typed: TypedArguments, _ arguments: [String]) {
        guard typed.command == .log || typed.command == .history, !typed.has(.reverse), !typed.has(.maxCount),
            !typed.operands.contains("-")
        else { return nil }
        self.arguments = arguments
        // Of several pairs of dots the last separates the sides, as when the range is read.
        let range = Array((typed.value(.range) ?? "").utf8)
        let dots = range.indices.last { $0 > 0 && range[$0] == range[$0 - 1] && range[$0] == UInt8(ascii: ".") }
        upper = dots.map { String(decoding: range[($0 + 1)...], as: UTF8.self) } ?? ""
    }

    /// The last value of a repeated option counts.
    func command(from seq: Int) -> String {
        let range = [Option.range.typed, "\(max(0, seq - 1)).." + upper]
        let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
        return Advice.line(arguments[..<end] + range + arguments[end...])
    }
}
