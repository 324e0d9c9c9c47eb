internal import JSONCore

/// `sub(re; text; flags)` and `gsub`, for a pattern and flags that are values.
///
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
        try pattern.each(input, frame) { pattern throws(Interruption) in
            try flags.each(input, frame) { flags throws(Interruption) in
                let results = try results(input, pattern, flags, frame)
                if results.isEmpty { return try sink(input) }
                for result in results where try sink(result) == .stop { return .stop }
                return .more
            }
        }
    }

    /// The input with its matches replaced, once for each output of `text`; empty if nothing matches.
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

    /// Adds the text before a match, and what replaces the match, to each result.
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
