internal import JSONCore

/// The native part of `match`, `test`, `capture`, `split/2`.
enum RegexFunctions {
    static let functions: [NativeFunction] =
        [
            function("_matches") { input, pattern, flags, machine throws(Interruption) in
                let (text, search) = try prepare(input, pattern, flags, machine)
                return .array(try search.matches(in: text).map(description))
            },
            function("_captures") { input, pattern, flags, machine throws(Interruption) in
                let (text, search) = try prepare(input, pattern, flags, machine)
                return .array(try search.matches(in: text).map(\.namedGroups))
            },
            function("_test") { input, pattern, flags, machine throws(Interruption) in
                let (text, search) = try prepare(input, pattern, flags, machine)
                return .bool(try search.hasMatch(in: text))
            },
        ].flatMap { $0 } + [NativeFunction("_split", .metered(arity: 2, split), effort: 8, cost: cost)]

    /// The cost of a search beside its steps: the expression is looked up, and the matcher made.
    static let cost = 20

    private static func function(
        _ name: String,
        _ body: @escaping @Sendable (JSONValue, JSONValue, JSONValue, Machine) throws(Interruption) -> JSONValue
    ) -> [NativeFunction] {
        (1...2).map { arity in
            NativeFunction(
                name,
                .metered(arity: arity) { input, arguments, machine throws(Interruption) in
                    if arity == 2 { return try body(input, arguments[0], arguments[1], machine) }
                    let (pattern, flags) = try separated(arguments[0])
                    return try body(input, pattern, flags, machine)
                }, cost: cost)
        }
    }

    private static func separated(_ argument: JSONValue) throws(Interruption) -> (JSONValue, JSONValue) {
        switch argument {
        case .string: return (argument, .null)
        case .array(let parts) where !parts.isEmpty: return (parts[0], parts.count > 1 ? parts[1] : .null)
        default: throw .message("\(argument.kindName) not a string or array")
        }
    }

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

    static func prepare(
        _ input: JSONValue, _ pattern: JSONValue, _ flags: JSONValue, _ machine: Machine
    ) throws(Interruption) -> (String, RegexSearch) {
        guard case .string(let text) = input else {
            throw ValueFunctions.failure(input, "cannot be matched, as it is not a string")
        }
        guard case .string(let expression) = pattern else { throw ValueFunctions.failure(pattern, "is not a string") }
        switch flags {
        case .null: return (text, try RegexSearch(expression, flags: "", machine))
        case .string(let letters): return (text, try RegexSearch(expression, flags: letters, machine))
        default: throw ValueFunctions.failure(flags, "is not a string")
        }
    }

    private static let groupKeys = ["offset", "length", "string", "name"]

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

/// For each match `text` runs on the named groups; its first output goes into the first result, its second into the
/// second, as in jq.
final class SubstituteNode: Node {
    let pattern: Node
    let flags: Node
    let text: Node

    init(_ pattern: Node, flags: Node, _ text: Node) {
        self.pattern = pattern
        self.flags = flags
        self.text = text
    }

    override var parts: [Node] { [pattern, flags, text] }
    override var inferredCardinality: Cardinality {
        text.cardinality == .many ? .many : max(pattern.cardinality, flags.cardinality)
    }
    override func one(_ input: JSONValue, _ frame: Frame) throws(Interruption) -> JSONValue? {
        guard let pattern = try pattern.one(input, frame), let flags = try flags.one(input, frame) else { return nil }
        return try results(input, pattern, flags, frame).first ?? input
    }
    override func run(_ input: JSONValue, _ frame: Frame, _ sink: Sink) throws(Interruption) -> Flow {
        try Self.combinations(of: [pattern, flags], input, frame) { values throws(Interruption) in
            let results = try results(input, values[0], values[1], frame)
            for result in results.isEmpty ? [input] : results where try sink(result) == .stop { return .stop }
            return .more
        }
    }

    private func results(
        _ input: JSONValue, _ pattern: JSONValue, _ flags: JSONValue, _ frame: Frame
    ) throws(Interruption) -> [JSONValue] {
        try frame.machine.charge(work: RegexFunctions.cost)
        let (whole, search) = try RegexFunctions.prepare(input, pattern, flags, frame.machine)
        let matches = try search.matches(in: whole)
        guard let last = matches.last else { return [] }
        var results: [JSONValue] = []
        var end = 0
        for match in matches {
            try frame.machine.charge(text.stepCost)
            let gap = match.text.part(min(end, match.places[0]), match.places[0])
            try extend(&results, by: gap, match.namedGroups, frame)
            end = match.places[1]
        }
        let rest = JSONValue.string(last.text.part(end, last.text.count))
        try frame.machine.charge(work: rest.buildingCost &* results.count)
        for index in results.indices { try Arithmetic.add(rest, to: &results[index], frame.machine.limits) }
        return results
    }

    private func extend(
        _ results: inout [JSONValue], by gap: String, _ groups: JSONValue, _ frame: Frame
    ) throws(Interruption) {
        let limits = frame.machine.limits
        var index = 0
        _ = try text.each(groups, frame) { new throws(Interruption) in
            if index == results.count { results.append(.null) }
            try frame.machine.charge(work: 1 &+ new.buildingCost &+ JSONValue.textCost(gap.utf8.count))
            try Arithmetic.add(try Arithmetic.add(.string(gap), new, limits), to: &results[index], limits)
            index += 1
            return .more
        }
    }
    override func trace(_ input: Abstract, _ frame: TraceFrame) -> Abstract {
        frame.tracer.consume(input)
        frame.tracer.consume(pattern.trace(input, frame))
        frame.tracer.consume(flags.trace(input, frame))
        return frame.tracer.consumed(text.trace(.derived, frame))
    }
}
