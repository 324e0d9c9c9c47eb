internal import JSONCore

/// Built-ins over paths as values.
enum PathFunctions {
    static let functions: [NativeFunction] = [
        NativeFunction("setpath", .two(setPath)),
        NativeFunction(
            "delpaths",
            .metered(arity: 1) { input, arguments, machine throws(Interruption) in
                try Deletion.delete(arguments[0], from: input, machine)
            }),
    ]

    @Sendable private static func setPath(
        _ value: JSONValue, _ path: JSONValue, _ new: JSONValue
    ) throws(Interruption) -> JSONValue {
        guard case .array(let keys) = path else { throw .message("Path must be specified as an array") }
        var result = value
        try Edit.set(&result, at: keys, to: new)
        return result
    }
}
