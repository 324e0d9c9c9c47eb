public import Diagnostics

/// Why a text is not JSON, and at which byte.
public struct JSONError: DiagnosticConvertible, Equatable {
    /// What is wrong.
    public enum Fact: Sendable, Equatable {
        /// The text ends where something else had to come.
        case unexpectedEnd(expected: String)
        /// A byte that cannot stand here.
        case unexpectedByte(UInt8, expected: String)
        /// A control character inside a string; RFC 8259 §7 wants it escaped.
        case controlCharacter(UInt8)
        /// A backslash is followed by something that is not an escape.
        case unknownEscape
        /// An escape that is half a surrogate pair, where that is refused.
        case loneSurrogate
        /// A string that is not UTF-8; RFC 8259 §8.1.
        case malformedUTF8
        /// More nesting than the limit allows.
        case tooDeep(limit: Int)
        /// A number of more characters than the limit allows.
        case numberTooLong(limit: Int)
        /// Something follows the value.
        case trailingText
        /// A text of more bytes than can be read at once.
        case textTooLong(limit: Int)
    }

    /// What is wrong.
    public var fact: Fact
    /// Where, in bytes from the start of the text.
    public var offset: Int

    /// Creates an error from its facts.
    public init(_ fact: Fact, at offset: Int) {
        self.fact = fact
        self.offset = offset
    }

    /// The error in words, its place being the byte offset.
    public var diagnostic: Diagnostic {
        Diagnostic(
            code: code, message, place: .file(path: "json", line: nil, byte: offset, length: nil))
    }

    /// The problem in words, without its place.
    public var message: String {
        switch fact {
        case .unexpectedEnd(let expected): "the text ends where \(expected) is expected"
        case .unexpectedByte(let byte, let expected): "\(JSONError.name(of: byte)) where \(expected) is expected"
        case .controlCharacter(let byte): "\(JSONError.name(of: byte)) inside a string is not escaped"
        case .unknownEscape: "a backslash is followed by what is not an escape"
        case .loneSurrogate: "half a surrogate pair stands alone"
        case .malformedUTF8: "a string is not UTF-8"
        case .tooDeep(let limit): "the nesting is deeper than \(limit) levels"
        case .numberTooLong(let limit): "a number has more than \(limit) characters"
        case .trailingText: "more text follows the value"
        case .textTooLong(let limit): "the text has more than \(limit) bytes"
        }
    }

    private var code: String {
        switch fact {
        case .tooDeep: "json.too-deep"
        case .numberTooLong: "json.number-too-long"
        case .textTooLong: "json.too-long"
        default: "json.syntax"
        }
    }

    private static func name(of byte: UInt8) -> String {
        switch byte {
        case 0x21...0x7E: "'\(Character(Unicode.Scalar(byte)))'"
        case 0x20: "a space"
        default: "byte 0x\(String(byte, radix: 16))"
        }
    }
}
