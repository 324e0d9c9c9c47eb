import JSONCore

/// JSON texts one after another, as jq takes them: with white space between them, or none where that is not needed.
struct JSONTexts: Sequence, IteratorProtocol {
    private let bytes: [UInt8]
    private var at = 0

    /// The texts of a file.
    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// One text and where it begins.
    struct Text {
        let range: Range<Int>
        let result: Result<JSONValue, JSONError>
    }

    /// The next text; nil at the end.
    ///
    /// - Complexity: O(n) in the length of the text.
    mutating func next() -> Text? {
        while at < bytes.count, Self.isSpace(bytes[at]) { at += 1 }
        guard at < bytes.count else { return nil }
        let range = at..<end(from: at)
        at = range.upperBound
        let result = bytes.withUnsafeBytes { all in
            Result { () throws(JSONError) in
                try JSONParser.parse(UnsafeRawBufferPointer(rebasing: all[range]), order: .asWritten)
            }
        }
        return Text(range: range, result: result)
    }

    /// Where the text that begins here ends; where it is no JSON, far enough for the parser to say so.
    private func end(from start: Int) -> Int {
        switch bytes[start] {
        case UInt8(ascii: "{"), UInt8(ascii: "["): endOfContainer(from: start)
        case UInt8(ascii: "\""): endOfString(from: start)
        default: endOfWord(from: start)
        }
    }

    private func endOfContainer(from start: Int) -> Int {
        var depth = 0
        var at = start
        while at < bytes.count {
            switch bytes[at] {
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                if depth == 0 { return at + 1 }
            case UInt8(ascii: "\""):
                at = endOfString(from: at)
                continue
            default: break
            }
            at += 1
        }
        return at
    }

    private func endOfString(from start: Int) -> Int {
        var at = start + 1
        while at < bytes.count {
            if bytes[at] == UInt8(ascii: "\"") { return at + 1 }
            at += bytes[at] == UInt8(ascii: "\\") ? 2 : 1
        }
        return bytes.count
    }

    private func endOfWord(from start: Int) -> Int {
        let rest = bytes[(start + 1)...]
        return rest.firstIndex { Self.isSpace($0) || [0x22, 0x5B, 0x7B].contains($0) } ?? bytes.count
    }

    private static func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }
}
