internal import JSONCore

/// `fromstream(f)`: the values that the events of `f` tell of.
final class StreamedNode: Node {
    let events: Node

    init(_ events: Node) { self.events = events }

    override func settle() { events.settle() }

    override func run(_ input: JSONValue, _ frame: Frame, _ sink: Sink) throws(Interruption) -> Flow {
        var value = JSONValue.null
        return try events.each(input, frame) { event throws(Interruption) in
            guard try Self.take(event, into: &value) else { return .more }
            let whole = value
            value = .null
            return try sink(whole)
        }
    }

    /// Enters an event into the value that is being built; whether it is the last one.
    ///
    /// `[path, leaf]` sets a leaf, which is the whole value where the path is empty; `[path]` ends a container, the outermost
    /// one where the path has one key.
    private static func take(_ event: JSONValue, into value: inout JSONValue) throws(Interruption) -> Bool {
        let length = try ValueFunctions.length(event)
        let path = try Access.get(event, .number(JSONNumber(0)))
        guard try ValueOrder.equal(length, .number(JSONNumber(2))) else {
            return try ValueOrder.equal(try ValueFunctions.length(path), .number(JSONNumber(1)))
        }
        switch path {
        case .array(let keys):
            try Edit.set(&value, at: keys, to: try Access.get(event, .number(JSONNumber(1))))
            return keys.isEmpty
        default: return try take(oddPath: path, of: event, into: &value)
        }
    }

    /// What is no path is treated as the sum of a path and it.
    private static func take(
        oddPath path: JSONValue, of event: JSONValue, into value: inout JSONValue
    ) throws(Interruption) -> Bool {
        guard case .array(let keys) = try Arithmetic.add(.array([.string("value")]), path, .standard) else {
            return false
        }
        try Edit.set(&value, at: Array(keys.dropFirst()), to: try Access.get(event, .number(JSONNumber(1))))
        return false
    }
    override func trace(_ input: Abstract, _ frame: TraceFrame) -> Abstract {
        frame.tracer.consumed(events.trace(input, frame))
    }
}
