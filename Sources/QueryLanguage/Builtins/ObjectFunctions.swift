internal import JSONCore

enum ObjectFunctions {
    static let functions: [NativeFunction] = [
        NativeFunction(
            "keys", .zero { input throws(Interruption) in try keys(input, isSorted: true) }, effort: 16, cost: 1,
            reads: .outline, gives: .array(of: .scalar)),
        NativeFunction(
            "keys_unsorted", .zero { input throws(Interruption) in try keys(input, isSorted: false) }, reads: .outline,
            gives: .array(of: .scalar)),
        NativeFunction(
            "has", .one { input, a throws(Interruption) in .bool(try Access.has(input, a)) }, trace: traceHas),
        // The result has an object of two members for each part.
        NativeFunction(
            "to_entries", .zero(toEntries), effort: 56, cost: 1,
            trace: { input, _, tracer in
                .array(of: .object([("key", .scalar), ("value", tracer.parts(of: input))], rest: nil))
            }),
        NativeFunction("from_entries", .zero(fromEntries), effort: 4, cost: 1, trace: traceFromEntries),
        NativeFunction("setpath", .metered(arity: 2, setPath)),
        NativeFunction(
            "delpaths",
            .metered(arity: 1) { input, arguments, machine throws(Interruption) in
                try Edit.delete(arguments[0], from: input, machine)
            }),
    ]

    private static func keys(_ value: JSONValue, isSorted: Bool) throws(Interruption) -> JSONValue {
        switch value {
        case .object(let members): return .array((isSorted ? members.ascending() : members).keys.map { .string($0) })
        case .array(let elements): return .array(elements.indices.map { .number(JSONNumber($0)) })
        default: throw ValueFunctions.failure(value, "has no keys")
        }
    }

    @Sendable private static func toEntries(_ value: JSONValue) throws(Interruption) -> JSONValue {
        switch value {
        case .object(let members): return .array(members.map { entry(.string($0.key), $0.value) })
        case .array(let elements): return .array(elements.indices.map { entry(.number(JSONNumber($0)), elements[$0]) })
        default: throw ValueFunctions.failure(value, "has no keys")
        }
    }

    private static func entry(_ key: JSONValue, _ value: JSONValue) -> JSONValue {
        .object(JSONObject("key", key, "value", value))
    }

    private static let keyNames = ["key", "Key", "name", "Name"]

    @Sendable private static func fromEntries(_ value: JSONValue) throws(Interruption) -> JSONValue {
        var result = JSONObject()
        for entry in try value.elements() {
            if case .object(let members) = entry, case .string(let key)? = members["key"], let value = members["value"]
            {
                result[key] = value
            } else {
                result[try key(of: entry)] = try self.value(of: entry)
            }
        }
        return .object(result)
    }

    private static func key(of entry: JSONValue) throws(Interruption) -> String {
        var found = JSONValue.null
        for name in keyNames where !found.isTruthy { found = try Access.get(entry, .string(name)) }
        return try ObjectNode.name(found)
    }

    private static func value(of entry: JSONValue) throws(Interruption) -> JSONValue {
        let name = try Access.has(entry, .string("value")) ? "value" : "Value"
        return try Access.get(entry, .string(name))
    }

    // MARK: Paths

    @Sendable private static func setPath(
        _ value: JSONValue, _ arguments: [JSONValue], _ machine: Machine
    ) throws(Interruption) -> JSONValue {
        guard case .array(let keys) = arguments[0] else { throw .message("Path must be specified as an array") }
        var result = value
        try Edit.set(&result, at: keys.array, to: arguments[1], machine)
        return result
    }

    // MARK: Footprints

    @Sendable private static func traceHas(_ input: Abstract, _ arguments: [Abstract], _ tracer: Tracer) -> Abstract {
        if case .string(let key)?? = arguments.first?.constant {
            tracer.touch(tracer.member(key, of: input, at: nil))
        } else {
            arguments.forEach(tracer.consume)
            tracer.outline(input)
        }
        return .scalar
    }

    @Sendable private static func traceFromEntries(
        _ input: Abstract, _ arguments: [Abstract], _ tracer: Tracer
    ) -> Abstract {
        let entries = tracer.parts(of: input)
        for name in keyNames { tracer.consume(tracer.member(name, of: entries, at: nil)) }
        let values = ["value", "Value"].map { tracer.member($0, of: entries, at: nil) }
        for value in values { tracer.touch(value) }
        return .object([], rest: values[0].joined(with: values[1]))
    }
}
