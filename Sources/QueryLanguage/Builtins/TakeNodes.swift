internal import JSONCore

/// `select(f)`.
final class SelectNode: Node {
    let condition: Node

    init(_ condition: Node) { self.condition = condition }

    override func settle() {
        condition.settle()
        multiplicity = max(condition.multiplicity, .optional)
    }
    override func one(_ input: JSONValue, _ frame: Frame) throws(Interruption) -> JSONValue? {
        guard let verdict = try condition.one(input, frame), verdict.isTruthy else { return nil }
        return input
    }
    override func run(_ input: JSONValue, _ frame: Frame, _ sink: Sink) throws(Interruption) -> Flow {
        try condition.each(input, frame) { verdict throws(Interruption) in verdict.isTruthy ? try sink(input) : .more }
    }
    override func paths(_ at: Located, _ frame: Frame, _ sink: PathSink) throws(Interruption) -> Flow {
        try condition.each(at.value, frame) { verdict throws(Interruption) in verdict.isTruthy ? try sink(at) : .more }
    }
    override func change(_ value: inout JSONValue, _ frame: Frame) throws(Interruption) -> Bool {
        try condition.one(value, frame)?.isTruthy ?? false
    }
    override func trace(_ input: Abstract, _ frame: TraceFrame) -> Abstract {
        frame.tracer.touch(condition.trace(input, frame))
        return input
    }
}

/// `first(f)`, which stops there, and `last(f)`.
final class EndNode: Node {
    enum End {
        case first
        case last

        /// Whether more outputs are wanted once there is one.
        var flow: Flow { self == .first ? .stop : .more }
    }

    let end: End
    let source: Node

    init(_ end: End, of source: Node) {
        self.end = end
        self.source = source
    }

    override func settle() {
        source.settle()
        multiplicity = source.multiplicity == .one ? .one : .optional
    }
    override func one(_ input: JSONValue, _ frame: Frame) throws(Interruption) -> JSONValue? {
        if source.multiplicity != .many { return try source.one(input, frame) }
        var result: JSONValue?
        let flow = end.flow
        _ = try source.run(input, frame) { value throws(Interruption) in
            result = value
            return flow
        }
        return result
    }
    override func paths(_ at: Located, _ frame: Frame, _ sink: PathSink) throws(Interruption) -> Flow {
        var result: Located?
        let flow = end.flow
        _ = try source.paths(at, frame) { located throws(Interruption) in
            result = located
            return flow
        }
        guard let result else { return .more }
        return try sink(result)
    }
    override func trace(_ input: Abstract, _ frame: TraceFrame) -> Abstract { source.trace(input, frame) }
}

/// `limit(n; f)`, `skip(n; f)`, `nth(n; f)`, for each `n`.
final class CountedNode: Node {
    enum Kind {
        case limit
        case skip
        case nth
    }

    let kind: Kind
    let count: Node
    let source: Node

    init(_ kind: Kind, _ count: Node, _ source: Node) {
        self.kind = kind
        self.count = count
        self.source = source
    }

    override func settle() {
        count.settle()
        source.settle()
        multiplicity = max(count.multiplicity, max(source.multiplicity, .optional))
        if kind == .nth && count.multiplicity != .many { multiplicity = .optional }
    }
    override func run(_ input: JSONValue, _ frame: Frame, _ sink: Sink) throws(Interruption) -> Flow {
        try count.each(input, frame) { count throws(Interruption) in
            try frame.machine.round(source)
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
            try frame.machine.round(source)
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

    /// Tells which outputs are handed on, and when no more are needed.
    private struct Counter {
        let kind: Kind
        let value: JSONValue
        let count: Double
        var seen = 0.0

        init(_ kind: Kind, _ value: JSONValue) throws(Interruption) {
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

        /// Anything that comes after 0 passes for a count until there is something to count.
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

/// `isempty(f)`.
final class IsEmptyNode: Node {
    let source: Node

    init(_ source: Node) { self.source = source }

    override func settle() {
        source.settle()
        multiplicity = .one
    }
    override func one(_ input: JSONValue, _ frame: Frame) throws(Interruption) -> JSONValue? {
        var isEmpty = true
        try source.forEach(input, frame) { _ throws(Interruption) in
            isEmpty = false
            return .stop
        }
        return .bool(isEmpty)
    }
    override func paths(_ at: Located, _ frame: Frame, _ sink: PathSink) throws(Interruption) -> Flow {
        var isEmpty = true
        _ = try source.pathValues(at, frame) { _ throws(Interruption) in
            isEmpty = false
            return .stop
        }
        return try sink(at.computed(.bool(isEmpty)))
    }
    override func trace(_ input: Abstract, _ frame: TraceFrame) -> Abstract {
        _ = source.trace(input, frame)
        return .derived
    }
}

/// `any(f; condition)` and `all(f; condition)`: stops as soon as one output decides.
final class QuantifierNode: Node {
    let source: Node
    let condition: Node
    /// True for `any`.
    let decisive: Bool
    /// Whether the source is `.[]`.
    private let isOverParts: Bool

    init(_ source: Node, _ condition: Node, decisive: Bool) {
        isOverParts = (source as? IterateNode)?.target is IdentityNode
        self.source = source
        self.condition = condition
        self.decisive = decisive
    }

    override func settle() {
        source.settle()
        condition.settle()
        multiplicity = .one
    }
    override func one(_ input: JSONValue, _ frame: Frame) throws(Interruption) -> JSONValue? {
        if isOverParts, condition.multiplicity != .many, case .array(let elements) = input {
            let flow = try elements.eachHeld { element throws(Interruption) in
                try frame.machine.round(condition)
                guard let verdict = try element.one(condition, frame) else { return .more }
                return verdict.isTruthy == decisive ? .stop : .more
            }
            return .bool(flow == .stop ? decisive : !decisive)
        }
        var result = !decisive
        try source.forEach(input, frame) { value throws(Interruption) in
            try frame.machine.round(condition)
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
            try frame.machine.round(condition)
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

/// `add`, `add(f)`.
final class SumNode: Node {
    let source: Node

    init(_ source: Node) { self.source = source }

    override func settle() {
        source.settle()
        multiplicity = .one
    }
    override func one(_ input: JSONValue, _ frame: Frame) throws(Interruption) -> JSONValue? {
        var sum = JSONValue.null
        let machine = frame.machine
        try source.forEach(input, frame) { value throws(Interruption) in
            try machine.pay(1 &+ value.buildingCost)
            try Arithmetic.add(value, to: &sum, machine.limits)
            return .more
        }
        return sum
    }
    override func paths(_ at: Located, _ frame: Frame, _ sink: PathSink) throws(Interruption) -> Flow {
        var sum = JSONValue.null
        let machine = frame.machine
        _ = try source.pathValues(at, frame) { value throws(Interruption) in
            try machine.pay(1 &+ value.buildingCost)
            try Arithmetic.add(value, to: &sum, machine.limits)
            return .more
        }
        return try sink(at.computed(sum))
    }
    override func trace(_ input: Abstract, _ frame: TraceFrame) -> Abstract {
        frame.tracer.consumed(source.trace(input, frame))
    }
}
