internal import JSONCore

/// Built-ins over objects and keys.
enum ObjectFunctions {
    static let functions: [NativeFunction] = [
        NativeFunction(
            "keys", .zero { input throws(Interruption) in try keys(input, isSorted: true) }, effort: 16, cost: 1),
        NativeFunction("keys_unsorted", .zero { input throws(Interruption) in try keys(input, isSorted: false) }),
        NativeFunction("has", .one { input, a throws(Interruption) in .bool(try Access.has(input, a)) }),
        // An object of two members for each part.
        NativeFunction("to_entries", .zero(toEntries), effort: 56, cost: 1),
        NativeFunction("from_entries", .zero(fromEntries), effort: 4, cost: 1),
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

    private static func entry(_ key: JSONValue, _ value: JSONValue) -> JSONValue {
        .object(JSONObject("key", key, "value", value))
    }

    private static let keyNames = ["key", "Key", "name", "Name"]

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

    /// The first of the names under which there is something that is neither false nor null.
    private static func key(of entry: JSONValue) throws(Interruption) -> String {
        var found = JSONValue.null
        for name in keyNames where !found.isTruthy { found = try Access.get(entry, .string(name)) }
        guard case .string(let text) = found else {
            throw .message("Cannot use \(found.kindName) (\(ValueText.truncated(found))) as object key")
        }
        return text
    }

    private static func value(of entry: JSONValue) throws(Interruption) -> JSONValue {
        let name = try Access.has(entry, .string("value")) ? "value" : "Value"
        return try Access.get(entry, .string(name))
    }
}
