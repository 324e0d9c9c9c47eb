internal import JSONCore

/// `fromstream(f)`: the values that the events of `f` tell of.
final class StreamedNode: UnaryNode {
    override var inferredCardinality: Cardinality { .many }

    override func run(_ input: JSONValue, _ frame: Frame, _ sink: Sink) throws(Interruption) -> Flow {
        var value = JSONValue.null
        let machine = frame.machine
        return try operand.each(input, frame) { event throws(Interruption) in
            guard try Self.take(event, into: &value, machine) else { return .more }
            let whole = value
            value = .null
            return try sink(whole)
        }
    }

    /// Enters an event into the value that is being built; whether it is the last one.
    ///
    /// `[path, leaf]` sets a leaf, which is the whole value where the path is empty; `[path]` ends a container, the outermost
    /// one where the path has one key.
    private static func take(
        _ event: JSONValue, into value: inout JSONValue, _ machine: Machine
    ) throws(Interruption) -> Bool {
        if case .array(let parts) = event, case .array(let path)? = parts.first, parts.count <= 2 {
            if parts.count == 2 { try Edit.set(&value, at: path, to: parts[1], machine) }
            return parts.count == 2 ? path.isEmpty : path.count == 1
        }
        return try takeOther(event, into: &value, machine)
    }

    /// Does with what is no event as jq does.
    private static func takeOther(
        _ event: JSONValue, into value: inout JSONValue, _ machine: Machine
    ) throws(Interruption) -> Bool {
        let length = try ValueFunctions.length(event)
        let path = try Access.get(event, .number(JSONNumber(0)))
        guard try ValueOrder.equal(length, .number(JSONNumber(2))) else {
            return try ValueOrder.equal(try ValueFunctions.length(path), .number(JSONNumber(1)))
        }
        let isWhole = try ValueOrder.equal(try ValueFunctions.length(path), .number(JSONNumber(0)))
        let leaf = try Access.get(event, .number(JSONNumber(1)))
        // jq builds the value as a member, so what is no path is refused as no part of one.
        guard case .array(let keys) = try Arithmetic.add(.array([.string("x")]), path, .standard) else { return false }
        try Edit.set(&value, at: Array(keys.dropFirst()), to: leaf, machine)
        return isWhole
    }

    override func trace(_ input: Abstract, _ frame: TraceFrame) -> Abstract {
        frame.tracer.consumed(operand.trace(input, frame))
    }
}
