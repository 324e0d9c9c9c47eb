internal import JSONCore

/// Built-ins over paths as values.
enum PathFunctions {
    static let functions: [NativeFunction] = [
        NativeFunction("setpath", .metered(arity: 2, setPath)),
        NativeFunction(
            "delpaths",
            .metered(arity: 1) { input, arguments, machine throws(Interruption) in
                try Deletion.delete(arguments[0], from: input, machine)
            }),
    ]

    @Sendable private static func setPath(
        _ value: JSONValue, _ arguments: [JSONValue], _ machine: Machine
    ) throws(Interruption) -> JSONValue {
        guard case .array(let keys) = arguments[0] else { throw .message("Path must be specified as an array") }
        var result = value
        try Edit.set(&result, at: keys, to: arguments[1], machine)
        return result
    }
}
