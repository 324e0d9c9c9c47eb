internal import JSONCore

final class RecurseNode: UnaryNode {
    override var inferredCardinality: Cardinality { .many }

    override func run(_ input: JSONValue, _ frame: Frame, _ sink: Sink) throws(Interruption) -> Flow {
        try frame.machine.enterCall(operand.stepCost)
        guard try sink(input) != .stop else { return .stop }
        if operand.cardinality == .many {
            return try operand.run(input, frame) { following throws(Interruption) in try run(following, frame, sink) }
        }
        var value = input
        while let following = try operand.one(value, frame) {
            try frame.machine.charge(operand.stepCost)
            guard try sink(following) != .stop else { return .stop }
            value = following
        }
        return .more
    }
    override func paths(_ at: Located, _ frame: Frame, _ sink: PathSink) throws(Interruption) -> Flow {
        try frame.machine.enterCall(operand.stepCost)
        guard try sink(at) != .stop else { return .stop }
        return try operand.paths(at, frame) { following throws(Interruption) in try paths(following, frame, sink) }
    }
    override func trace(_ input: Abstract, _ frame: TraceFrame) -> Abstract {
        frame.tracer.consume(input)
        return frame.tracer.recursing { frame.tracer.consumed(operand.trace(.derived, frame)) }
    }
}

/// The left side is the condition, the right side what comes next.
class LoopNode: BinaryNode {
    override func trace(_ input: Abstract, _ frame: TraceFrame) -> Abstract {
        frame.tracer.fixedPoint(from: input) { state in
            frame.tracer.recursing { frame.tracer.touch(left.trace(state, frame)) }
            return frame.tracer.recursing { right.trace(state, frame) }
        }
    }
}

final class UntilNode: LoopNode {
    override func one(_ input: JSONValue, _ frame: Frame) throws(Interruption) -> JSONValue? {
        var value = input
        while let verdict = try left.one(value, frame) {
            if verdict.isTruthy { return value }
            try frame.machine.charge(stepCost)
            guard try right.change(&value, frame) else { return nil }
        }
        return nil
    }
    override func run(_ input: JSONValue, _ frame: Frame, _ sink: Sink) throws(Interruption) -> Flow {
        if cardinality != .many { return try super.run(input, frame, sink) }
        try frame.machine.enterCall(stepCost)
        return try left.each(input, frame) { verdict throws(Interruption) in
            if verdict.isTruthy { return try sink(input) }
            return try right.each(input, frame) { following throws(Interruption) in try run(following, frame, sink) }
        }
    }
    override func paths(_ at: Located, _ frame: Frame, _ sink: PathSink) throws(Interruption) -> Flow {
        try frame.machine.enterCall(stepCost)
        return try left.each(at.value, frame) { verdict throws(Interruption) in
            if verdict.isTruthy { return try sink(at) }
            return try right.paths(at, frame) { following throws(Interruption) in try paths(following, frame, sink) }
        }
    }
}

final class WhileNode: LoopNode {
    override var inferredCardinality: Cardinality { .many }
    override func run(_ input: JSONValue, _ frame: Frame, _ sink: Sink) throws(Interruption) -> Flow {
        try frame.machine.enterCall(stepCost)
        if max(left.cardinality, right.cardinality) == .many {
            return try left.each(input, frame) { verdict throws(Interruption) in
                guard verdict.isTruthy else { return .more }
                guard try sink(input) != .stop else { return .stop }
                return try right.each(input, frame) { following throws(Interruption) in try run(following, frame, sink)
                }
            }
        }
        var value = input
        while let verdict = try left.one(value, frame), verdict.isTruthy {
            try frame.machine.charge(stepCost)
            guard try sink(value) != .stop else { return .stop }
            guard let following = try right.one(value, frame) else { return .more }
            value = following
        }
        return .more
    }
    override func paths(_ at: Located, _ frame: Frame, _ sink: PathSink) throws(Interruption) -> Flow {
        try frame.machine.enterCall(stepCost)
        return try left.each(at.value, frame) { verdict throws(Interruption) in
            guard verdict.isTruthy else { return .more }
            guard try sink(at) != .stop else { return .stop }
            return try right.paths(at, frame) { following throws(Interruption) in try paths(following, frame, sink) }
        }
    }
}

final class RangeNode: Node {
    let from: Node
    let upTo: Node
    let by: Node
    /// Whether the ends are compared with all of their digits, as with a step in jq, and not as doubles.
    let isExact: Bool

    init(from: Node, upTo: Node, by: Node, isExact: Bool = false) {
        self.from = from
        self.upTo = upTo
        self.by = by
        self.isExact = isExact
    }

    override var parts: [Node] { [from, upTo, by] }
    override var inferredCardinality: Cardinality { .many }
    override func run(_ input: JSONValue, _ frame: Frame, _ sink: Sink) throws(Interruption) -> Flow {
        try from.each(input, frame) { start throws(Interruption) in
            try upTo.each(input, frame) { end throws(Interruption) in
                try by.each(input, frame) { step throws(Interruption) in
                    try frame.machine.charge(stepCost)
                    guard case .number(let first) = start, case .number(let last) = end, case .number(let step) = step
                    else { throw .message("Range bounds must be numeric") }
                    return try count(first, last, step, frame.machine, sink)
                }
            }
        }
    }

    private func count(
        _ first: JSONNumber, _ last: JSONNumber, _ step: JSONNumber, _ machine: Machine, _ sink: Sink
    ) throws(Interruption) -> Flow {
        let limit = 1 << 53
        if case .integer(let start) = first.storage, case .integer(let end) = last.storage,
            case .integer(let by) = step.storage, by != 0,
            max(start.magnitude, max(end.magnitude, by.magnitude)) < UInt(limit)
        {
            var value = start
            while by > 0 ? value < end : value > end {
                try machine.charge(1)
                if try sink(.number(JSONNumber(value))) == .stop { return .stop }
                value += by
            }
            return .more
        }
        let end = last.doubleValue
        let by = step.doubleValue
        var value = first.doubleValue
        guard by != 0, !by.isNaN else { return .more }
        if isExact, value == end, value.isFinite {
            // The ends may differ in digits that no double has.
            let order = try ValueOrder.compare(.number(first), .number(last), machine)
            return (by > 0 ? order < 0 : order > 0) ? try sink(.number(first)) : .more
        }
        while by > 0 ? value < end : value > end {
            try machine.charge(1)
            if try sink(Arithmetic.number(value)) == .stop { return .stop }
            value += by
        }
        return .more
    }
    override func trace(_ input: Abstract, _ frame: TraceFrame) -> Abstract {
        for part in [from, upTo, by] { frame.tracer.consume(part.trace(input, frame)) }
        return .scalar
    }
}

/// `walk(f)`: runs `f` on every value, first on the parts and then on the whole.
final class WalkNode: UnaryNode {
    override func one(_ input: JSONValue, _ frame: Frame) throws(Interruption) -> JSONValue? {
        try operand.one(try walkedParts(of: input, frame), frame)
    }
    override func run(_ input: JSONValue, _ frame: Frame, _ sink: Sink) throws(Interruption) -> Flow {
        try operand.each(try walkedParts(of: input, frame), frame, sink)
    }

    /// All outputs of an element stay, but only the first of a member; a member without one is left out.
    private func walkedParts(of value: JSONValue, _ frame: Frame) throws(Interruption) -> JSONValue {
        try frame.machine.enterCall(operand.stepCost)
        switch value {
        case .array(let elements):
            try frame.machine.charge(work: Machine.buildingCost)
            var results: [JSONValue] = []
            for element in elements {
                _ = try run(element, frame) { part throws(Interruption) in
                    try frame.machine.append(part, to: &results)
                    return .more
                }
            }
            return .array(results)
        case .object(let members):
            try frame.machine.charge(work: Machine.buildingCost &+ Machine.memberCost &* members.count)
            var results = JSONObject()
            for (key, member) in members {
                var first: JSONValue?
                _ = try run(member, frame) { part throws(Interruption) in
                    first = part
                    return .stop
                }
                if let first { results[key] = first }
            }
            return .object(results)
        default: return value
        }
    }
    override func trace(_ input: Abstract, _ frame: TraceFrame) -> Abstract {
        frame.tracer.consume(input)
        return frame.tracer.recursing { frame.tracer.consumed(operand.trace(.derived, frame)) }
    }
}
