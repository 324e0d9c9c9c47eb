internal import JSONCore

/// The native part of `match`, `test`, `capture`, `split/2`.
enum RegexFunctions {
    static let functions: [NativeFunction] =
        [
            function("_matches", matches), function("_captures", captures), function("_test", test),
        ].flatMap { $0 } + [NativeFunction("_split", .metered(arity: 2, split), effort: 8, cost: cost)]

    /// The cost of a search beside its steps: the expression is looked up, and the matcher made.
    static let cost = 20

    /// A function of an expression, and of an expression and flags.
    private static func function(
        _ name: String,
        _ body: @escaping @Sendable (JSONValue, Pattern, Machine) throws(Interruption) -> JSONValue
    ) -> [NativeFunction] {
        let single = NativeFunction.Body.metered(arity: 1) { input, arguments, machine throws(Interruption) in
            try body(input, separated(arguments[0]), machine)
        }
        let double = NativeFunction.Body.metered(arity: 2) { input, arguments, machine throws(Interruption) in
            try body(input, (arguments[0], arguments[1]), machine)
        }
        return [NativeFunction(name, single, cost: cost), NativeFunction(name, double, cost: cost)]
    }

    /// An expression and its flags.
    private typealias Pattern = (expression: JSONValue, flags: JSONValue)

    @Sendable private static func matches(
        _ input: JSONValue, _ pattern: Pattern, _ machine: Machine
    ) throws(Interruption) -> JSONValue {
        let (text, search) = try prepare(input, pattern.expression, pattern.flags, machine)
        return .array(try search.matches(in: text).map(description))
    }

    @Sendable private static func captures(
        _ input: JSONValue, _ pattern: Pattern, _ machine: Machine
    ) throws(Interruption) -> JSONValue {
        let (text, search) = try prepare(input, pattern.expression, pattern.flags, machine)
        return .array(try search.matches(in: text).map(\.namedGroups))
    }

    @Sendable private static func test(
        _ input: JSONValue, _ pattern: Pattern, _ machine: Machine
    ) throws(Interruption) -> JSONValue {
        let (text, search) = try prepare(input, pattern.expression, pattern.flags, machine)
        return .bool(try search.hasMatch(in: text))
    }

    /// The one argument of `match` and the like: an expression, or an array of it and its flags.
    private static func separated(_ argument: JSONValue) throws(Interruption) -> Pattern {
        switch argument {
        case .string: return (argument, .null)
        case .array(let parts) where !parts.isEmpty: return (parts[0], parts.count > 1 ? parts[1] : .null)
        default: throw .message("\(argument.kindName) not a string or array")
        }
    }

    /// `split(re; flags)`: the parts between matches.
    @Sendable private static func split(
        _ input: JSONValue, _ arguments: [JSONValue], _ machine: Machine
    ) throws(Interruption) -> JSONValue {
        var (text, search) = try prepare(input, arguments[0], arguments[1], machine)
        search.isGlobal = true
        let matched = MatchedText(text)
        var parts: [JSONValue] = []
        var start = 0
        for match in try search.matches(in: text) {
            parts.append(.string(matched.part(start, max(start, match.places[0]))))
            start = match.places[1]
        }
        parts.append(.string(matched.part(min(start, matched.count), matched.count)))
        return .array(parts)
    }

    /// The text and the search that `match` and its kin are called with.
    static func prepare(
        _ input: JSONValue, _ pattern: JSONValue, _ flags: JSONValue, _ machine: Machine
    ) throws(Interruption) -> (String, RegexSearch) {
        guard case .string(let text) = input else {
            throw ValueFunctions.failure(input, "cannot be matched, as it is not a string")
        }
        guard case .string(let expression) = pattern else {
            throw ValueFunctions.failure(pattern, "is not a string")
        }
        switch flags {
        case .null: return (text, try RegexSearch(expression, flags: "", machine))
        case .string(let letters): return (text, try RegexSearch(expression, flags: letters, machine))
        default: throw ValueFunctions.failure(flags, "is not a string")
        }
    }

    private static let groupKeys = ["offset", "length", "string", "name"]

    /// A match as jq describes it.
    private static func description(of match: RegexMatch) -> JSONValue {
        func value(_ key: Int, _ group: Int) -> JSONValue {
            let (start, end) = (match.places[2 * group], match.places[2 * group + 1])
            let isMatched = start >= 0 && end >= start
            switch key {
            case 0: return .number(JSONNumber(isMatched ? start : -1))
            case 1: return .number(JSONNumber(isMatched ? end - start : 0))
            case 2: return match.string(group)
            default: return match.names[group - 1].map { .string($0) } ?? .null
            }
        }
        let captures = match.names.indices.map { group -> JSONValue in
            .object(JSONObject(distinctKeys: groupKeys) { value($0, group + 1) } ?? JSONObject())
        }
        var result = JSONObject(distinctKeys: Array(groupKeys.prefix(3))) { value($0, 0) } ?? JSONObject()
        result["captures"] = .array(captures)
        return .object(result)
    }
}

/// A text that was searched, with positions in scalars.
struct MatchedText {
    private let text: String
    /// Empty if the text is ASCII: then bytes are scalars.
    let scalars: [UInt32]
    let isASCII: Bool
    let count: Int

    init(_ text: String) {
        isASCII = text.withBytes { utf8 in
            var all: UInt8 = 0
            for byte in utf8 { all |= byte }
            return all < 0x80
        }
        scalars = isASCII ? [] : text.unicodeScalars.map(\.value)
        count = isASCII ? text.utf8.count : scalars.count
        self.text = text
    }

    /// The part between two positions.
    func part(_ start: Int, _ end: Int) -> String {
        if isASCII {
            return withBytes { String(decoding: $0.extracting(start..<end), as: UTF8.self) }
        }
        var view = String.UnicodeScalarView()
        for value in scalars[start..<end] { view.append(Unicode.Scalar(value) ?? "\u{FFFD}") }
        return String(view)
    }

    /// Runs with the text as bytes.
    func withBytes<Result>(_ body: (ByteView) -> Result) -> Result { text.withBytes(body) }
}

/// A match in a text: where it and its groups are.
struct RegexMatch {
    let text: MatchedText
    /// The start and end of the match, then of each group, -1 where it did not take part.
    let places: [Int]
    let program: RegexProgram
    /// The groups' names.
    var names: [String?] { program.groupNames }

    /// What a group matched, the whole being group 0; null where it did not take part.
    func string(_ group: Int) -> JSONValue {
        let (start, end) = (places[2 * group], places[2 * group + 1])
        return start >= 0 && end >= start ? .string(text.part(start, end)) : .null
    }

    /// The named groups as an object.
    var namedGroups: JSONValue {
        if program.areNamesDistinct,
            let members = JSONObject(distinctKeys: program.namedKeys, value: { string($0 + 1) })
        {
            return .object(members)
        }
        var members = JSONObject()
        for (index, name) in names.enumerated() {
            if let name { members[name] = string(index + 1) }
        }
        return .object(members)
    }
}
