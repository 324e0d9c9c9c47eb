internal import JSONCore

/// An `elif` is a conditional in the place of the `else`.
final class ConditionalNode: Node {
    let condition: Node
    let then: Node
    let otherwise: Node

    init(_ condition: Node, then: Node, otherwise: Node) {
        self.condition = condition
        self.then = then
        self.otherwise = otherwise
    }

    override var parts: [Node] { [condition, then, otherwise] }
    override var traits: NodeTraits { [.plain, .navigation] }
    override var navigatedParts: [Node] { [then, otherwise] }
    override func markTail() {
        guard condition.cardinality != .many else { return }
        then.markTail()
        otherwise.markTail()
    }
    override func one(_ input: JSONValue, _ frame: Frame) throws(Interruption) -> JSONValue? {
        guard let verdict = try condition.one(input, frame) else { return nil }
        // Two calls, because choosing a node first would retain it.
        if verdict.isTruthy { return try then.one(input, frame) }
        return try otherwise.one(input, frame)
    }
    override func run(_ input: JSONValue, _ frame: Frame, _ sink: Sink) throws(Interruption) -> Flow {
        if condition.cardinality != .many {
            guard let verdict = try condition.one(input, frame) else { return .more }
            if verdict.isTruthy { return try then.run(input, frame, sink) }
            return try otherwise.run(input, frame, sink)
        }
        return try condition.run(input, frame) { verdict throws(Interruption) in
            try frame.machine.charge(stepCost)
            return try (verdict.isTruthy ? then : otherwise).run(input, frame, sink)
        }
    }
    override func paths(_ at: Located, _ frame: Frame, _ sink: PathSink) throws(Interruption) -> Flow {
        try condition.each(at.value, frame) { verdict throws(Interruption) in
            try frame.machine.charge(stepCost)
            return try (verdict.isTruthy ? then : otherwise).paths(at, frame, sink)
        }
    }
    override func change(_ value: inout JSONValue, _ frame: Frame) throws(Interruption) -> Bool {
        guard let verdict = try condition.one(value, frame) else { return false }
        return try (verdict.isTruthy ? then : otherwise).change(&value, frame)
    }
    override func trace(_ input: Abstract, _ frame: TraceFrame) -> Abstract {
        frame.tracer.touch(condition.trace(input, frame))
        return then.trace(input, frame).joined(with: otherwise.trace(input, frame))
    }
}

/// `try a catch b` and `a?`: catches the errors of `a`, but not those that its outputs cause later in the program.
final class AttemptNode: Node {
    let body: Node
    let handler: Node?

    init(_ body: Node, handler: Node?) {
        self.body = body
        self.handler = handler
    }

    override var parts: [Node] { [body] + (handler.map { [$0] } ?? []) }
    override var traits: NodeTraits { handler == nil ? [.plain, .navigation] : .plain }
    override var inferredCardinality: Cardinality { max(body.cardinality, handler?.cardinality ?? .optional) }
    override func one(_ input: JSONValue, _ frame: Frame) throws(Interruption) -> JSONValue? {
        let caught: JSONValue
        do throws(Interruption) {
            return try body.one(input, frame)
        } catch {
            guard case .failure(let value) = error else { throw error }
            caught = value
        }
        try frame.machine.charge(work: Machine.failureCost)
        return try handler?.one(caught, frame)
    }
    override func run(_ input: JSONValue, _ frame: Frame, _ sink: Sink) throws(Interruption) -> Flow {
        var fromSink = false
        let caught: JSONValue
        do throws(Interruption) {
            return try body.run(input, frame) { value throws(Interruption) in
                fromSink = true
                let flow = try sink(value)
                fromSink = false
                return flow
            }
        } catch {
            guard case .failure(let value) = error, !fromSink else { throw error }
            caught = value
        }
        try frame.machine.charge(work: Machine.failureCost)
        return try handler?.run(caught, frame, sink) ?? .more
    }
    override func paths(_ at: Located, _ frame: Frame, _ sink: PathSink) throws(Interruption) -> Flow {
        var fromSink = false
        let caught: JSONValue
        do throws(Interruption) {
            return try body.paths(at, frame) { value throws(Interruption) in
                fromSink = true
                let flow = try sink(value)
                fromSink = false
                return flow
            }
        } catch {
            guard case .failure(let value) = error, !fromSink else { throw error }
            caught = value
        }
        try frame.machine.charge(work: Machine.failureCost)
        let located = Located(path: at.path, value: caught, anchor: at.anchor ?? at.value)
        return try handler?.paths(located, frame, sink) ?? .more
    }
    override func trace(_ input: Abstract, _ frame: TraceFrame) -> Abstract {
        let result = body.trace(input, frame)
        // Whether the body fails depends on values that were noted where they were read.
        guard let handler else { return result }
        return result.joined(with: handler.trace(.derived, frame))
    }
}

final class LabelNode: Node {
    let slot: Int
    let body: Node

    init(slot: Int, _ body: Node) {
        self.slot = slot
        self.body = body
    }

    override var parts: [Node] { [body] }
    override var inferredCardinality: Cardinality { max(body.cardinality, .optional) }
    override func one(_ input: JSONValue, _ frame: Frame) throws(Interruption) -> JSONValue? {
        try labelled(frame, broken: nil) { () throws(Interruption) in try body.one(input, frame) }
    }
    override func run(_ input: JSONValue, _ frame: Frame, _ sink: Sink) throws(Interruption) -> Flow {
        try labelled(frame, broken: .more) { () throws(Interruption) in try body.run(input, frame, sink) }
    }
    override func paths(_ at: Located, _ frame: Frame, _ sink: PathSink) throws(Interruption) -> Flow {
        try labelled(frame, broken: .more) { () throws(Interruption) in try body.paths(at, frame, sink) }
    }

    /// Runs the body under a fresh label; returns `broken` where the body breaks out to it.
    private func labelled<Result>(
        _ frame: Frame, broken: Result, _ run: () throws(Interruption) -> Result
    ) throws(Interruption) -> Result {
        let label = frame.machine.newLabel()
        frame[slot] = .number(JSONNumber(label))
        do throws(Interruption) {
            return try run()
        } catch {
            guard case .broken(label) = error else { throw error }
            return broken
        }
    }
    override func trace(_ input: Abstract, _ frame: TraceFrame) -> Abstract { body.trace(input, frame) }
}

final class BreakNode: Node {
    let hops: Int
    let slot: Int

    init(hops: Int, slot: Int) {
        self.hops = hops
        self.slot = slot
    }

    override var inferredCardinality: Cardinality { .optional }
    override func one(_ input: JSONValue, _ frame: Frame) throws(Interruption) -> JSONValue? {
        guard case .number(let number) = frame.value(slot, outwards: hops), case .integer(let label) = number.storage
        else { return nil }
        throw .broken(label: label)
    }
    override func trace(_ input: Abstract, _ frame: TraceFrame) -> Abstract { .derived }
}

final class ErrorNode: UnaryNode {
    override var inferredCardinality: Cardinality { .optional }
    override func one(_ input: JSONValue, _ frame: Frame) throws(Interruption) -> JSONValue? {
        var thrown: JSONValue?
        _ = try operand.each(input, frame) { value throws(Interruption) in
            thrown = value
            return .stop
        }
        guard let thrown else { return nil }
        throw .failure(thrown)
    }
    override func paths(_ at: Located, _ frame: Frame, _ sink: PathSink) throws(Interruption) -> Flow {
        var thrown: JSONValue?
        _ = try operand.pathValues(at, frame) { value throws(Interruption) in
            thrown = value
            return .stop
        }
        if let thrown { throw .failure(thrown) }
        return .more
    }
    override func trace(_ input: Abstract, _ frame: TraceFrame) -> Abstract {
        frame.tracer.consume(operand.trace(input, frame))
        return .derived
    }
}
