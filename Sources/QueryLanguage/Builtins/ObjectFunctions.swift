internal import JSONCore

/// Built-ins over objects and keys.
enum ObjectFunctions {
    static let functions: [NativeFunction] = [
        NativeFunction("keys", .zero { input throws(Interruption) in try keys(input, isSorted: true) }),
        NativeFunction("keys_unsorted", .zero { input throws(Interruption) in try keys(input, isSorted: false) }),
        NativeFunction("has", .one { input, a throws(Interruption) in .bool(try Access.has(input, a)) }),
        NativeFunction("to_entries", .zero(toEntries)),
        NativeFunction("from_entries", .zero(fromEntries)),
    ]

    private static func keys(_ value: JSONValue, isSorted: Bool) throws(Interruption) -> JSONValue {
        switch value {
        case .object(let members):
            return .array((isSorted ? members.ascending() : members).keys.map { .string($0) })
        case .array(let elements): return .array(elements.indices.map { .number(JSONNumber($0)) })
        default: throw ValueFunctions.failure(value, "has no keys")
        }
    }

    @Sendable private static func toEntries(_ value: JSONValue) throws(Interruption) -> JSONValue {
        switch value {
        case .object(let members):
            return .array(members.map { entry(.string($0.key), $0.value) })
        case .array(let elements):
            return .array(elements.indices.map { entry(.number(JSONNumber($0)), elements[$0]) })
        default: throw ValueFunctions.failure(value, "has no keys")
        }
    }

    private static let entryKeys = ["key", "value"]

    private static func entry(_ key: JSONValue, _ value: JSONValue) -> JSONValue {
        .object(JSONObject(distinctKeys: entryKeys) { $0 == 0 ? key : value } ?? JSONObject())
    }

    private static let keyNames = ["key", "k", "name", "Name", "Key", "K"]
    private static let valueNames = ["value", "v", "Value", "V"]

    @Sendable private static func fromEntries(_ value: JSONValue) throws(Interruption) -> JSONValue {
        var result = JSONObject()
        let entries: [JSONValue]
        switch value {
        case .array(let elements): entries = elements
        case .object(let members): entries = members.map(\.value)
        default: throw IterateNode.cannotIterate(value)
        }
        for entry in entries {
            if case .object(let members) = entry, case .string(let key)? = members["key"], let value = members["value"]
            {
                result[key] = value
            } else {
                result[try key(of: entry)] = try self.value(of: entry)
            }
        }
        return .object(result)
    }

    /// The first name under which there is a key; `false` is a key, `null` is none.
    private static func key(of entry: JSONValue) throws(Interruption) -> String {
        var found = JSONValue.null
        for name in keyNames {
            found = try Access.get(entry, .string(name))
            if !found.isNull && found.isTruthy { break }
            if case .bool = found { break }
        }
        switch found {
        case .string(let text): return text
        case .null: return "null"
        case .bool, .number: return ValueText.json(found)
        default:
            throw .message("Cannot use \(found.kindName) (\(ValueText.truncated(found))) as object key")
        }
    }

    private static func value(of entry: JSONValue) throws(Interruption) -> JSONValue {
        for name in valueNames where try Access.has(entry, .string(name)) {
            return try Access.get(entry, .string(name))
        }
        return .null
    }
}
