internal import JSONCore

/// A call of a recursive function; other functions are expanded where they are called.
///
/// A call in tail position leaves the body, the frame and the input in the machine (`postpone`) and returns; the call
/// that runs the enclosing body runs it next (`finish`, or the loop in `run`). So a loop of tail calls takes no stack.
/// `Machine.enterCall` refuses other calls before the native stack ends.
final class CallNode: Node {
    let function: Function
    let hops: Int
    /// The arguments for parameters that are values (`$x`), in the order of their slots.
    let values: [Node]
    let filters: [Argument]
    /// Whether the call stands in the function's own body, outside of closures.
    private let isOwn: Bool
    /// Whether the call can use the caller's frame, because the function has neither variables nor closures.
    private var sharesFrame = false
    private var isTail = false
    private var hasManyValues = false
    private var bodyCost = 1
    private var body: CalledBody

    /// Whether the call neither makes a frame nor waits: it is only a level of recursion.
    var isLevel: Bool { sharesFrame && !isTail }

    enum Argument {
        case closure(Node, slots: Int)
        case parameter(hops: Int, index: Int)
    }

    init(_ function: Function, hops: Int, values: [Node], filters: [Argument], isOwn: Bool) {
        self.function = function
        self.hops = hops
        self.values = values
        self.filters = filters
        self.isOwn = isOwn
        body = CalledBody(function.body)
    }

    override var parts: [Node] {
        values + filters.compactMap { filter in if case .closure(let node, _) = filter { node } else { nil } }
    }
    override var inferredCardinality: Cardinality { values.reduce(function.cardinality) { max($0, $1.cardinality) } }
    override func inferCardinality() {
        super.inferCardinality()
        body = CalledBody(function.body)
        bodyCost = function.body.stepCost
        hasManyValues = values.contains { $0.cardinality == .many }
        sharesFrame = isOwn && function.slots == 0 && filters.isEmpty
    }
    override func markTail() { isTail = !hasManyValues }

    private func activation(_ frame: Frame) throws(Interruption) -> Frame {
        var closures: [Closure] = []
        if !filters.isEmpty { closures.reserveCapacity(filters.count) }
        for filter in filters {
            switch filter {
            case .closure(let node, let slots): closures.append(Closure(body: node, frame: frame, slots: slots))
            case .parameter(let hops, let index): closures.append(frame.outer(hops).closures[index])
            }
        }
        return try frame.machine.frame(parent: frame.outer(hops), slots: function.slots, closures: closures)
    }

    @inline(__always)
    private func enter(_ input: JSONValue, _ frame: Frame) throws(Interruption) -> Frame? {
        if sharesFrame { return frame }
        let callee = try activation(frame)
        for slot in values.indices {
            guard let value = try values[slot].one(input, frame) else { return nil }
            callee[slot] = value
        }
        return callee
    }

    /// Leaves the call to the loop that runs the caller's body; false if a value has no output.
    @inline(never)
    private func postpone(_ input: JSONValue, _ frame: Frame) throws(Interruption) -> Bool {
        if sharesFrame || (isOwn && filters.isEmpty) {
            if !values.isEmpty { guard try renew(frame, input) else { return false } }
            try frame.machine.charge(Machine.callCost &+ bodyCost)
            frame.machine.postpone(body.whole, nil, input)
            return true
        }
        guard let callee = try enter(input, frame) else { return false }
        try frame.machine.charge(Machine.callCost &+ bodyCost)
        frame.machine.postpone(body.whole, callee, input)
        return true
    }

    /// Nothing else is read of the caller's frame any more; false where a value has no output.
    private func renew(_ frame: Frame, _ input: JSONValue) throws(Interruption) -> Bool {
        guard values.count > 1 else {
            guard let value = try values[0].one(input, frame) else { return false }
            frame[0] = value
            return true
        }
        var next: [JSONValue] = []
        next.reserveCapacity(values.count)
        for node in values {
            guard let value = try node.one(input, frame) else { return false }
            next.append(value)
        }
        for slot in next.indices { frame[slot] = next[slot] }
        return true
    }

    override func one(_ input: JSONValue, _ frame: Frame) throws(Interruption) -> JSONValue? {
        if isTail {
            _ = try postpone(input, frame)
            return nil
        }
        guard sharesFrame else { return try oneInFrame(input, frame) }
        return try oneLevel(input, frame)
    }

    @inline(__always)
    func oneLevel(_ input: JSONValue, _ frame: Frame) throws(Interruption) -> JSONValue? {
        let machine = frame.machine
        try machine.enterCall(bodyCost)
        let result = try body.one(input, frame)
        return machine.pending == nil ? result : try finish(frame)
    }

    // A function of its own: if it were part of `oneLevel`, its locals would deepen the native frame of each level of
    // recursion.
    @inline(never)
    private func oneInFrame(_ input: JSONValue, _ frame: Frame) throws(Interruption) -> JSONValue? {
        let machine = frame.machine
        try machine.enterCall(bodyCost)
        guard var callee = try enter(input, frame) else { return nil }
        let result = try body.whole.one(input, callee)
        if machine.pending != nil { return try finish(callee) }
        machine.recycle(&callee)
        return result
    }

    @inline(never)
    private func finish(_ frame: Frame) throws(Interruption) -> JSONValue? {
        let machine = frame.machine
        var frame = frame
        var input = JSONValue.null
        var result: JSONValue?
        while let body = machine.pending {
            machine.resume(&frame, &input)
            try machine.charge(Machine.callCost)
            result = try body.one(input, frame)
        }
        machine.recycle(&frame)
        return result
    }

    override func run(_ input: JSONValue, _ frame: Frame, _ sink: Sink) throws(Interruption) -> Flow {
        if isTail { return try postpone(input, frame) ? .tail : .more }
        if hasManyValues {
            return try withValues(input, frame) { callee throws(Interruption) in try run(input, in: callee, sink) }
        }
        guard let callee = try enter(input, frame) else { return .more }
        return try run(input, in: callee, sink)
    }

    private func run(_ input: JSONValue, in callee: Frame, _ sink: Sink) throws(Interruption) -> Flow {
        let machine = callee.machine
        try machine.enterCall(bodyCost)
        var flow = try body.whole.run(input, callee, sink)
        var frame = callee
        var input = JSONValue.null
        while flow == .tail, let body = machine.pending {
            machine.resume(&frame, &input)
            try machine.charge(Machine.callCost)
            flow = try body.run(input, frame, sink)
        }
        machine.recycle(&frame)
        return flow
    }

    private func withValues(
        _ input: JSONValue, _ frame: Frame, _ run: (Frame) throws(Interruption) -> Flow
    ) throws(Interruption) -> Flow {
        try Self.combinations(of: values[...], input, frame) { values throws(Interruption) in
            let callee = try activation(frame)
            for (slot, value) in values.enumerated() { callee[slot] = value }
            return try run(callee)
        }
    }

    override func paths(_ at: Located, _ frame: Frame, _ sink: PathSink) throws(Interruption) -> Flow {
        try withValues(at.value, frame) { callee throws(Interruption) in
            try frame.machine.enterCall(bodyCost)
            return try function.body.paths(at, callee, sink)
        }
    }

    /// The values are not followed through a recursion: its input and each variable read in it count as read whole.
    override func trace(_ input: Abstract, _ frame: TraceFrame) -> Abstract {
        let tracer = frame.tracer
        tracer.consume(input)
        guard tracer.mayGoOn else { return .derived }
        return tracer.recursing {
            var closures: [TraceFrame.Closure] = []
            for value in values { tracer.consume(value.trace(.derived, frame)) }
            for filter in filters {
                switch filter {
                case .closure(let node, let slots):
                    let closure = TraceFrame.Closure(body: node, frame: frame, slots: slots)
                    tracer.consume(closure.trace(.derived))
                    closures.append(closure)
                case .parameter(let hops, let index): closures.append(frame.outer(hops).closures[index])
                }
            }
            guard tracer.begin(function) else { return .derived }
            let callee = TraceFrame(tracer, parent: frame.outer(hops), slots: function.slots, closures: closures)
            tracer.consume(function.body.trace(.derived, callee))
            tracer.end(function)
            return .derived
        }
    }
}

/// `a | f`, where `f` is a call: running both here saves a native frame for each level of recursion.
final class PipedCallNode: PipeNode {
    private let call: CallNode

    init(_ left: Node, _ call: CallNode) {
        self.call = call
        super.init(left, call)
    }

    override func one(_ input: JSONValue, _ frame: Frame) throws(Interruption) -> JSONValue? {
        guard let middle = try left.one(input, frame) else { return nil }
        guard call.isLevel else { return try right.one(middle, frame) }
        return try call.oneLevel(middle, frame)
    }
}

/// A call of a parameter that is a filter.
final class ClosureCallNode: Node {
    let hops: Int
    let index: Int

    init(hops: Int, index: Int) {
        self.hops = hops
        self.index = index
    }

    override var inferredCardinality: Cardinality { .many }
    override func run(_ input: JSONValue, _ frame: Frame, _ sink: Sink) throws(Interruption) -> Flow {
        let closure = frame.outer(hops).closures[index]
        try frame.machine.enterCall(closure.body.stepCost)
        return try closure.body.run(input, try closure.activation(), sink)
    }
    override func paths(_ at: Located, _ frame: Frame, _ sink: PathSink) throws(Interruption) -> Flow {
        let closure = frame.outer(hops).closures[index]
        try frame.machine.enterCall(closure.body.stepCost)
        return try closure.body.paths(at, try closure.activation(), sink)
    }
    override func trace(_ input: Abstract, _ frame: TraceFrame) -> Abstract {
        frame.outer(hops).closures[index].trace(input)
    }
}

/// The body of a recursive function is nearly always an `if`.
///
/// The call chooses the branch itself, which saves a native frame for each level: the processor predicts the returns of
/// some dozen nested frames only.
struct CalledBody {
    let whole: UnretainedNode
    private let condition: UnretainedNode?
    private let then: UnretainedNode
    private let otherwise: UnretainedNode

    init(_ node: Node) {
        whole = UnretainedNode(node)
        let choice = node as? ConditionalNode
        condition = choice.map { UnretainedNode($0.condition) }
        then = choice.map { UnretainedNode($0.then) } ?? whole
        otherwise = choice.map { UnretainedNode($0.otherwise) } ?? whole
    }

    @inline(__always)
    func one(_ input: JSONValue, _ frame: Frame) throws(Interruption) -> JSONValue? {
        if let condition {
            guard let holds = try condition.one(input, frame)?.isTruthy else { return nil }
            return try holds ? then.one(input, frame) : otherwise.one(input, frame)
        }
        return try whole.one(input, frame)
    }
}
