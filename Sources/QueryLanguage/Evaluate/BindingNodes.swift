internal import JSONCore

/// `source as $x | body`, `source as p1 ?// p2 | body`.
final class BindNode: Node {
    let source: Node
    let pattern: CompiledPattern
    let body: Node

    init(_ source: Node, _ pattern: CompiledPattern, _ body: Node) {
        self.source = source
        self.pattern = pattern
        self.body = body
    }

    override var parts: [Node] { [source, body] + pattern.keys }
    override var traits: NodeTraits { .navigation }
    override var navigatedParts: [Node] { [body] }
    override var inferredCardinality: Cardinality { pattern.isAlternative ? .many : super.inferredCardinality }
    override func markTail() { if source.cardinality != .many && pattern.singleSlot != nil { body.markTail() } }
    override func one(_ input: JSONValue, _ frame: Frame) throws(Interruption) -> JSONValue? {
        guard let value = try source.one(input, frame) else { return nil }
        if let slot = pattern.singleSlot {
            frame[slot] = value
            return try body.one(input, frame)
        }
        var result: JSONValue?
        _ = try pattern.bind(value, frame) { () throws(Interruption) -> Flow in
            result = try body.one(input, frame)
            return .more
        }
        return result
    }
    override func run(_ input: JSONValue, _ frame: Frame, _ sink: Sink) throws(Interruption) -> Flow {
        if source.cardinality != .many, let slot = pattern.singleSlot {
            guard let value = try source.one(input, frame) else { return .more }
            frame[slot] = value
            return try body.run(input, frame, sink)
        }
        return try source.each(input, frame) { value throws(Interruption) in
            try pattern.bind(value, frame) { () throws(Interruption) -> Flow in
                try frame.machine.charge(body.stepCost)
                return try body.run(input, frame, sink)
            }
        }
    }
    override func paths(_ at: Located, _ frame: Frame, _ sink: PathSink) throws(Interruption) -> Flow {
        // What a variable took out of the input is a path of it.
        if source is IdentityNode, at.isIntact {
            return try pattern.bind(at, frame) { variable throws(Interruption) in
                try frame.machine.charge(body.stepCost)
                let before = frame.machine.bound
                frame.machine.bind(
                    variable.map { BoundPlace(frame: frame, slot: $0.slot, origin: at.path, place: $0.place) })
                defer { frame.machine.bind(before) }
                return try body.paths(at, frame, sink)
            }
        }
        return try source.each(at.value, frame) { value throws(Interruption) in
            try pattern.bind(value, frame) { () throws(Interruption) -> Flow in
                try frame.machine.charge(body.stepCost)
                return try body.paths(at, frame, sink)
            }
        }
    }
    override func trace(_ input: Abstract, _ frame: TraceFrame) -> Abstract {
        pattern.trace(source.trace(input, frame), frame)
        return body.trace(input, frame)
    }
}

/// A variable whose value was found at a path.
struct BoundPlace {
    let frame: Frame
    let slot: Int
    /// The path of the input, where alone it stands for another one.
    let origin: [JSONValue]
    let place: Located
}

class SourceLoopNode: Node {
    final let source: Node
    final let pattern: CompiledPattern
    final let start: Node
    final let update: Node

    init(_ source: Node, _ pattern: CompiledPattern, start: Node, update: Node) {
        self.source = source
        self.pattern = pattern
        self.start = start
        self.update = update
    }

    override var parts: [Node] { [source, start, update] + pattern.keys }
}

final class ReduceNode: SourceLoopNode {
    override var inferredCardinality: Cardinality { start.cardinality }
    override func one(_ input: JSONValue, _ frame: Frame) throws(Interruption) -> JSONValue? {
        guard let first = try start.one(input, frame) else { return nil }
        return try fold(from: first, input, frame)
    }
    override func run(_ input: JSONValue, _ frame: Frame, _ sink: Sink) throws(Interruption) -> Flow {
        try start.each(input, frame) { first throws(Interruption) in try sink(try fold(from: first, input, frame)) }
    }

    private func fold(from first: JSONValue, _ input: JSONValue, _ frame: Frame) throws(Interruption) -> JSONValue {
        var state = first
        let slot = pattern.singleSlot
        _ = try source.each(input, frame) { value throws(Interruption) in
            try frame.machine.charge(update.stepCost)
            if let slot {
                frame[slot] = value
                try advance(&state, frame)
                return .more
            }
            return try pattern.bind(value, frame) { () throws(Interruption) -> Flow in
                try advance(&state, frame)
                return .more
            }
        }
        return state
    }

    /// The last output of the update is the next state; without one it is null.
    private func advance(_ state: inout JSONValue, _ frame: Frame) throws(Interruption) {
        if pattern.isAlternative {
            // An update that fails leaves null to the next pattern.
            let present = state
            state = .null
            var next = JSONValue.null
            _ = try update.each(present, frame) { value throws(Interruption) in
                next = value
                return .more
            }
            state = next
            return
        }
        if update.cardinality != .many {
            if try !update.change(&state, frame) { state = .null }
            return
        }
        var next = JSONValue.null
        _ = try update.run(state, frame) { value throws(Interruption) in
            next = value
            return .more
        }
        state = next
    }

    override func paths(_ at: Located, _ frame: Frame, _ sink: PathSink) throws(Interruption) -> Flow {
        try start.paths(at, frame) { first throws(Interruption) in
            var state = first
            _ = try source.each(at.value, frame) { value throws(Interruption) in
                try frame.machine.charge(update.stepCost)
                return try pattern.bind(value, frame) { () throws(Interruption) -> Flow in
                    var next = Located(path: at.path, value: .null, anchor: at.value)
                    _ = try update.paths(state, frame) { located throws(Interruption) in
                        next = located
                        return .more
                    }
                    state = next
                    return .more
                }
            }
            return try sink(state)
        }
    }
    override func trace(_ input: Abstract, _ frame: TraceFrame) -> Abstract {
        pattern.trace(source.trace(input, frame), frame)
        return frame.tracer.fixedPoint(from: start.trace(input, frame)) { update.trace($0, frame) }
    }
}

final class ForeachNode: SourceLoopNode {
    let extract: Node

    init(_ source: Node, _ pattern: CompiledPattern, start: Node, update: Node, extract: Node) {
        self.extract = extract
        super.init(source, pattern, start: start, update: update)
    }

    override var parts: [Node] { super.parts + [extract] }
    override var inferredCardinality: Cardinality { .many }
    override func run(_ input: JSONValue, _ frame: Frame, _ sink: Sink) throws(Interruption) -> Flow {
        try start.each(input, frame) { first throws(Interruption) in
            var state = first
            return try source.each(input, frame) { value throws(Interruption) in
                try frame.machine.charge(work: update.stepCost &+ extract.stepCost)
                if let slot = pattern.singleSlot {
                    frame[slot] = value
                    return try advance(&state, frame, sink)
                }
                return try pattern.bind(value, frame) { () throws(Interruption) -> Flow in
                    try advance(&state, frame, sink)
                }
            }
        }
    }
    /// Each output of the update is the next state, on which `extract` runs.
    private func advance(_ state: inout JSONValue, _ frame: Frame, _ sink: Sink) throws(Interruption) -> Flow {
        if update.cardinality == .one, !pattern.isAlternative {
            _ = try update.change(&state, frame)
            return try extract.each(state, frame, sink)
        }
        let present = state
        state = .null
        var latest = JSONValue.null
        let flow = try update.each(present, frame) { next throws(Interruption) in
            latest = next
            return try extract.each(next, frame, sink)
        }
        state = latest
        return flow
    }
    override func paths(_ at: Located, _ frame: Frame, _ sink: PathSink) throws(Interruption) -> Flow {
        try start.paths(at, frame) { first throws(Interruption) in
            var state = first
            return try source.each(at.value, frame) { value throws(Interruption) in
                try frame.machine.charge(work: update.stepCost &+ extract.stepCost)
                return try pattern.bind(value, frame) { () throws(Interruption) -> Flow in
                    let present = state
                    state = Located(path: at.path, value: .null, anchor: at.value)
                    return try update.paths(present, frame) { next throws(Interruption) in
                        state = next
                        return try extract.paths(next, frame, sink)
                    }
                }
            }
        }
    }
    override func trace(_ input: Abstract, _ frame: TraceFrame) -> Abstract {
        pattern.trace(source.trace(input, frame), frame)
        let state = frame.tracer.fixedPoint(from: start.trace(input, frame)) { update.trace($0, frame) }
        return extract.trace(state, frame)
    }
}

/// A filter that may run again while it runs, like the argument of `recurse(f)`: each run has variables of its own.
final class ScopeNode: Node {
    let slots: Int
    let body: Node

    init(slots: Int, _ body: Node) {
        self.slots = slots
        self.body = body
    }

    override var parts: [Node] { [body] }
    private func activation(_ frame: Frame) throws(Interruption) -> Frame {
        try frame.machine.frame(parent: frame, slots: slots, closures: [])
    }
    override func one(_ input: JSONValue, _ frame: Frame) throws(Interruption) -> JSONValue? {
        var inner = try activation(frame)
        let result = try body.one(input, inner)
        frame.machine.recycle(&inner)
        return result
    }
    override func run(_ input: JSONValue, _ frame: Frame, _ sink: Sink) throws(Interruption) -> Flow {
        var inner = try activation(frame)
        let flow = try body.run(input, inner, sink)
        frame.machine.recycle(&inner)
        return flow
    }
    override func paths(_ at: Located, _ frame: Frame, _ sink: PathSink) throws(Interruption) -> Flow {
        try body.paths(at, try activation(frame), sink)
    }
    override func trace(_ input: Abstract, _ frame: TraceFrame) -> Abstract {
        body.trace(input, TraceFrame(frame.tracer, parent: frame, slots: slots, closures: []))
    }
}
