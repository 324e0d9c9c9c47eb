internal import JSONCore
import JournalFormat

/// The last member of a line, if it is a short text such as a sum is: `,"name":"12345678"}`.
struct LineTail {
    let name: String
    let digits: String
    /// The bytes before it, which a sum is of.
    let rest: ByteView
    private static let reach = 64
    private static let digitCount = 8

    init?(_ line: ByteView) {
        let quote = UInt8(ascii: "\"")
        guard line.count > LineTail.reach, line[line.count - 1] == UInt8(ascii: "}"), line[line.count - 2] == quote
        else { return nil }
        let tail = line.extracting((line.count - LineTail.reach)..<(line.count - 2))
        guard let value = tail.lastIndex(of: quote), value > 2, tail[value - 1] == UInt8(ascii: ":"),
            tail[value - 2] == quote, let key = tail.extracting(..<(value - 2)).lastIndex(of: quote), key > 0,
            tail[key - 1] == UInt8(ascii: ",")
        else { return nil }
        name = String(decoding: tail[(key + 1)..<(value - 2)], as: UTF8.self)
        digits = String(decoding: tail[(value + 1)...], as: UTF8.self)
        guard name == "sum" || digits.utf8.count == LineTail.digitCount else { return nil }
        rest = line.extracting(..<(line.count - LineTail.reach + key - 1))
    }

    /// Whether it is a damaged sum, where it is none as it stands: by its name or by its digits.
    var isDamagedSum: Bool { name == "sum" || isSumOfRest }

    /// The line with the sum as it was; nil where the sum is not known, and so not what the line was either.
    var mended: [UInt8]? {
        isSumOfRest ? [UInt8](rest) + Array(#","sum":"\#(LineSum.text(LineSum.of(rest)))"}"#.utf8) : nil
    }

    private var isSumOfRest: Bool { UInt32(digits, radix: 16) == LineSum.of(rest) }

    // MARK: Sums in another form

    /// The bytes before a last member `sum` that is no text or has white space around it; nil for any other line.
    static func rest(beforeMisformedSum line: ByteView) -> ByteView? {
        var end = line.count
        func skipSpace() { while end > 0, [0x20, 0x09, 0x0D].contains(line[end - 1]) { end -= 1 } }
        func take(_ bytes: String) -> Bool {
            guard line[..<end].reversed().starts(with: bytes.utf8.reversed()) else { return false }
            end -= bytes.utf8.count
            skipSpace()
            return true
        }
        skipSpace()
        guard take("}") else { return nil }
        let limit = max(0, end - reach)
        // The value is a text without a quote in it, or a word or number: nothing that could be a part of another member.
        if take("\"") {
            while end > limit, line[end - 1] != UInt8(ascii: "\"") { end -= 1 }
            guard take("\"") else { return nil }
        } else {
            let first = end
            while end > limit, isWord(line[end - 1]) { end -= 1 }
            guard end < first else { return nil }
            skipSpace()
        }
        guard take(":"), take("\"sum\""), take(",") else { return nil }
        return line.extracting(..<end)
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "+"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."):
            true
        default: false
        }
    }
}
