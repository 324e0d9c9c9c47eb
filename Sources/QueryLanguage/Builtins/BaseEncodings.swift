internal import JSONCore

/// Base64, RFC 4648 §4; decoding accepts text without padding, as jq does.
package enum Base64 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// Encodes bytes.
    package static func encode(_ bytes: [UInt8]) -> String {
        var result: [UInt8] = []
        result.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            var bits = 0
            for offset in 0..<3 { bits = bits << 8 | (offset < group.count ? Int(group[start + offset]) : 0) }
            for place in 0..<4 {
                result.append(place <= group.count ? alphabet[bits >> (18 - 6 * place) & 63] : UInt8(ascii: "="))
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    static func decode(_ value: JSONValue) throws(Interruption) -> String {
        let text = try ValueText.plain(value)
        let source = Array(text.utf8)
        var bytes: [UInt8] = []
        var bits = 0
        var digits = 0
        for byte in source {
            if byte == UInt8(ascii: "=") { break }
            guard let digit = digit(byte) else { throw StringFormat.invalid(.string(text), "is not valid base64 data") }
            bits = bits << 6 | digit
            digits += 1
            if digits == 4 {
                bytes.append(contentsOf: [UInt8(bits >> 16 & 255), UInt8(bits >> 8 & 255), UInt8(bits & 255)])
                bits = 0
                digits = 0
            }
        }
        switch digits {
        case 1: throw StringFormat.invalid(.string(text), "trailing base64 byte found")
        case 2: bytes.append(UInt8(bits >> 4 & 255))
        case 3: bytes.append(contentsOf: [UInt8(bits >> 10 & 255), UInt8(bits >> 2 & 255)])
        default: break
        }
        return LenientUTF8.text(of: bytes)
    }

    private static func digit(_ byte: UInt8) -> Int? {
        switch byte {
        case 0x41...0x5A: Int(byte) - 0x41
        case 0x61...0x7A: Int(byte) - 0x61 + 26
        case 0x30...0x39: Int(byte) - 0x30 + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}

/// Base32, RFC 4648 §6.
enum Base32 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)

    static func encode(_ bytes: [UInt8]) -> String {
        var result: [UInt8] = []
        var bits = 0
        var count = 0
        for byte in bytes {
            bits = (bits << 8 | Int(byte)) & 0xFFFF
            count += 8
            while count >= 5 {
                count -= 5
                result.append(alphabet[bits >> count & 31])
            }
        }
        if count > 0 { result.append(alphabet[bits << (5 - count) & 31]) }
        while result.count % 8 != 0 { result.append(UInt8(ascii: "=")) }
        return String(decoding: result, as: UTF8.self)
    }

    static func decode(_ value: JSONValue) throws(Interruption) -> String {
        var bytes: [UInt8] = []
        var bits = 0
        var count = 0
        let text = try ValueText.plain(value)
        for byte in text.utf8 {
            if byte == UInt8(ascii: "=") { break }
            guard let digit = alphabet.firstIndex(of: byte) else {
                throw StringFormat.invalid(.string(text), "is not valid base32 data")
            }
            bits = (bits << 5 | digit) & 0xFFFF
            count += 5
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(bits >> count & 255))
            }
        }
        return LenientUTF8.text(of: bytes)
    }
}

/// Decodes bytes as text, with one replacement character for each invalid sequence, counted as jq does.
enum LenientUTF8 {
    static func text(of bytes: [UInt8]) -> String {
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        var scalars = String.UnicodeScalarView()
        var index = 0
        while index < bytes.count {
            let (scalar, length) = next(bytes[index...])
            scalars.append(scalar ?? "\u{FFFD}")
            index += length
        }
        return String(scalars)
    }

    /// A sequence that the end cuts off counts as one, as does one that is broken earlier, up to the byte that breaks
    /// it.
    private static func next(_ bytes: ArraySlice<UInt8>) -> (scalar: Unicode.Scalar?, length: Int) {
        guard let first = bytes.first else { return (nil, 1) }
        let expected: Int
        switch first {
        case 0..<0x80: return (Unicode.Scalar(first), 1)
        case 0xC2...0xDF: expected = 2
        case 0xE0...0xEF: expected = 3
        case 0xF0...0xF4: expected = 4
        default: return (nil, 1)
        }
        guard expected <= bytes.count else { return (nil, bytes.count) }
        var value = UInt32(first) & (0x7F >> UInt32(expected))
        for (offset, byte) in bytes.prefix(expected).enumerated().dropFirst() {
            guard byte & 0xC0 == 0x80 else { return (nil, offset) }
            value = value << 6 | UInt32(byte & 0x3F)
        }
        let least: [UInt32] = [0, 0, 0x80, 0x800, 0x10000]
        return (value < least[expected] ? nil : Unicode.Scalar(value), expected)
    }
}
