internal import JSONCore

/// `fromjson`, with jq's extensions (`nan`, numbers like `.5`).
///
/// The text is read token by token onto a stack, as jq does, so that of several errors the one is reported that jq
/// finds first: after the token that does not fit.
struct JSONTextReader {
    /// The parts of all open containers lie on one stack, those of each from `first`.
    private enum Container {
        case array(first: Int)
        /// An object, with the key whose value is being read, once its colon was read.
        case object(first: Int, key: String?)
    }

    private let bytes: [UInt8]
    private var position = 0
    private var line = 1
    private var column = 0
    private var open: [Container] = []
    private var elements: [JSONValue] = []
    private var members: [JSONObject.Element] = []
    /// The number of objects that wait for the value of a key: jq's limit of depth counts keys too.
    private var keys = 0
    private var pending: JSONValue?

    private init(_ text: String) { bytes = Array(text.utf8) }

    static func read(_ text: String) throws(Interruption) -> JSONValue {
        var reader = JSONTextReader(text)
        try reader.skipByteOrderMark()
        guard let value = try reader.next() else { throw reader.failure("Expected JSON value") }
        // Text after the value is read as far as one more value.
        guard try reader.next() == nil else { throw reader.failure("Unexpected extra JSON values") }
        return value
    }

    private mutating func skipByteOrderMark() throws(Interruption) {
        guard bytes.first == 0xEF else { return }
        guard bytes.starts(with: [0xEF, 0xBB, 0xBF]) else { throw failure("Malformed BOM") }
        position = 3
    }

    // MARK: Tokens

    private mutating func next() throws(Interruption) -> JSONValue? {
        while position < bytes.count {
            let word = takeWord()
            if position == bytes.count {
                if !word.isEmpty { try place(word, isAtEnd: true) }
                break
            }
            let before = (position, column)
            let byte = take()
            if !word.isEmpty { try place(word) }
            let value = takeWhole()
            if byte == UInt8(ascii: "\"") {
                if let value {
                    // The string after the word is another value.
                    (position, column) = before
                    return value
                }
                try place(.string(try string()))
            } else {
                // An error in a mark directly after a word is reported first.
                try mark(byte)
            }
            if let value = value ?? takeWhole() { return value }
        }
        guard open.isEmpty else { throw failureHere("Unfinished JSON term", isAtEnd: true) }
        return takeWhole()
    }

    private mutating func take() -> UInt8 {
        let byte = bytes[position]
        position += 1
        column += 1
        if byte == 0x0A {
            line += 1
            column = 0
        }
        return byte
    }

    /// Everything up to the next mark, quote or space.
    private mutating func takeWord() -> Range<Int> {
        let start = position
        while position < bytes.count, !Self.isDelimiter(bytes[position]) { position += 1 }
        column += position - start
        return start..<position
    }

    private static func isDelimiter(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x20, 0x09, 0x0A, 0x0D, 0x22, 0x2C, 0x3A, 0x5B, 0x5D, 0x7B, 0x7D: true
        default: false
        }
    }

    private mutating func takeWhole() -> JSONValue? { open.isEmpty ? pending.take() : nil }

    private mutating func place(_ value: JSONValue, isAtEnd: Bool = false) throws(Interruption) {
        guard pending == nil else { throw failureHere("Expected separator between values", isAtEnd: isAtEnd) }
        pending = value
    }

    // MARK: Words

    private mutating func place(_ word: Range<Int>, isAtEnd: Bool = false) throws(Interruption) {
        let text = String(decoding: bytes[word], as: UTF8.self)
        switch text {
        case "null": return try place(.null, isAtEnd: isAtEnd)
        case "true": return try place(.bool(true), isAtEnd: isAtEnd)
        case "false": return try place(.bool(false), isAtEnd: isAtEnd)
        default: break
        }
        if text.hasPrefix("'") { throw failureHere("Invalid string literal; expected \", but got '", isAtEnd: isAtEnd) }
        let isLiteral = ["t", "f", "nu"].contains { text.utf8.starts(with: $0.utf8) }
        guard !isLiteral, let number = NumberText.number(lenient: text) ?? NumberText.number(named: text) else {
            throw failureHere(isLiteral ? "Invalid literal" : "Invalid numeric literal", isAtEnd: isAtEnd)
        }
        try place(.number(number), isAtEnd: isAtEnd)
    }

    // MARK: Marks

    private mutating func mark(_ byte: UInt8) throws(Interruption) {
        switch byte {
        case UInt8(ascii: "["): try begin(.array(first: elements.count))
        case UInt8(ascii: "{"): try begin(.object(first: members.count, key: nil))
        case UInt8(ascii: ":"):
            guard let key = pending else { throw failureHere("Expected string key before ':'") }
            guard case .object(let first, nil)? = open.last else { throw failureHere("':' not as part of an object") }
            guard case .string(let name) = key else { throw failureHere("Object keys must be strings") }
            open[open.count - 1] = .object(first: first, key: name)
            keys += 1
            pending = nil
        case UInt8(ascii: ","):
            guard let value = pending.take() else { throw failureHere("Expected value before ','") }
            try add(value)
        case UInt8(ascii: "]"): try endArray()
        case UInt8(ascii: "}"): try endObject()
        default: break
        }
    }

    private mutating func begin(_ container: Container) throws(Interruption) {
        guard open.count + keys < QueryLimits.depth else { throw failureHere("Exceeds depth limit for parsing") }
        guard pending == nil else { throw failureHere("Expected separator between values") }
        open.append(container)
    }

    private mutating func endArray() throws(Interruption) {
        guard case .array(let first)? = open.last else { throw failureHere("Unmatched ']'") }
        if let last = pending.take() {
            try add(last)
        } else if elements.count > first {
            throw failureHere("Expected another array element")
        }
        open.removeLast()
        pending = .array(Array(elements[first...]))
        elements.removeSubrange(first...)
    }

    private mutating func endObject() throws(Interruption) {
        if open.isEmpty { throw failureHere("Unmatched '}'") }
        let last = pending.take()
        if let last { try add(last) }
        guard case .object(let first, nil)? = open.last else {
            throw failureHere(last == nil ? "Unmatched '}'" : "Objects must consist of key:value pairs")
        }
        if last == nil, members.count > first { throw failureHere("Expected another key-value pair") }
        open.removeLast()
        pending = .object(JSONObject(members[first...]))
        members.removeSubrange(first...)
    }

    private mutating func add(_ value: JSONValue) throws(Interruption) {
        switch open.last {
        case .array: elements.append(value)
        case .object(let first, let key?):
            members.append((key: key, value: value))
            open[open.count - 1] = .object(first: first, key: nil)
            keys -= 1
        default: throw failureHere("Objects must consist of key:value pairs")
        }
    }

    // MARK: Strings

    private mutating func string() throws(Interruption) -> String {
        let start = position
        while position < bytes.count {
            switch take() {
            case UInt8(ascii: "\""): return try decoded(bytes[start..<(position - 1)])
            case UInt8(ascii: "\\"): if position < bytes.count { _ = take() }
            default: break
            }
        }
        throw failureHere("Unfinished string", isAtEnd: true)
    }

    private func decoded(_ content: ArraySlice<UInt8>) throws(Interruption) -> String {
        var text: [UInt8] = []
        var rest = content
        while let byte = rest.popFirst() {
            guard byte != UInt8(ascii: "\\") else {
                try escape(&rest, into: &text)
                continue
            }
            guard byte >= 0x20 else {
                throw failureHere("Invalid string: control characters from U+0000 through U+001F must be escaped")
            }
            text.append(byte)
        }
        return String(decoding: text, as: UTF8.self)
    }

    private func escape(_ rest: inout ArraySlice<UInt8>, into text: inout [UInt8]) throws(Interruption) {
        switch rest.popFirst() {
        case let letter? where UInt8.escapes[letter] != nil: text.append(UInt8.escapes[letter] ?? letter)
        case UInt8(ascii: "u"):
            guard rest.count >= 4 else { throw failureHere("Invalid \\uXXXX escape") }
            guard let unit = UInt8.hexadecimal(rest.prefix(4)) else {
                throw failureHere("Invalid characters in \\uXXXX escape")
            }
            rest.removeFirst(4)
            let scalar = unit & 0xFC00 == 0xD800 ? try pair(unit, &rest) : unit
            text.append(contentsOf: String(Unicode.Scalar(scalar) ?? "\u{FFFD}").utf8)
        default: throw failureHere("Invalid escape")
        }
    }

    /// The code point of a surrogate pair (RFC 8259 §7) whose second half must follow.
    private func pair(_ first: UInt32, _ rest: inout ArraySlice<UInt8>) throws(Interruption) -> UInt32 {
        guard rest.count >= 6, rest.starts(with: Array("\\u".utf8)),
            let second = UInt8.hexadecimal(rest.dropFirst(2).prefix(4)), second & 0xFC00 == 0xDC00
        else { throw failureHere("Invalid \\uXXXX\\uXXXX surrogate pair escape") }
        rest.removeFirst(6)
        return 0x10000 + (first & 0x3FF) << 10 + (second & 0x3FF)
    }

    // MARK: Failures

    private func failure(_ what: String) -> Interruption {
        .message("\(what) (while parsing '\(String(decoding: bytes, as: UTF8.self))')")
    }

    private func failureHere(_ what: String, isAtEnd: Bool = false) -> Interruption {
        failure("\(what)\(isAtEnd ? " at EOF" : "") at line \(line), column \(column)")
    }
}
