internal import JSONCore

final class PathsNode: UnaryNode {
    /// Whether the path of the input itself is left out, as by `paths`.
    let isEverywhere: Bool

    init(_ operand: Node, isEverywhere: Bool) {
        self.isEverywhere = isEverywhere
        super.init(operand)
    }

    override var inferredCardinality: Cardinality { .many }

    override func run(_ input: JSONValue, _ frame: Frame, _ sink: Sink) throws(Interruption) -> Flow {
        let machine = frame.machine
        if operand is DescentNode { return try descend(input, at: [], machine, sink) }
        return try operand.paths(Located(path: [], value: input), frame) { found throws(Interruption) in
            try found.requireIntactAtEnd()
            if isEverywhere && found.path.isEmpty { return .more }
            try machine.charge(work: Machine.buildingCost &+ 2 &* Machine.elementCost &* found.path.count)
            return try sink(.array(found.path))
        }
    }

    /// Each path has room for as many keys again; nothing is computed on the way, so values are not carried along.
    private func descend(
        _ value: JSONValue, at path: [JSONValue], _ machine: Machine, _ sink: Sink
    ) throws(Interruption) -> Flow {
        try machine.enterCall()
        if !isEverywhere || !path.isEmpty {
            try machine.charge(work: Machine.buildingCost &+ 2 &* Machine.elementCost &* path.count)
            guard try sink(.array(path)) != .stop else { return .stop }
        }
        return try value.eachPart { key, part throws(Interruption) in
            try machine.charge(work: 1 &+ path.count &>> 2)
            let below = try Located.path(path, down: key)
            return try part.withValue { part throws(Interruption) in try descend(part, at: below, machine, sink) }
        }
    }

    override func trace(_ input: Abstract, _ frame: TraceFrame) -> Abstract {
        if operand.isNavigation {
            frame.tracer.touch(operand.trace(input, frame))
            return .derived
        }
        frame.tracer.consume(input)
        return frame.tracer.consumed(operand.trace(input, frame))
    }
}

final class GetPathNode: UnaryNode {
    override func one(_ input: JSONValue, _ frame: Frame) throws(Interruption) -> JSONValue? {
        guard let steps = try operand.one(input, frame) else { return nil }
        return try Access.path(input, try Self.keys(steps), frame.machine)
    }
    override func run(_ input: JSONValue, _ frame: Frame, _ sink: Sink) throws(Interruption) -> Flow {
        try operand.each(input, frame) { steps throws(Interruption) in
            try sink(try Access.path(input, try Self.keys(steps), frame.machine))
        }
    }
    override func paths(_ at: Located, _ frame: Frame, _ sink: PathSink) throws(Interruption) -> Flow {
        try operand.each(at.value, frame) { steps throws(Interruption) in
            let keys = try Self.keys(steps)
            if let first = keys.first { try at.requireIntact(accessing: first) }
            let value = try Access.path(at.value, keys, frame.machine)
            try frame.machine.charge(work: at.path.count &>> 2)
            guard at.path.count + keys.count <= QueryLimits.pathLength else { throw .message("Path too deep") }
            return try sink(Located(path: at.path + keys, value: value, anchor: keys.isEmpty ? at.anchor : nil))
        }
    }

    private static func keys(_ steps: JSONValue) throws(Interruption) -> [JSONValue] {
        guard case .array(let keys) = steps else { throw .message("Path must be specified as an array") }
        return keys.array
    }
    override func trace(_ input: Abstract, _ frame: TraceFrame) -> Abstract {
        let steps = operand.trace(input, frame)
        if case .array(let keys)? = steps.constant {
            return keys.reduce(input) { frame.tracer.index($0, by: .constant($1)) }
        }
        return frame.tracer.consumed(steps, input)
    }
}

final class DeleteNode: UnaryNode {
    private let simple: SimplePath?

    override init(_ operand: Node) {
        simple = SimplePath(operand)
        super.init(operand)
    }

    override var inferredCardinality: Cardinality { .one }
    override func one(_ input: JSONValue, _ frame: Frame) throws(Interruption) -> JSONValue? {
        if let path = try simple?.resolved(input, frame), path.endsInMember, path.leadsThrough(input) {
            var result = input
            try path.remove(from: &result, frame.machine)
            return result
        }
        let paths = try operand.allPaths(input, frame)
        return try Edit.delete(.array(paths.map { .array($0) }), from: input, frame.machine)
    }
    override func trace(_ input: Abstract, _ frame: TraceFrame) -> Abstract {
        frame.tracer.edit(of: input, at: operand, frame) { _ in .derived }
    }
}

final class PickNode: UnaryNode {
    override var inferredCardinality: Cardinality { .one }
    override func one(_ input: JSONValue, _ frame: Frame) throws(Interruption) -> JSONValue? {
        var result = JSONValue.null
        for path in try operand.allPaths(input, frame) {
            try Edit.set(&result, at: path, to: try Access.path(input, path, frame.machine), frame.machine)
        }
        return result
    }
    override func trace(_ input: Abstract, _ frame: TraceFrame) -> Abstract {
        // Of the input only what the paths lead to is in the result.
        if operand.isNavigation { return frame.tracer.consumed(operand.trace(input, frame)) }
        frame.tracer.consume(input)
        return frame.tracer.consumed(operand.trace(input, frame))
    }
}

/// `tostream`: an event for each leaf, and one for the end of each container.
final class StreamNode: Node {
    override var inferredCardinality: Cardinality { .many }
    override func run(_ input: JSONValue, _ frame: Frame, _ sink: Sink) throws(Interruption) -> Flow {
        try stream(input, at: [], isTop: true, frame.machine, sink)
    }

    private func stream(
        _ value: JSONValue, at path: [JSONValue], isTop: Bool, _ machine: Machine, _ sink: Sink
    ) throws(Interruption) -> Flow {
        try machine.enterCall()
        var last: JSONValue?
        let flow = try value.eachPart { key, part throws(Interruption) in
            last = key
            try machine.charge(work: 1 &+ path.count &>> 2)
            let below = try Located.path(path, down: key)
            return try part.withValue { part throws(Interruption) in
                try stream(part, at: below, isTop: false, machine, sink)
            }
        }
        guard flow != .stop else { return .stop }
        try machine.charge(work: 3 &* Machine.buildingCost &+ Machine.elementCost &* path.count)
        guard let last else { return try sink(.array([.array(path), value])) }
        return try sink(.array([.array(path.appending(last))]))
    }
    override func trace(_ input: Abstract, _ frame: TraceFrame) -> Abstract { frame.tracer.consumed(input) }
}

/// `fromstream(f)`: the values that the events of `f` describe.
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

    /// `[path, leaf]` sets a leaf, which is the whole value where the path is empty; `[path]` ends a container; true if
    /// the value is complete.
    private static func take(
        _ event: JSONValue, into value: inout JSONValue, _ machine: Machine
    ) throws(Interruption) -> Bool {
        if case .array(let parts) = event, case .array(let path)? = parts.first, parts.count <= 2 {
            if parts.count == 2 { try Edit.set(&value, at: path.array, to: parts[1], machine) }
            return parts.count == 2 ? path.isEmpty : path.count == 1
        }
        return try takeOther(event, into: &value, machine)
    }

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
        // jq builds the value as a member, so a path that is not an array is refused like a part of one.
        guard case .array(let keys) = try Arithmetic.add(.array([.string("x")]), path, .standard) else { return false }
        try Edit.set(&value, at: Array(keys.dropFirst()), to: leaf, machine)
        return isWhole
    }
}
