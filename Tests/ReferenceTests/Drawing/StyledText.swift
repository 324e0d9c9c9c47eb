import TestSupport

/// Writes lines as one writer or another would.
struct StyledText {
    private let style: WritingStyle
    private var random: SeededGenerator

    init(_ style: WritingStyle) {
        self.style = style
        random = SeededGenerator(seed: style.seed)
    }

    /// A line of these members, with its newline.
    mutating func line(_ members: [(key: String, value: PlainJSON)]) -> [UInt8] {
        var bytes = Array(text(.object(PlainObject(members)), isLine: true).utf8)
        if style.sums {
            bytes.removeLast()
            bytes += Array(",\"sum\":\"\(Self.sum(bytes))\"}".utf8)
        }
        return bytes + [0x0A]
    }

    private mutating func space() -> String {
        guard style.spaced else { return "" }
        return ["", " ", "  ", "\t", "\r"][Int.random(in: 0..<5, using: &random)]
    }

    private mutating func text(_ value: PlainJSON, isLine: Bool = false) -> String {
        switch value {
        case .string(let text): return string(text)
        case .array(let elements):
            var parts: [String] = []
            for element in elements { parts.append(space() + text(element) + space()) }
            return "[" + (parts.isEmpty ? space() : parts.joined(separator: ",")) + "]"
        case .object(let members):
            var order = members.map { $0 }
            if style.shuffled, Bool.random(using: &random) { order.shuffle(using: &random) }
            var parts: [String] = []
            for (key, member) in order {
                parts.append(
                    space() + string(key) + space() + ":" + space() + text(member)
                        + (isLine && style.sums ? "" : space()))
            }
            return "{" + (parts.isEmpty ? space() : parts.joined(separator: ",")) + "}"
        default: return value.text()
        }
    }

    private mutating func string(_ text: String) -> String {
        var result = "\""
        for unit in text.unicodeScalars {
            let escapes = style.escaped && Int.random(in: 0..<4, using: &random) == 0
            switch unit {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "/" where escapes: result += "\\/"
            case _ where unit.value < 0x20 || (escapes && unit.value < 0x1_0000):
                let digits = String(unit.value, radix: 16, uppercase: escapes)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(unit)
            }
        }
        return result + "\""
    }

    /// CRC-32C, bit by bit.
    static func sum(_ bytes: [UInt8]) -> String {
        var sum: UInt32 = ~0
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 1 ? (sum >> 1) ^ 0x82F6_3B78 : sum >> 1 }
        }
        let digits = String(~sum, radix: 16)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }
}
