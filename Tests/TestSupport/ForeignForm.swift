public import JSONCore

/// Writes the lines of a journal as other writers might: with white space, members in another order, escapes where none are
/// needed, and members that stand twice, of which the last one counts.
public struct ForeignForm {
    private var random: RandomJSON
    private var bytes: [UInt8] = []

    /// Starts the forms of a seed.
    public init(seed: UInt64) { random = RandomJSON(seed: seed) }

    /// Another form of a whole journal; sums, which would be wrong, are left out.
    public mutating func journal(_ journal: [UInt8]) -> [UInt8] {
        journal.split(separator: 0x0A).flatMap { line(Array($0)) + [0x0A] }
    }

    /// Another form of a record's line.
    public mutating func line(_ line: [UInt8]) -> [UInt8] {
        guard case .object(var record)? = try? JSONParser.parse(line) else { return line }
        record.removeValue(forKey: "sum")
        return text(.object(record))
    }

    /// Another form of a value's text.
    public mutating func text(_ value: JSONValue) -> [UInt8] {
        bytes = []
        write(value)
        return bytes
    }

    private mutating func write(_ value: JSONValue) {
        space()
        switch value {
        case .object(let members): write(members)
        case .array(let elements):
            bytes.append(0x5B)
            for (index, element) in elements.enumerated() {
                if index > 0 { bytes.append(0x2C) }
                write(element)
            }
            bytes.append(0x5D)
        case .string(let text): write(text)
        default: bytes += value.text().utf8
        }
        space()
    }

    private mutating func write(_ object: JSONObject) {
        var members = object.map { ($0.key, $0.value) }
        if random.chance(40) { members.shuffle(using: &random.generator) }
        for (name, _) in members where random.chance(5) && name != "seq" && name != "kind" {
            guard let place = members.firstIndex(where: { UTF8Order.equal($0.0, name) }) else { continue }
            members.insert((name, decoy()), at: random.below(place + 1))
        }
        bytes.append(0x7B)
        for (index, member) in members.enumerated() {
            if index > 0 { bytes.append(0x2C) }
            space()
            write(member.0)
            space()
            bytes.append(0x3A)
            write(member.1)
        }
        space()
        bytes.append(0x7D)
    }

    private mutating func decoy() -> JSONValue {
        [.string("replace"), .string("/a"), .string("cart"), .array([]), .object(JSONObject()), 7, .null][
            random.below(7)]
    }

    private mutating func space() {
        guard random.chance(25) else { return }
        bytes += [" ", "\t", "  ", "\r"][random.below(4)].utf8
    }

    private mutating func write(_ text: String) {
        bytes.append(0x22)
        for scalar in text.unicodeScalars {
            switch scalar {
            case "/" where random.chance(50): bytes += "\\/".utf8
            case "\"", "\\", "\u{0}"..<"\u{20}": escape(scalar)
            case _ where random.chance(10): escape(scalar)
            default: bytes += String(scalar).utf8
            }
        }
        bytes.append(0x22)
    }

    private mutating func escape(_ scalar: Unicode.Scalar) {
        for unit in String(scalar).utf16 {
            let digits = String(unit, radix: 16, uppercase: random.chance(50))
            bytes += "\\u".utf8 + Array(repeating: 0x30, count: 4 - digits.count) + digits.utf8
        }
    }
}
