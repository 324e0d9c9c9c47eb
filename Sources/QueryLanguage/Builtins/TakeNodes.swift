internal import JSONCore

final class SelectNode: UnaryNode {
    override var traits: NodeTraits { [.plain, .navigation] }
    override var navigatedParts: [Node] { [] }
    override var inferredCardinality: Cardinality { max(operand.cardinality, .optional) }
    override func one(_ input: JSONValue, _ frame: Frame) throws(Interruption) -> JSONValue? {
        guard let verdict = try operand.one(input, frame), verdict.isTruthy else { return nil }
        return input
    }
    override func run(_ input: JSONValue, _ frame: Frame, _ sink: Sink) throws(Interruption) -> Flow {
        try operand.each(input, frame) { verdict throws(Interruption) in verdict.isTruthy ? try sink(input) : .more }
    }
    override func paths(_ at: Located, _ frame: Frame, _ sink: PathSink) throws(Interruption) -> Flow {
        try operand.each(at.value, frame) { verdict throws(Interruption) in verdict.isTruthy ? try sink(at) : .more }
    }
    override func change(_ value: inout JSONValue, _ frame: Frame) throws(Interruption) -> Bool {
        try operand.one(value, frame)?.isTruthy ?? false
    }
    override func trace(_ input: Abstract, _ frame: TraceFrame) -> Abstract {
        frame.tracer.touch(operand.trace(input, frame))
        return input
    }
}

/// `first(f)`, which stops after that output, and `last(f)`.
final class FirstOrLastNode: UnaryNode {
    let isFirst: Bool

    init(isFirst: Bool, of operand: Node) {
        self.isFirst = isFirst
        super.init(operand)
    }

    private var flow: Flow { isFirst ? .stop : .more }

    override var traits: NodeTraits { .navigation }
    override var inferredCardinality: Cardinality { operand.cardinality == .one ? .one : .optional }
    override func one(_ input: JSONValue, _ frame: Frame) throws(Interruption) -> JSONValue? {
        if operand.cardinality != .many { return try operand.one(input, frame) }
        var result: JSONValue?
        let flow = flow
        _ = try operand.run(input, frame) { value throws(Interruption) in
            result = value
            return flow
        }
        return result
    }
    override func paths(_ at: Located, _ frame: Frame, _ sink: PathSink) throws(Interruption) -> Flow {
        var result: Located?
        let flow = flow
        _ = try operand.paths(at, frame) { located throws(Interruption) in
            result = located
            return flow
        }
        guard let result else { return .more }
        return try sink(result)
    }
    override func trace(_ input: Abstract, _ frame: TraceFrame) -> Abstract { operand.trace(input, frame) }
}

/// `limit(n; f)`, `skip(n; f)`, `nth(n; f)`, for each `n`.
final class CountedNode: Node {
    enum Selection { case limit, skip, nth }

    let kind: Selection
    let count: Node
    let source: Node

    init(_ kind: Selection, _ count: Node, _ source: Node) {
        self.kind = kind
        self.count = count
        self.source = source
    }

    override var parts: [Node] { [count, source] }
    override var traits: NodeTraits { .navigation }
    override var navigatedParts: [Node] { [source] }
    override var inferredCardinality: Cardinality {
        if kind == .nth, count.cardinality != .many { return .optional }
        return max(count.cardinality, max(source.cardinality, .optional))
    }
    override func run(_ input: JSONValue, _ frame: Frame, _ sink: Sink) throws(Interruption) -> Flow {
        try count.each(input, frame) { count throws(Interruption) in
            try frame.machine.charge(source.stepCost)
            var counter = try Counter(kind, count)
            if counter.isDone { return .more }
            var flow = Flow.more
            _ = try source.each(input, frame) { output throws(Interruption) in
                guard try counter.takesNext() else { return .more }
                flow = try sink(output)
                return flow == .stop || counter.isDone ? .stop : .more
            }
            return flow
        }
    }
    override func paths(_ at: Located, _ frame: Frame, _ sink: PathSink) throws(Interruption) -> Flow {
        try count.each(at.value, frame) { count throws(Interruption) in
            try frame.machine.charge(source.stepCost)
            var counter = try Counter(kind, count)
            if counter.isDone { return .more }
            var flow = Flow.more
            _ = try source.paths(at, frame) { output throws(Interruption) in
                guard try counter.takesNext() else { return .more }
                flow = try sink(output)
                return flow == .stop || counter.isDone ? .stop : .more
            }
            return flow
        }
    }

    private struct Counter {
        let kind: Selection
        let value: JSONValue
        let count: Double
        var seen = 0.0

        init(_ kind: Selection, _ value: JSONValue) throws(Interruption) {
            let isNegative = try ValueOrder.compare(value, .number(JSONNumber(0))) < 0
            switch (kind, isNegative) {
            case (.limit, true): throw .message("limit doesn't support negative count")
            case (.skip, true): throw .message("skip doesn't support negative count")
            case (.nth, true): throw .message("nth doesn't support negative indices")
            default: break
            }
            self.kind = kind
            self.value = value
            count = value.number?.doubleValue ?? .infinity
        }

        var isDone: Bool {
            switch kind {
            case .limit: seen >= count
            case .skip: false
            case .nth: seen > count
            }
        }

        /// As in jq, a value that is not a number but comes after 0 is refused only once there is an output.
        mutating func takesNext() throws(Interruption) -> Bool {
            guard case .number = value else { throw Arithmetic.failure(value, 1, "cannot be subtracted") }
            seen += 1
            return kind == .limit || seen > count
        }
    }
    override func trace(_ input: Abstract, _ frame: TraceFrame) -> Abstract {
        frame.tracer.consume(count.trace(input, frame))
        return source.trace(input, frame)
    }
}

final class IsEmptyNode: UnaryNode {
    override var inferredCardinality: Cardinality { .one }
    override func one(_ input: JSONValue, _ frame: Frame) throws(Interruption) -> JSONValue? {
        var isEmpty = true
        _ = try operand.each(input, frame) { _ throws(Interruption) in
            isEmpty = false
            return .stop
        }
        return .bool(isEmpty)
    }
    override func paths(_ at: Located, _ frame: Frame, _ sink: PathSink) throws(Interruption) -> Flow {
        var isEmpty = true
        _ = try operand.pathValues(at, frame) { _ throws(Interruption) in
            isEmpty = false
            return .stop
        }
        return try sink(at.computed(.bool(isEmpty)))
    }
    override func trace(_ input: Abstract, _ frame: TraceFrame) -> Abstract {
        _ = operand.trace(input, frame)
        return .derived
    }
}

/// `any(f; condition)` and `all(f; condition)`: stop at the first output that decides.
final class QuantifierNode: Node {
    let source: Node
    let condition: Node
    let decisive: Bool
    private let isOverParts: Bool

    init(_ source: Node, _ condition: Node, decisive: Bool) {
        isOverParts = (source as? IterateNode)?.operand is IdentityNode
        self.source = source
        self.condition = condition
        self.decisive = decisive
    }

    override var parts: [Node] { [source, condition] }
    override var traits: NodeTraits { .readsInputOnly }
    override var inferredCardinality: Cardinality { .one }
    override func one(_ input: JSONValue, _ frame: Frame) throws(Interruption) -> JSONValue? {
        if isOverParts, condition.cardinality != .many, case .array(let elements) = input {
            let flow = try elements.eachBorrowed { element throws(Interruption) in
                try frame.machine.charge(condition.stepCost)
                guard let verdict = try element.one(condition, frame) else { return .more }
                return verdict.isTruthy == decisive ? .stop : .more
            }
            return .bool(flow == .stop ? decisive : !decisive)
        }
        var result = !decisive
        _ = try source.each(input, frame) { value throws(Interruption) in
            try frame.machine.charge(condition.stepCost)
            return try condition.each(value, frame) { verdict throws(Interruption) in
                guard verdict.isTruthy == decisive else { return .more }
                result = decisive
                return .stop
            }
        }
        return .bool(result)
    }
    override func paths(_ at: Located, _ frame: Frame, _ sink: PathSink) throws(Interruption) -> Flow {
        var result = !decisive
        _ = try source.paths(at, frame) { found throws(Interruption) in
            try frame.machine.charge(condition.stepCost)
            return try condition.pathValues(found, frame) { verdict throws(Interruption) in
                guard verdict.isTruthy == decisive else { return .more }
                result = decisive
                return .stop
            }
        }
        return try sink(at.computed(.bool(result)))
    }
    override func trace(_ input: Abstract, _ frame: TraceFrame) -> Abstract {
        frame.tracer.touch(condition.trace(source.trace(input, frame), frame))
        return .derived
    }
}

final class SumNode: UnaryNode {
    override var traits: NodeTraits { .readsInputOnly }
    override var inferredCardinality: Cardinality { .one }
    override func one(_ input: JSONValue, _ frame: Frame) throws(Interruption) -> JSONValue? {
        var sum = JSONValue.null
        let machine = frame.machine
        _ = try operand.each(input, frame) { value throws(Interruption) in
            try machine.charge(work: 1 &+ value.buildingCost)
            try Arithmetic.add(value, to: &sum, machine.limits)
            return .more
        }
        return sum
    }
    override func paths(_ at: Located, _ frame: Frame, _ sink: PathSink) throws(Interruption) -> Flow {
        var sum = JSONValue.null
        let machine = frame.machine
        _ = try operand.pathValues(at, frame) { value throws(Interruption) in
            try machine.charge(work: 1 &+ value.buildingCost)
            try Arithmetic.add(value, to: &sum, machine.limits)
            return .more
        }
        return try sink(at.computed(sum))
    }
}
