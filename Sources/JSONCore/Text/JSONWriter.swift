/// Writes JSON text into a growing buffer of bytes.
public struct JSONWriter: Sendable {
    /// How the text is laid out.
    public enum Style: Sendable, Equatable {
        /// No white space, members in their order.
        case compact
        /// One element or member a line, as jq prints; `indent` is the number of spaces a level.
        case pretty(indent: Int)
        /// No white space, members in ascending order of their keys: equal values give equal text as far as their numbers do.
        case canonical
    }

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
    /// NaN becomes `null` and an infinity the largest double, as in jq; the recorder's own form is ``writeDouble(_:)``.
    public mutating func write(_ value: JSONValue) {
        write(value, level: 0)
    }

    /// Appends a string literal: UTF-8, only quotes, backslashes and control characters escaped.
    public mutating func writeString(_ text: String) {
        var text = text
        text.withUTF8 { utf8 in
            bytes.append(0x22)
            var start = 0
            for (place, byte) in utf8.enumerated() where JSONWriter.needsEscape(byte) {
                bytes.append(contentsOf: utf8[start..<place])
                appendEscape(of: byte)
                start = place + 1
            }
            bytes.append(contentsOf: utf8[start...])
            bytes.append(0x22)
        }
    }

    /// Appends a double in the journal's form: shortest digits, and NaN and infinities as strings.
    public mutating func writeDouble(_ value: Double) {
        if value.isFinite {
            bytes.append(contentsOf: DoubleText.shortest(value).utf8)
        } else {
            writeString(DoubleText.shortest(value))
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
        bytes.append(contentsOf: number.text.utf8)
    }

    private mutating func write(_ elements: [JSONValue], level: Int) {
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
            if case .pretty = style { bytes.append(0x20) }
            write(value, level: level + 1)
        }
        if !isFirst { breakLine(level) }
        bytes.append(0x7D)
    }

    private mutating func breakLine(_ level: Int) {
        guard case .pretty(let indent) = style else { return }
        bytes.append(0x0A)
        bytes.append(contentsOf: repeatElement(0x20, count: level * indent))
    }

    // MARK: Escapes

    private static func needsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == 0x22 || byte == 0x5C || byte == 0x7F
    }

    private mutating func appendEscape(of byte: UInt8) {
        bytes.append(0x5C)
        switch byte {
        case 0x22, 0x5C: bytes.append(byte)
        case 0x08: bytes.append(UInt8(ascii: "b"))
        case 0x0C: bytes.append(UInt8(ascii: "f"))
        case 0x0A: bytes.append(UInt8(ascii: "n"))
        case 0x0D: bytes.append(UInt8(ascii: "r"))
        case 0x09: bytes.append(UInt8(ascii: "t"))
        default:
            let digits = Array("0123456789abcdef".utf8)
            bytes.append(contentsOf: [0x75, 0x30, 0x30, digits[Int(byte >> 4)], digits[Int(byte & 15)]])
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
