internal import JSONCore

/// Appends pieces of JSON text to a buffer.
///
/// The encoder has its own, because it writes thousands of short strings for each keyframe and must not leave its
/// module for each.
enum JSONText {
    private static let hexadecimal = Array("0123456789abcdef".utf8)

    static func append(_ value: Int64, to bytes: inout [UInt8]) {
        if value >= 0 && value < 10 {
            bytes.append(UInt8(truncatingIfNeeded: value) &+ 0x30)
            return
        }
        if value < 0 { bytes.append(UInt8(ascii: "-")) }
        var rest = value.magnitude
        ByteView.withTemporaryBytes(20) { digits in
            var place = 20
            while rest > 0 {
                place &-= 1
                digits[place] = UInt8(truncatingIfNeeded: rest % 10) &+ 0x30
                rest /= 10
            }
            return place..<20
        } _: {
            bytes.append(contentsOf: $0)
        }
    }

    /// Appends the text of a number, in quotes if JSON has no such number.
    static func append(_ text: String, isNumber: Bool, to bytes: inout [UInt8]) {
        if isNumber {
            bytes.append(contentsOf: text.utf8)
        } else {
            append(string: text, to: &bytes)
        }
    }

    /// Appends a string in quotes, with only `"`, `\` and control characters escaped.
    ///
    /// Byte for byte what `JSONWriter` makes: a hash of a value must not depend on which of the two wrote it.
    static func append(string: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        appendEscaped(string, to: &bytes)
        bytes.append(UInt8(ascii: "\""))
    }

    static func appendEscaped(_ string: String, to bytes: inout [UInt8]) {
        string.withBytes { appendEscaped(utf8: $0, to: &bytes) }
    }

    /// Appends the escaped content of UTF-8 text; pieces of one text add up.
    static func appendEscaped(utf8 text: ByteView, to bytes: inout [UInt8]) {
        var start = 0
        while true {
            let end = endOfPlainText(in: text, from: start)
            bytes.append(contentsOf: text.extracting(start..<end))
            if end == text.count { return }
            appendEscape(of: text[end], to: &bytes)
            start = end + 1
        }
    }

    /// Where the next byte is that needs an escape; the text's end if there is none.
    ///
    /// Eight bytes at a time, by the classic test for a zero or small byte in a word (Mycroft 1987), so that megabytes
    /// of base64 are skipped fast also in unoptimised builds.
    private static func endOfPlainText(in text: ByteView, from start: Int) -> Int {
        let (each, top) = (0x0101_0101_0101_0101 as UInt64, 0x8080_8080_8080_8080 as UInt64)
        var place = start
        while text.count - place >= 8 {
            let word = unsafe text.load(unchecked: place, as: UInt64.self)
            let (quotes, escapes, deletes) = (word ^ (each &* 0x22), word ^ (each &* 0x5C), word ^ (each &* 0x7F))
            let controls = ((word &- (each &* 0x20)) & ~word) | ((deletes &- each) & ~deletes)
            if (controls | ((quotes &- each) & ~quotes) | ((escapes &- each) & ~escapes)) & top != 0 { break }
            place += 8
        }
        while place < text.count, !needsEscape(text[place]) { place += 1 }
        return place
    }

    static func escapedLength(of byte: UInt8) -> Int {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), 0x08, 0x09, 0x0A, 0x0C, 0x0D: 2
        default: byte < 0x20 || byte == 0x7F ? 6 : 1
        }
    }

    /// Appends one segment of a JSON Pointer inside a JSON string: RFC 6901 §3 turns `~` into `~0` and `/` into `~1`.
    static func appendPointerSegment(_ segment: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "/"))
        segment.withBytes { text in
            if text.allSatisfy({ $0 != UInt8(ascii: "~") && $0 != UInt8(ascii: "/") && !needsEscape($0) }) {
                return bytes.append(contentsOf: text)
            }
            for byte in text {
                switch byte {
                case UInt8(ascii: "~"): bytes.append(contentsOf: "~0".utf8)
                case UInt8(ascii: "/"): bytes.append(contentsOf: "~1".utf8)
                case _ where needsEscape(byte): appendEscape(of: byte, to: &bytes)
                default: bytes.append(byte)
                }
            }
        }
    }

    static func pointerSegment(_ segment: String) -> String {
        var text = "/"
        for scalar in segment.unicodeScalars {
            switch scalar {
            case "~": text += "~0"
            case "/": text += "~1"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }

    private static func needsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte == 0x7F
    }

    private static func appendEscape(of byte: UInt8, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\\"))
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(byte)
        case 0x08: bytes.append(UInt8(ascii: "b"))
        case 0x09: bytes.append(UInt8(ascii: "t"))
        case 0x0A: bytes.append(UInt8(ascii: "n"))
        case 0x0C: bytes.append(UInt8(ascii: "f"))
        case 0x0D: bytes.append(UInt8(ascii: "r"))
        default:
            bytes.append(contentsOf: "u00".utf8)
            bytes.append(hexadecimal[Int(byte >> 4)])
            bytes.append(hexadecimal[Int(byte & 15)])
        }
    }
}
