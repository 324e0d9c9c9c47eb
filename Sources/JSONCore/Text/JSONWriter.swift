/// Writes JSON text into a growing buffer of bytes.
public struct JSONWriter: Sendable {
    /// How the text is laid out.
    public enum Style: Sendable, Equatable {
        /// No white space, members in their order.
        case compact
        /// One element or member a line, as jq prints; `indent` is the number of spaces a level.
        case pretty(indent: Int)
        /// Indented, with a tab a level.
        case tabbed
        /// No white space, members in ascending order of their keys: equal values give equal text as far as their numbers do.
        case canonical
    }

    /// What is nested deeper stands on the line that it begins on: indentation would grow with the square of the depth.
    public static let deepestLine = 256

    /// What was written so far.
    public var bytes: [UInt8]
    /// How values are laid out.
    public let style: Style

    /// Starts with an empty buffer.
    public init(style: Style = .compact) {
        bytes = []
        self.style = style
    }

    /// Appends a value.
    ///
    /// NaN becomes `null` and an infinity the largest double, as in jq.
    public mutating func write(_ value: JSONValue) {
        write(value, level: 0)
    }

    /// Appends a string literal: UTF-8, only quotes, backslashes and control characters escaped.
    public mutating func writeString(_ text: String) { JSONWriter.append(text, to: &bytes) }

    /// Appends what stands in a string literal, escaped.
    mutating func writeContent(_ text: String) { text.withBytes { JSONWriter.appendContent($0, to: &bytes) } }

    /// Appends a string literal to a buffer.
    public static func append(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(0x22)
        text.withBytes { appendContent($0, to: &bytes) }
        bytes.append(0x22)
    }

    @inline(__always)
    private static func appendContent(_ utf8: ByteView, to bytes: inout [UInt8]) {
        var start = 0
        while start < utf8.count {
            let end = endOfPlainText(utf8, from: start)
            bytes.append(contentsOf: utf8.extracting(start..<end))
            start = end + 1
            if end < utf8.count { appendEscape(of: utf8[end], to: &bytes) }
        }
    }

    /// Appends the digits of a whole number to a buffer.
    public static func append(_ number: Int, to bytes: inout [UInt8]) {
        if number >= 0 && number < 10 { return bytes.append(0x30 &+ UInt8(truncatingIfNeeded: number)) }
        ByteView.withTemporaryBytes(20) { digits in
            var place = 20
            var rest = number.magnitude
            while rest > 0 {
                place -= 1
                digits[place] = 0x30 &+ UInt8(truncatingIfNeeded: rest % 10)
                rest /= 10
            }
            if number < 0 {
                place -= 1
                digits[place] = 0x2D
            }
            return place..<20
        } _: {
            bytes.append(contentsOf: $0)
        }
    }

    // MARK: Values

    private mutating func write(_ value: JSONValue, level: Int) {
        switch value {
        case .null: bytes.append(contentsOf: "null".utf8)
        case .bool(let flag): bytes.append(contentsOf: (flag ? "true" : "false").utf8)
        case .number(let number): write(number)
        case .string(let text): writeString(text)
        case .array(let elements): write(elements, level: level)
        case .object(let members): write(members, level: level)
        }
    }

    private mutating func write(_ number: JSONNumber) {
        if case .double(let value) = number.storage, !value.isFinite {
            let text = value.isNaN ? "null" : (value < 0 ? "-1.7976931348623157e+308" : "1.7976931348623157e+308")
            bytes.append(contentsOf: text.utf8)
            return
        }
        if case .integer(let value) = number.storage { return JSONWriter.append(value, to: &bytes) }
        bytes.append(contentsOf: number.text.utf8)
    }

    private mutating func write(_ elements: JSONArray, level: Int) {
        bytes.append(0x5B)
        for (place, element) in elements.enumerated() {
            if place > 0 { bytes.append(0x2C) }
            breakLine(level + 1)
            write(element, level: level + 1)
        }
        if !elements.isEmpty { breakLine(level) }
        bytes.append(0x5D)
    }

    private mutating func write(_ members: JSONObject, level: Int) {
        bytes.append(0x7B)
        var isFirst = true
        for (key, value) in style == .canonical ? members.ascending() : members {
            if !isFirst { bytes.append(0x2C) }
            isFirst = false
            breakLine(level + 1)
            writeString(key)
            bytes.append(0x3A)
            if isSpread { bytes.append(0x20) }
            write(value, level: level + 1)
        }
        if !isFirst { breakLine(level) }
        bytes.append(0x7D)
    }

    private mutating func breakLine(_ level: Int) {
        guard isSpread, level <= JSONWriter.deepestLine else { return }
        bytes.append(0x0A)
        if case .pretty(let indent) = style {
            bytes.append(contentsOf: repeatElement(0x20, count: level * indent))
        } else {
            bytes.append(contentsOf: repeatElement(0x09, count: level))
        }
    }

    private var isSpread: Bool {
        switch style {
        case .pretty, .tabbed: true
        case .compact, .canonical: false
        }
    }

    // MARK: Escapes

    /// The first index from `index` on whose byte is to be escaped; the count if there is none.
    private static func endOfPlainText(_ utf8: ByteView, from index: Int) -> Int {
        var index = index
        // Eight bytes at a time, as `JSONBytes` scans, which explains how; DEL is escaped here beside what it looks
        // for.
        let ones: UInt64 = 0x0101_0101_0101_0101
        while index &+ 8 <= utf8.count {
            let word = unsafe utf8.load(unchecked: index, as: UInt64.self)
            let quote = word ^ 0x2222_2222_2222_2222
            let backslash = word ^ 0x5C5C_5C5C_5C5C_5C5C
            let delete = word ^ 0x7F7F_7F7F_7F7F_7F7F
            let found =
                (((quote &- ones) & ~quote) | ((backslash &- ones) & ~backslash) | ((delete &- ones) & ~delete)
                    | ((word &- 0x2020_2020_2020_2020) & ~word)) & 0x8080_8080_8080_8080
            if found != 0 { return index &+ found.trailingZeroBitCount &>> 3 }
            index &+= 8
        }
        while index < utf8.count {
            let byte = unsafe utf8[unchecked: index]
            if byte < 0x20 || byte == 0x22 || byte == 0x5C || byte == 0x7F { return index }
            index &+= 1
        }
        return index
    }

    private static let hexDigits = Array("0123456789abcdef".utf8)

    private static func appendEscape(of byte: UInt8, to bytes: inout [UInt8]) {
        bytes.append(0x5C)
        switch byte {
        case 0x22, 0x5C: bytes.append(byte)
        case 0x08: bytes.append(UInt8(ascii: "b"))
        case 0x0C: bytes.append(UInt8(ascii: "f"))
        case 0x0A: bytes.append(UInt8(ascii: "n"))
        case 0x0D: bytes.append(UInt8(ascii: "r"))
        case 0x09: bytes.append(UInt8(ascii: "t"))
        default: bytes.append(contentsOf: [0x75, 0x30, 0x30, hexDigits[Int(byte >> 4)], hexDigits[Int(byte & 15)]])
        }
    }
}

extension JSONValue {
    /// The value as JSON text.
    public func text(_ style: JSONWriter.Style = .compact) -> String {
        var writer = JSONWriter(style: style)
        writer.write(self)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
