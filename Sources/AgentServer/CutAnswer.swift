import CommandLine
import JSONCore

/// An answer of which long values are cut: a client that reads by the token has no use for megabytes.
enum CutAnswer {
    /// An answer of so many bytes is not cut.
    static let limit = 1 << 15

    /// A string that is cut has so many bytes.
    private static let stringLimit = 400

    /// The line, or one in which what is too long has its size in its place.
    static func line(_ line: [UInt8]) -> [UInt8] {
        guard line.count > limit, let value = try? JSONParser.parse(line) else { return line }
        return Array(cut(value, to: limit / 2).text().utf8)
    }

    private static func cut(_ value: JSONValue, to budget: Int) -> JSONValue {
        let size = FittedValue.byteCount(of: value)
        guard size > max(budget, stringLimit) else { return value }
        switch value {
        case .null, .bool: return value
        case .number: return .string(cut(value.text()))
        case .string(let text): return .string(cut(text))
        case .array(let elements):
            var (kept, left) = ([JSONValue](), budget)
            while kept.count < elements.count, left > 0 {
                let element = cut(elements[kept.count], to: max(left / 4, budget / (elements.count + 1)))
                left -= FittedValue.byteCount(of: element) + 1
                kept.append(element)
            }
            if kept.count < elements.count { kept.append(.string("… \(elements.count - kept.count) more")) }
            return .array(kept)
        case .object(let object):
            var (kept, left) = (JSONObject(), budget)
            for (name, member) in object {
                guard left > 0 || kept.count < 16 && name.utf8.count < 32 else {
                    kept["…"] = .string("\(object.count - kept.count) more")
                    break
                }
                let member = cut(member, to: max(left / 4, budget / (object.count + 1)))
                left -= FittedValue.byteCount(of: member) + min(name.utf8.count, budget)
                kept[cut(name)] = member
            }
            return .object(kept)
        }
    }

    private static func cut(_ text: String) -> String {
        guard text.utf8.count > stringLimit else { return text }
        var front = ""
        for scalar in text.unicodeScalars {
            guard front.utf8.count < stringLimit / 2 else { break }
            front.unicodeScalars.append(scalar)
        }
        return front + "… (" + text.utf8.count.counted("byte") + ")"
    }
}
