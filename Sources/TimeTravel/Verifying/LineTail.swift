import JournalFormat

/// The last member of a line, if it is a short text such as a sum is: `,"name":"12345678"}`.
struct LineTail {
    let name: String
    let digits: String
    /// The bytes before it, which a sum is of.
    let rest: UnsafeRawBufferPointer

    /// No more bytes are examined.
    private static let reach = 64
    private static let digitCount = 8

    init?(_ line: UnsafeRawBufferPointer) {
        let quote = UInt8(ascii: "\"")
        guard line.count > LineTail.reach, line[line.count - 1] == UInt8(ascii: "}"), line[line.count - 2] == quote
        else { return nil }
        let tail = UnsafeRawBufferPointer(rebasing: line.suffix(LineTail.reach).dropLast(2))
        guard let value = tail.lastIndex(of: quote), value > 2, tail[value - 1] == UInt8(ascii: ":"),
            tail[value - 2] == quote, let key = tail[..<(value - 2)].lastIndex(of: quote), key > 0,
            tail[key - 1] == UInt8(ascii: ",")
        else { return nil }
        name = String(decoding: tail[(key + 1)..<(value - 2)], as: UTF8.self)
        digits = String(decoding: tail[(value + 1)...], as: UTF8.self)
        guard name == "sum" || digits.utf8.count == LineTail.digitCount else { return nil }
        rest = UnsafeRawBufferPointer(rebasing: line[..<(line.count - LineTail.reach + key - 1)])
    }

    /// Whether it is a damaged sum, where it is none as it stands: by its name or by its digits.
    var isDamagedSum: Bool { name == "sum" || isSumOfRest }

    /// The line with the sum as it was; nil where the sum is not known, and so not what the line was either.
    var mended: [UInt8]? {
        isSumOfRest ? Array(rest) + Array(#","sum":"\#(LineSum.text(LineSum.of(rest)))"}"#.utf8) : nil
    }

    private var isSumOfRest: Bool { UInt32(digits, radix: 16) == LineSum.of(rest) }
}
