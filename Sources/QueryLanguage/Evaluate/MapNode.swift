internal import JSONCore

/// `map(f)`, and `[.[] | f]`: what `f` gives for each part of the input.
final class MapNode: UnaryNode {
    override var traits: NodeTraits { .readsInputOnly }
    override var inferredCardinality: Cardinality { .one }
    override func one(_ input: JSONValue, _ frame: Frame) throws(Interruption) -> JSONValue? {
        guard case .array(let elements) = input, operand.cardinality != .many else {
            return try collected(input, frame)
        }
        let machine = frame.machine
        guard elements.count <= machine.limits.size else { throw .limit(.size) }
        var results: [JSONValue] = []
        if operand.cardinality == .one { results.reserveCapacity(elements.count) }
        let cost = operand.toll &+ Machine.elementCost
        _ = try elements.eachHeld { element throws(Interruption) in
            try machine.pay(cost)
            if let result = try element.one(operand, frame) { results.append(result) }
            return .more
        }
        return try noted(results, machine)
    }

    private func collected(_ input: JSONValue, _ frame: Frame) throws(Interruption) -> JSONValue {
        var results: [JSONValue] = []
        _ = try IterateNode.forEachPart(of: input, frame.machine) { part throws(Interruption) in
            try frame.machine.round(operand)
            return try operand.each(part, frame) { result throws(Interruption) in
                try frame.machine.collect(result, in: &results)
                return .more
            }
        }
        return try noted(results, frame.machine)
    }

    private func noted(_ results: [JSONValue], _ machine: Machine) throws(Interruption) -> JSONValue {
        let result = JSONValue.array(results)
        if let last = results.last, !last.isScalar { try machine.noteNesting(of: result, isPlain: true) }
        return result
    }

    override func paths(_ at: Located, _ frame: Frame, _ sink: PathSink) throws(Interruption) -> Flow {
        try at.requireIntactForIteration()
        var results: [JSONValue] = []
        _ = try IterateNode.forEachPath(below: at, frame.machine) { part throws(Interruption) in
            try frame.machine.round(operand)
            return try operand.pathValues(part, frame) { result throws(Interruption) in
                try frame.machine.collect(result, in: &results)
                return .more
            }
        }
        return try sink(at.computed(try noted(results, frame.machine)))
    }

    override func trace(_ input: Abstract, _ frame: TraceFrame) -> Abstract {
        .array(of: operand.trace(frame.tracer.parts(of: input), frame))
    }
}
