internal import JSONCore

enum ValueFunctions {
    static let functions: [NativeFunction] = [
        NativeFunction("not", .zero { .bool(!$0.isTruthy) }, reads: .kind, gives: .scalar),
        NativeFunction("type", .zero { .string($0.kindName) }, reads: .kind, gives: .scalar),
        NativeFunction("length", .zero(length), reads: .outline, gives: .scalar),
        NativeFunction(
            "tostring", .zero { value throws(Interruption) in .string(try ValueText.plain(value)) }, cost: 1,
            gives: .scalar),
        NativeFunction(
            "tojson", .zero { value throws(Interruption) in .string(try ValueText.bounded(value)) }, cost: 1,
            gives: .scalar),
        // A container in JSON may be only a few bytes long.
        NativeFunction("fromjson", .zero(fromJSON), effort: 48, cost: 4),
        NativeFunction("tonumber", .zero(toNumber), cost: 3, gives: .scalar),
        NativeFunction("toboolean", .zero(toBoolean), gives: .scalar),
        NativeFunction("toarray", .zero(toArray), trace: { input, _, _ in input.joined(with: .array(of: input)) }),
        NativeFunction(
            "contains",
            .metered(arity: 1) { input, arguments, machine throws(Interruption) in
                .bool(try contains(input, arguments[0], depth: 0, machine))
            }, gives: .scalar),
        NativeFunction("have_decnum", .zero { _ in .bool(true) }, reads: .kind, gives: .scalar),
        NativeFunction("have_literal_numbers", .zero { _ in .bool(true) }, reads: .kind, gives: .scalar),
        NativeFunction("builtins", .zero { _ in builtins }, cost: 1_000, reads: .kind),
    ]

    static func failure(_ value: JSONValue, _ what: String) -> Interruption { StringFormat.invalid(value, what) }

    private static var builtins: JSONValue {
        .array(Builtins.signatures.filter { !$0.name.hasPrefix("_") }.map { .string("\($0.name)/\($0.arity)") })
    }

    @Sendable static func length(_ value: JSONValue) throws(Interruption) -> JSONValue {
        switch value {
        case .null: return .number(JSONNumber(0))
        case .bool: throw failure(value, "has no length")
        case .number(let number): return MathFunctions.magnitude(number)
        case .string(let text): return .number(JSONNumber(CodePoints(text).count))
        case .array(let elements): return .number(JSONNumber(elements.count))
        case .object(let members): return .number(JSONNumber(members.count))
        }
    }

    @Sendable private static func toNumber(_ value: JSONValue) throws(Interruption) -> JSONValue {
        if case .number = value { return value }
        if case .string(let text) = value {
            if let number = NumberText.number(lenient: text) ?? NumberText.number(named: text) {
                return .number(number)
            }
        }
        throw failure(value, "cannot be parsed as a number")
    }

    @Sendable private static func toBoolean(_ value: JSONValue) throws(Interruption) -> JSONValue {
        switch value {
        case .bool: return value
        case .string("true"): return .bool(true)
        case .string("false"): return .bool(false)
        default: throw failure(value, "cannot be parsed as a boolean")
        }
    }

    @Sendable private static func toArray(_ value: JSONValue) throws(Interruption) -> JSONValue {
        if case .array = value { return value }
        return .array([value])
    }

    @Sendable private static func fromJSON(_ value: JSONValue) throws(Interruption) -> JSONValue {
        guard case .string(let text) = value else { throw failure(value, "only strings can be parsed") }
        // Plain JSON, the usual case, takes the fast parser; the slow one knows jq's extensions and messages.
        if let value = try? JSONParser.parse(text, limits: plainText) { return value }
        return try JSONTextReader.read(text)
    }

    private static let plainText = JSONLimits(allowsLoneSurrogates: false)

    /// Whether `b` is found in `a`: strings within strings, every element within some element, every member within its own.
    private static func contains(
        _ a: JSONValue, _ b: JSONValue, depth: Int, _ machine: Machine
    ) throws(Interruption) -> Bool {
        try machine.charge(work: 1)
        guard depth <= QueryLimits.depth, StackRoom.hasRoom else { throw .message("Containment check too deep") }
        switch (a, b) {
        case (.object(let whole), .object(let part)):
            for (key, value) in part {
                guard let found = whole[key], try containsInside(found, value, depth: depth + 1, machine) else {
                    return false
                }
            }
            return true
        case (.array(let whole), .array(let part)):
            for value in part {
                var isFound = false
                for candidate in whole where !isFound {
                    isFound = try containsInside(candidate, value, depth: depth + 1, machine)
                }
                if !isFound { return false }
            }
            return true
        case (.string(let whole), .string(let part)):
            try machine.charge(work: a.readingCost)
            return StringFunctions.offset(of: part, in: whole) != nil
        default:
            guard a.kindName == b.kindName else {
                throw Arithmetic.failure(a, b, "cannot have their containment checked")
            }
            return try ValueOrder.equal(a, b, machine)
        }
    }

    /// Inside of containers, values of different kinds are not an error but not contained.
    private static func containsInside(
        _ a: JSONValue, _ b: JSONValue, depth: Int, _ machine: Machine
    ) throws(Interruption) -> Bool {
        guard a.kindName == b.kindName else { return false }
        return try contains(a, b, depth: depth, machine)
    }
}
