import JSONCore
import JournalFormat

/// What `jsan`, by which Redux DevTools writes values, makes of those that JSON does not have: `{"$jsan":"…"}`.
///
/// A reference (`$.user.address`) is the value that it points at; one that points at a value around itself stays as it is, since
/// no JSON holds that. Dates become RFC 3339, a member that is undefined is left out. Functions, symbols, errors and regular
/// expressions stay as they are.
enum JSAN {
    /// How many bytes of JSON references may bring in, so that references to references cannot exhaust the memory.
    static let limit = 256 << 20

    static func resolved(_ root: JSONValue) throws(ImportFault) -> JSONValue {
        var resolver = Resolver(root: root)
        return try resolver.resolved(root, at: []) ?? .null
    }

    private struct Resolver {
        let root: JSONValue
        var budget = JSAN.limit
        var open: [[String]] = []

        /// Nil where the value is undefined.
        mutating func resolved(_ value: JSONValue, at path: [String]) throws(ImportFault) -> JSONValue? {
            switch value {
            case .array(let elements):
                var result: [JSONValue] = []
                for (index, element) in elements.enumerated() {
                    result.append(try resolved(element, at: path + [String(index)]) ?? .null)
                }
                return .array(result)
            case .object(let members):
                if members.count == 1, case .string(let text)? = members["$jsan"] {
                    return try special(text, value, at: path)
                }
                var result = JSONObject()
                for (key, member) in members {
                    if let member = try resolved(member, at: path + [key]) { result[key] = member }
                }
                return .object(result)
            default: return value
            }
        }

        private mutating func special(
            _ text: String, _ value: JSONValue, at path: [String]
        ) throws(ImportFault) -> JSONValue? {
            let rest = String(text.unicodeScalars.dropFirst())
            switch text.unicodeScalars.first {
            case "u": return nil
            case "d":
                guard let milliseconds = Double(rest), milliseconds.magnitude < 9e15 else { return value }
                return .string(Timestamp(microseconds: Int(milliseconds * 1000)).text)
            case "$": return try reference(rest, value, at: path)
            default: return value
            }
        }

        private mutating func reference(
            _ text: String, _ value: JSONValue, at path: [String]
        ) throws(ImportFault) -> JSONValue? {
            guard let target = JSAN.path(text), !path.starts(with: target), !open.contains(target),
                let found = JSONPointer(target).value(in: root)
            else { return value }
            guard let size = found.textSize(upTo: budget) else { throw .tooLong(limit: JSAN.limit) }
            budget -= size
            open.append(target)
            defer { open.removeLast() }
            return try resolved(found, at: target)
        }
    }

    /// The steps of `.name`, `[0]` and `["a name"]`, by scalars, since a dot before a combining mark is another
    /// character; nil for others.
    private static func path(_ text: String) -> [String]? {
        var steps: [String] = []
        var rest = text.unicodeScalars[...]
        while let first = rest.first {
            rest = rest.dropFirst()
            if first == "." {
                let name = rest.prefix { $0 != "." && $0 != "[" }
                steps.append(String(name))
                rest = rest.dropFirst(name.count)
            } else if first == "[", rest.first == "\"" {
                var name = String.UnicodeScalarView()
                rest = rest.dropFirst()
                while let scalar = rest.popFirst(), scalar != "\"" {
                    name.append(scalar == "\\" ? rest.popFirst() ?? "\\" : scalar)
                }
                guard rest.popFirst() == "]" else { return nil }
                steps.append(String(name))
            } else if first == "[" {
                let index = rest.prefix { $0 != "]" }
                steps.append(String(index))
                rest = rest.dropFirst(index.count + 1)
            } else {
                return nil
            }
        }
        return steps
    }
}
